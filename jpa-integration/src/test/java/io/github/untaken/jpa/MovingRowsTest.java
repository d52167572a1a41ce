package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.NamedById;
import io.github.untaken.jpa.entities.Subscriber;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.test.database.Engine;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A scan stands still at some row while other rows change their names, some only in case, and some so that they would
 * pass the scan in one direction or the other if it went by name. None is lost, before the swap or after it.
 */
@Tag("ci")
class MovingRowsTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final int ROWS = 20_500; // three pages

    private TestDatabase database;
    private AvailabilityChecker checker;

    @AfterEach
    void close() {
        if (checker != null) {
            checker.close();
        }
        database.close();
    }

    static Stream<Arguments> pauses() {
        return pauses(9_999, 15_000);
    }

    static Stream<Arguments> onePause() {
        return pauses(10_000);
    }

    private static Stream<Arguments> pauses(Integer... rows) {
        return Stream.of(Engine.values()).flatMap(engine -> Stream.of(rows).map(row -> Arguments.of(engine, row)));
    }

    /** Runs the work when the first scan after the next {@code arm} has delivered so many rows. */
    private static final class PausedStore
            implements RegisteredIdentifierStore.Counted, RegisteredIdentifierStore.Barrier {
        private final RegisteredIdentifierStore store;
        private final AtomicInteger rowsLeft;
        private final Runnable work;

        PausedStore(RegisteredIdentifierStore store, AtomicInteger rowsLeft, Runnable work) {
            this.store = store;
            this.rowsLeft = rowsLeft;
            this.work = work;
        }

        @Override
        public Presence exists(String key, Duration timeout) {
            return store.exists(key, timeout);
        }

        @Override
        public void scan(Consumer<String> values) {
            store.scan(value -> {
                if (rowsLeft.getAndDecrement() == 0) {
                    work.run();
                }
                values.accept(value);
            });
        }

        @Override
        public long count() {
            return ((Counted) store).count();
        }

        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            return ((Barrier) store).awaitOpenTransactions(timeout);
        }
    }

    /** Starts a checker, and rescans with the changes made in the middle of that scan. */
    private void rescanWhile(IdentifierKind kind, int row, Runnable changes) {
        AtomicInteger rowsLeft = new AtomicInteger(-1);
        List<Throwable> failures = new ArrayList<>();
        Runnable once = () -> {
            try {
                changes.run();
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        };
        checker = ReadyCheckers.on(ReadyCheckers.withStores(
                JpaIdentifiers.of(database.factory()), store -> new PausedStore(store, rowsLeft, once)));
        rowsLeft.set(row);
        ReadyCheckers.rescan(checker, kind);
        assertThat(failures).isEmpty();
        assertThat(rowsLeft.get()).as("the scan came by").isNegative();
    }

    private List<String> committed(String sql) {
        List<String> names = new ArrayList<>();
        try (Connection connection = database.connection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return names;
    }

    private void noneIsAvailable(IdentifierKind kind, List<String> names) {
        assertThat(names).isNotEmpty();
        assertThat(names).noneMatch(name -> checker.checkInMemory(kind, name).available());
    }

    private void rename(String from, String to) {
        database.inTransaction(entities -> account(entities, from).username = to);
        Verdict verdict = checker.check(USERNAME, to);
        assertThat(verdict.status()).as("while the scan stands still").isEqualTo(Status.TAKEN);
    }

    private static Account account(EntityManager entities, String name) {
        return entities.createQuery("from Account where username = :name", Account.class)
                .setParameter("name", name)
                .getSingleResult();
    }

    private void fill(Engine engine, String insert) {
        String numbers = engine == Engine.H2
                ? "system_range(1, " + ROWS + ") as n(x)"
                : "generate_series(1, " + ROWS + ") as n(x)";
        database.sql(insert + " from " + numbers);
    }

    @ParameterizedTest
    @MethodSource("pauses")
    void noAccountIsLost(Engine engine, int row) {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        fill(engine, "insert into Account (id, username) select x, 'user' || x");
        rescanWhile(USERNAME, row, () -> {
            for (int id : new int[] {1, 5_000, 10_000, 10_001, 15_001, ROWS}) {
                rename("user" + id, "USER" + id); // in another collation it moves to the other end
            }
            for (int id : new int[] {2, 9_998, 20_001}) {
                rename("user" + id, "aaa" + id);
            }
            for (int id : new int[] {3, 9_997, 20_002}) {
                rename("user" + id, "zzz" + id);
            }
            // There and back again: told of in both generations.
            rename("user4", "elsewhere");
            rename("elsewhere", "user4");
            // A name that goes from one row to another.
            rename("user20003", "gone");
            rename("user6", "user20003");
            // Told of by nobody: only another attribute changes.
            database.inTransaction(entities -> account(entities, "user7").city = "Berlin");
        });
        noneIsAvailable(USERNAME, committed("select username from Account"));
        for (String name :
                new String[] {"USER1", "USER10001", "aaa20001", "zzz3", "user4", "user20003", "gone", "user7"}) {
            assertThat(checker.check(USERNAME, name).status()).isEqualTo(Status.TAKEN);
        }
        for (String name : new String[] {"user2", "user3", "user6", "elsewhere"}) {
            assertThat(checker.check(USERNAME, name).status()).isEqualTo(Status.AVAILABLE);
        }
    }

    /** The scan goes by the very column that holds the names; a rename is a delete and an insert. */
    @ParameterizedTest
    @MethodSource("onePause")
    void noNameThatIsItsOwnKeyIsLost(Engine engine, int row) {
        database = TestDatabase.on(engine, Map.of(), NamedById.class);
        fill(engine, "insert into NamedById (username) select 'user' || x");
        rescanWhile(USERNAME, row, () -> {
            for (int number : new int[] {1, 5_000, 10_000, 20_000}) {
                for (String[] change : new String[][] {
                    {"user" + number, "USER" + number},
                    {"USER" + number, "aaa" + number},
                    {"aaa" + number, "zzz" + number}
                }) {
                    database.inTransaction(entities -> {
                        entities.remove(entities.find(NamedById.class, change[0]));
                        entities.persist(new NamedById(change[1]));
                    });
                }
            }
        });
        noneIsAvailable(USERNAME, committed("select username from NamedById"));
        assertThat(checker.check(USERNAME, "zzz1").status()).isEqualTo(Status.TAKEN);
        assertThat(checker.check(USERNAME, "aaa1").status()).isEqualTo(Status.AVAILABLE);
    }

    @ParameterizedTest
    @EnumSource
    void noElementOfAListIsLost(Engine engine) {
        IdentifierKind alias = new IdentifierKind("alias");
        database = TestDatabase.on(engine, Map.of(), Subscriber.class);
        int elements = 400;
        database.inTransaction(entities -> {
            for (long owner = 1; owner <= 2; owner++) {
                Subscriber subscriber = new Subscriber(owner);
                for (int i = 0; i < elements; i++) {
                    subscriber.aliases.add("alias" + owner + "x" + i);
                }
                entities.persist(subscriber);
            }
        });
        rescanWhile(alias, elements, () -> {
            database.inTransaction(entities -> {
                // Each element moves to another row of the list.
                List<String> aliases = entities.find(Subscriber.class, 1L).aliases;
                aliases.add(0, aliases.remove(aliases.size() - 1));
            });
            database.inTransaction(entities -> {
                List<String> aliases = entities.find(Subscriber.class, 2L).aliases;
                aliases.remove(0);
                aliases.add("ALIAS2X0");
            });
        });
        List<String> committed = committed("select alias from Subscriber_alias");
        assertThat(committed).hasSize(2 * elements);
        noneIsAvailable(alias, committed);
    }
}
