package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Company;
import io.github.untaken.jpa.entities.Contact;
import io.github.untaken.jpa.entities.Customer;
import io.github.untaken.jpa.entities.Ghost;
import io.github.untaken.jpa.entities.IdentityAccount;
import io.github.untaken.jpa.entities.NamedById;
import io.github.untaken.jpa.entities.Party;
import io.github.untaken.jpa.entities.Reader;
import io.github.untaken.jpa.entities.Seat;
import io.github.untaken.jpa.entities.Shape;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Counted;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Partitioned;
import io.github.untaken.spi.StoreException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The store that reads Hibernate's tables: what it sees, and how it reads. */
@ParameterizedClass
@EnumSource
class TableStoreTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final Engine engine;
    private TestDatabase database;

    TableStoreTest(Engine engine) {
        this.engine = engine;
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    private List<RegisteredIdentifierStore> stores(String kind) {
        return JpaIdentifiers.of(database.factory()).stores().get(new IdentifierKind(kind));
    }

    private RegisteredIdentifierStore store(String kind) {
        List<RegisteredIdentifierStore> stores = stores(kind);
        assertThat(stores).hasSize(1);
        return stores.get(0);
    }

    private static List<String> scan(RegisteredIdentifierStore store) {
        List<String> values = new ArrayList<>();
        store.scan(values::add);
        return values;
    }

    @Test
    void rowsThatHibernateHidesStillHoldTheirNames() {
        database = TestDatabase.on(engine, Map.of(), Ghost.class);
        database.inTransaction(entities -> {
            entities.persist(new Ghost("deleted"));
            Ghost banned = new Ghost("banned");
            banned.banned = true;
            entities.persist(banned);
        });
        database.inTransaction(entities ->
                entities.remove(entities.createQuery("from Ghost", Ghost.class).getSingleResult()));

        assertThat(scan(store("username"))).containsExactly("deleted", "banned");
        assertThat(store("username").exists("deleted", TIMEOUT)).isTrue();
        assertThat(store("username").exists("banned", TIMEOUT)).isTrue();
    }

    @Test
    void aTableWhoseNameNeedsQuotesIsRead() {
        database = TestDatabase.on(engine, Map.of(), Customer.class);
        database.inTransaction(entities -> entities.persist(new Customer("alice")));
        assertThat(store("username").exists("alice", TIMEOUT)).isTrue();
        assertThat(scan(store("username"))).containsExactly("alice");
        assertThat(((Counted) store("username")).count()).isEqualTo(1);
    }

    @Test
    void embeddedAndInheritedColumnsAreRead() {
        database = TestDatabase.on(engine, Map.of(), Reader.class, Party.class, Company.class);
        database.inTransaction(entities -> {
            entities.persist(new Reader(new Contact("a@x")));
            entities.persist(new Company("acme", "de1"));
        });
        assertThat(scan(store("email"))).containsExactly("a@x");
        assertThat(scan(store("username"))).containsExactly("acme");
        assertThat(scan(store("tax-number"))).containsExactly("de1");
        assertThat(store("tax-number").exists("de1", TIMEOUT)).isTrue();
    }

    @Test
    void aKindInSeveralTablesHasSeveralStores() {
        database = TestDatabase.on(
                engine,
                Map.of(),
                Account.class,
                IdentityAccount.class,
                Shape.class,
                Shape.Circle.class,
                Shape.Square.class);
        assertThat(stores("username"))
                .extracting(Object::toString)
                .containsExactlyInAnyOrder("Account.username", "IdentityAccount.username");
        assertThat(stores("shape"))
                .extracting(Object::toString)
                .containsExactlyInAnyOrder("Shape$Circle.name", "Shape$Square.name");
        Shape.Circle circle = new Shape.Circle();
        circle.name = "round";
        database.inTransaction(entities -> entities.persist(circle));
        assertThat(stores("shape").stream().flatMap(store -> scan(store).stream()))
                .containsExactly("round");
    }

    @Test
    void aKeyOfSeveralColumnsIsScannedAtOnce() {
        database = TestDatabase.on(engine, Map.of(), Seat.class);
        database.inTransaction(entities -> {
            entities.persist(new Seat("red", "a7"));
            entities.persist(new Seat("blue", "a7"));
        });
        assertThat(scan(store("seat"))).containsExactly("a7", "a7");
        assertThatThrownBy(() -> store("seat").scan(value -> {
                    throw new ArithmeticException("enough");
                }))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void nullsAreSkippedAndNotCounted() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.inTransaction(entities -> {
            entities.persist(new Account(null, "+1"));
            entities.persist(new Account("alice", null));
            entities.persist(new Account(null, null));
        });
        assertThat(scan(store("username"))).containsExactly("alice");
        assertThat(((Counted) store("username")).count()).isEqualTo(1);
    }

    @Test
    void aScanGoesInPagesOfBoundedSize() {
        int rows = 40_000;
        database = TestDatabase.counted(engine, Account.class);
        CountingDataSource connections = database.connections();
        database.sql("insert into Account (id, username) select x * 3, 'user' || x from " + engine.numbers(rows));
        RegisteredIdentifierStore store = store("username");
        connections.forget();

        Set<String> seen = new HashSet<>();
        AtomicInteger delivered = new AtomicInteger();
        List<Integer> openWhileConsuming = new ArrayList<>();
        store.scan(value -> {
            seen.add(value);
            delivered.incrementAndGet();
            if (seen.size() % 9_999 == 0) {
                openWhileConsuming.add(connections.openConnections());
            }
        });

        assertThat(delivered).hasValue(rows);
        assertThat(seen).hasSize(rows).contains("user1", "user" + rows);
        assertThat(connections.rowsOfQueries())
                .as("rows of each query; the last page is empty")
                .filteredOn(read -> read != 1) // whether it is the primary, after each page
                .hasSize(5)
                .allMatch(read -> read <= 10_000);
        assertThat(openWhileConsuming)
                .as("no connection is held while rows are consumed")
                .containsOnly(0);

        Set<String> inParts = new HashSet<>();
        delivered.set(0);
        for (Partition partition : ((Partitioned) store).partitions(2)) {
            partition.scan(value -> {
                delivered.incrementAndGet();
                inParts.add(value);
            });
        }
        assertThat(delivered).as("rows of parts of several pages each").hasValue(rows);
        assertThat(inParts.equals(seen)).isTrue();
    }

    @Test
    void aTextKeyIsPagedToo() {
        database = TestDatabase.on(engine, Map.of(), NamedById.class);
        database.sql("insert into NamedById (username) select 'user' || x from " + engine.numbers(25000));
        assertThat(scan(store("username"))).hasSize(25_000).doesNotHaveDuplicates();
    }

    @Test
    void aRowMovedAheadOfAPagedScanByARenameIsNotLost() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.sql("insert into Account (id, username) select x, 'user' || x from " + engine.numbers(25000));
        Set<String> seen = new HashSet<>();
        store("username").scan(value -> {
            if (seen.isEmpty()) {
                // In the order of names these two would change sides of the scan's position.
                database.sql("update Account set username = 'aaa' where id = 24000");
                database.sql("update Account set username = 'zzz' where id = 11000");
            }
            seen.add(value);
        });
        assertThat(seen).hasSize(25_000).contains("aaa", "zzz");
    }

    @Test
    void aClosedFactoryIsNoAbsence() {
        TestDatabase closed = TestDatabase.on(engine, Map.of(), Account.class);
        RegisteredIdentifierStore store = JpaIdentifiers.of(closed.factory())
                .stores()
                .get(IdentifierKind.USERNAME)
                .get(0);
        closed.close();
        assertThatThrownBy(() -> store.exists("alice", TIMEOUT))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aTimeoutIsNotLeftOnThePooledConnection() throws SQLException {
        database = TestDatabase.on(engine, Map.of("hibernate.connection.pool_size", "1"), Account.class);
        assertThat(store("username").exists("alice", Duration.ofMillis(1))).isFalse();
        int left = database.sessions()
                .fromSession(session -> session.doReturningWork(connection -> {
                    try (PreparedStatement statement = connection.prepareStatement("select 1")) {
                        return statement.getQueryTimeout();
                    }
                }));
        assertThat(left).isZero();
    }

    /** H2 compiles its statements anew after every change of a setting, in all connections; a timeout is one. */
    @Test
    void aReadMakesNobodyCompileStatementsAnew() {
        assumeThat(engine).isEqualTo(Engine.H2);
        database = TestDatabase.on(engine, Map.of("hibernate.connection.pool_size", "1"), Account.class);
        RegisteredIdentifierStore store = store("username");
        store.exists("alice", TIMEOUT);
        long before = definitions();
        store.exists("bob", TIMEOUT);
        assertThat(definitions()).isEqualTo(before);
    }

    /** Rises with each change for which H2 compiles statements anew. */
    private long definitions() {
        return database.sessions()
                .fromSession(session -> session.doReturningWork(connection -> ((SessionLocal)
                                connection.unwrap(JdbcConnection.class).getSession())
                        .getDatabase()
                        .getModificationMetaId()));
    }
}
