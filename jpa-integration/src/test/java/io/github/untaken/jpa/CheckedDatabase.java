package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A database with a real checker over it, whose clock the test moves. The oracle is the database itself, asked over a
 * connection of its own.
 */
final class CheckedDatabase implements AutoCloseable {
    static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private final TestDatabase database;
    private final AvailabilityChecker checker;
    private final AtomicLong skipped = new AtomicLong();
    private final AtomicInteger names = new AtomicInteger();

    CheckedDatabase(TestDatabase database) {
        this(database, source -> source);
    }

    CheckedDatabase(TestDatabase database, UnaryOperator<IdentifierSource> decorator) {
        this.database = database;
        this.checker = AvailabilityChecker.builder()
                .source(decorator.apply(JpaIdentifiers.of(database.factory())))
                .normalizer(IdentifierKind.PHONE, new Literal())
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false) // a busy machine may not answer in time that nobody else writes
                .recheckQueue(1_000_000) // no check is refused, however many rollbacks are being verified
                .rescanInterval(Duration.ofDays(1))
                .ticker(() -> System.nanoTime() + skipped.get())
                .build();
        Eventually.holds(
                "READY", () -> checker.kinds().stream().allMatch(kind -> checker.state(kind) == KindState.READY));
    }

    TestDatabase database() {
        return database;
    }

    AvailabilityChecker checker() {
        return checker;
    }

    KindStats stats() {
        return checker.stats(USERNAME);
    }

    Verdict check(String name) {
        return checker.check(USERNAME, name);
    }

    Status status(String name) {
        return check(name).status();
    }

    /** A name that nobody has used before. */
    String freshName() {
        return "member.n" + names.incrementAndGet();
    }

    /** A name of an account that has signed up. */
    String member() {
        String name = freshName();
        signUp(name);
        return name;
    }

    void signUp(String name) {
        database.inTransaction(entities -> entities.persist(Account.named(name)));
    }

    static Account find(EntityManager entities, String name) {
        return entities.createQuery("from Account where username = :name", Account.class)
                .setParameter("name", name)
                .getSingleResult();
    }

    /** What the database says, without the checker or Hibernate. */
    boolean isCommitted(String name) {
        return committedRows("where lower(username) = ?", name) > 0;
    }

    long committedRows() {
        return committedRows("where username is not null or ? = ''", "");
    }

    private long committedRows(String condition, String parameter) {
        long rows = 0;
        for (String table : new String[] {"Account", "IdentityAccount"}) {
            try (Connection connection = database.connection();
                    PreparedStatement count =
                            connection.prepareStatement("select count(*) from " + table + " " + condition)) {
                count.setString(1, parameter);
                try (ResultSet row = count.executeQuery()) {
                    row.next();
                    rows += row.getLong(1);
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
        return rows;
    }

    /** Taken if the database has it, else available: nothing may be under way. */
    void assertAnswersAsTheDatabase(String... asked) {
        for (String name : asked) {
            assertThat(status(name)).isEqualTo(isCommitted(name) ? Status.TAKEN : Status.AVAILABLE);
        }
    }

    void assertTaken(String... asked) {
        for (String name : asked) {
            assertThat(isCommitted(name)).as("the database has the row").isTrue();
            assertThat(status(name)).isEqualTo(Status.TAKEN);
        }
    }

    void assertAvailable(String... asked) {
        for (String name : asked) {
            assertThat(isCommitted(name)).as("the database has the row").isFalse();
            assertThat(status(name)).isEqualTo(Status.AVAILABLE);
        }
    }

    /** Moves the checker's clock. */
    void pass(Duration time) {
        skipped.addAndGet(time.toNanos());
    }

    /** Returns after the swap of a rebuild that began after this call. */
    void rescan() {
        ReadyCheckers.rescan(checker, USERNAME);
    }

    @Override
    public void close() {
        checker.close();
        database.close();
    }
}
