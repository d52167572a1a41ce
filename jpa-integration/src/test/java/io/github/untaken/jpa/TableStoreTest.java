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
import io.github.untaken.jpa.entities.Party;
import io.github.untaken.jpa.entities.Reader;
import io.github.untaken.jpa.entities.Seat;
import io.github.untaken.jpa.entities.Shape;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Counted;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Engine;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

        assertThat(scan(store("username"))).containsExactlyInAnyOrder("deleted", "banned");
        assertThat(store("username").exists("deleted", TIMEOUT)).isEqualTo(Presence.COUNTED);
        assertThat(store("username").exists("banned", TIMEOUT)).isEqualTo(Presence.COUNTED);
    }

    @Test
    void aTableWhoseNameNeedsQuotesIsRead() {
        database = TestDatabase.on(engine, Map.of(), Customer.class);
        database.inTransaction(entities -> entities.persist(new Customer("alice")));
        assertThat(store("username").exists("alice", TIMEOUT)).isEqualTo(Presence.COUNTED);
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
        assertThat(store("tax-number").exists("de1", TIMEOUT)).isEqualTo(Presence.COUNTED);
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
    void aKeyOfSeveralColumnsIsNoHindrance() {
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
    void nullsAreSkipped() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.inTransaction(entities -> {
            entities.persist(new Account(null, "+1"));
            entities.persist(new Account("alice", null));
            entities.persist(new Account(null, null));
        });
        assertThat(scan(store("username"))).containsExactly("alice");
        assertThat(((Counted) store("username")).count()).as("at most").isEqualTo(3);
    }

    @Test
    void rowsOfOneMappedIdAreAllRead() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.sql(
                "alter table Account " + (engine == Engine.H2 ? "drop primary key" : "drop constraint account_pkey"),
                "insert into Account (id, username) select mod(x, 3), 'user' || x from " + engine.numbers(25_000));
        assertThat(scan(store("username"))).hasSize(25_000).doesNotHaveDuplicates();
    }

    @Test
    void anIdThatIsKeptAsTextHidesNoRow() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.sql(
                "alter table Account alter column id " + (engine == Engine.H2 ? "set data type" : "type")
                        + " varchar(20)",
                "insert into Account (id, username) select cast(x as varchar(20)), 'user' || x from "
                        + engine.numbers(25_000));
        assertThat(scan(store("username"))).hasSize(25_000).doesNotHaveDuplicates();
    }

    @Test
    void aColumnThatIsNoTextIsRefused() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.sql("alter table Account drop column username", "alter table Account add column username bigint");
        assertThatThrownBy(() -> ((Comparing) store("username")).describe())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("Account.username is of type")
                .hasMessageContaining("does not hold the text itself");
    }

    @Test
    void aRowThatIsRenamedMeanwhileIsInTheScanByItsOldName() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.sql("insert into Account (id, username) select x, 'user' || x from " + engine.numbers(25000));
        Set<String> seen = new HashSet<>();
        store("username").scan(value -> {
            if (seen.isEmpty()) {
                database.sql("update Account set username = 'aaa' where id = 24000");
                database.sql("update Account set username = 'zzz' where id = 11000");
            }
            seen.add(value);
        });
        assertThat(seen).hasSize(25_000).contains("user24000", "user11000").doesNotContain("aaa", "zzz");
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
        assertThat(store("username").exists("alice", Duration.ofMillis(1))).isEqualTo(Presence.ABSENT);
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
