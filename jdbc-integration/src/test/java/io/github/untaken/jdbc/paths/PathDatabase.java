package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.testkit.Eventually;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A table with a checker that hears of it through a watched data source, and what is really committed in it. */
public final class PathDatabase implements AutoCloseable {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private final PathTable table;
    private final AvailabilityChecker checker;
    private final DataSource pool;
    private final DataSource reads;
    private final DataSource dataSource;
    private int number;

    public PathDatabase(PathTable table, Pooling pooling) {
        this(table, pooling, database -> database);
    }

    /**
     * @param table closed with this
     * @param meddling with the connections below pool and watch
     */
    PathDatabase(PathTable table, Pooling pooling, UnaryOperator<DataSource> meddling) {
        this.table = table;
        pool = pooling.pool(meddling.apply(table.dataSource()));
        reads = Pooling.hikari(table.dataSource());
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(reads, table.name(), "username");
        dataSource = pooling.watched(pool, identifiers);
        checker = AvailabilityChecker.builder()
                .source(identifiers)
                .normalizer(
                        USERNAME,
                        UsernameNormalizer.builder()
                                .characters(c -> c < 128 && Character.isLetterOrDigit(c))
                                .build())
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false)
                .rescanInterval(Duration.ofDays(1))
                .build();
        awaitReady();
    }

    public void awaitReady() {
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
    }

    public Way.Writer writer(Way way) {
        return way.over(dataSource, table.name());
    }

    /** What the application has. */
    DataSource dataSource() {
        return dataSource;
    }

    PathTable table() {
        return table;
    }

    public String freshName() {
        return "name" + ++number;
    }

    List<String> freshNames(int count) {
        return Stream.generate(this::freshName).limit(count).toList();
    }

    /** As a stranger sees it, over a connection of his own. */
    public List<String> committed() {
        return Arrays.stream(table.query("select username from TABLE where username is not null")
                        .split("\n"))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    public boolean isCommitted(String name) {
        return committed().contains(name);
    }

    public Status status(String name) {
        return checker.check(USERNAME, name).status();
    }

    /** The promise: nothing that is committed is called available. */
    public void assertNothingCommittedIsAvailable() {
        for (String name : committed()) {
            assertThat(status(name)).as("%s, which is committed", name).isEqualTo(Status.TAKEN);
        }
    }

    public KindState state() {
        return checker.state(USERNAME);
    }

    @Override
    public void close() {
        checker.close();
        for (DataSource each : List.of(dataSource, pool, reads)) {
            if (each instanceof AutoCloseable closeable) {
                try {
                    closeable.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            } else if (each instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat) {
                tomcat.close(true);
            }
        }
        table.close();
    }
}
