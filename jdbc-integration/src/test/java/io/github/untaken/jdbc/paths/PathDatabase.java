package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.Engine;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.TestTable;
import io.github.untaken.testkit.Eventually;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A table with a checker that hears of it through a watched data source, and what is really committed in it. */
final class PathDatabase implements AutoCloseable {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private final TestTable table;
    private final AvailabilityChecker checker;
    private final DataSource pool;
    private final DataSource reads;
    private final DataSource dataSource;
    private int number;

    PathDatabase(Engine engine, Pooling pooling) {
        this(engine, pooling, database -> database);
    }

    /** @param meddling with the connections below pool and watch */
    PathDatabase(Engine engine, Pooling pooling, UnaryOperator<DataSource> meddling) {
        table = TestTable.on(engine, "varchar(40)");
        pool = pooling.pool(meddling.apply(table.dataSource()));
        reads = Pooling.hikari(table.dataSource());
        JdbcIdentifiers identifiers = JdbcIdentifiers.table(reads, table.name(), "username");
        dataSource = pooling.watched(pool, identifiers);
        checker = AvailabilityChecker.builder()
                .source(identifiers)
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false)
                .rescanInterval(Duration.ofDays(1))
                .build();
        awaitReady();
    }

    void awaitReady() {
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
    }

    Way.Writer writer(Way way) {
        return way.over(dataSource, table.name());
    }

    /** What the application has. */
    DataSource dataSource() {
        return dataSource;
    }

    TestTable table() {
        return table;
    }

    String freshName() {
        return "name" + ++number;
    }

    List<String> freshNames(int count) {
        return Stream.generate(this::freshName).limit(count).toList();
    }

    /** As a stranger sees it, over a connection of his own. */
    List<String> committed() {
        return Arrays.stream(table.query("select username from TABLE where username is not null")
                        .split("\n"))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    boolean isCommitted(String name) {
        return committed().contains(name);
    }

    Status status(String name) {
        return checker.check(USERNAME, name).status();
    }

    /** The promise: nothing that is committed is called available. */
    void assertNothingCommittedIsAvailable() {
        for (String name : committed()) {
            assertThat(status(name)).as("%s, which is committed", name).isEqualTo(Status.TAKEN);
        }
    }

    KindState state() {
        return checker.state(USERNAME);
    }

    long doubtful() {
        return checker.stats(USERNAME).doubtful();
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
