package io.github.untaken.jpa;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Computed;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.util.Map;
import java.util.function.Consumer;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.DynamicInsert;
import org.hibernate.annotations.Generated;
import org.hibernate.annotations.SQLDelete;
import org.hibernate.annotations.SQLInsert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Statements that look like an entity's own, or come where one is expected, but are not: none passes for one. */
@Tag("ci")
@ParameterizedClass
@EnumSource(Engine.class)
class VouchersTest {

    @Entity(name = "Tenant")
    public static class Tenant {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        @Column(unique = true)
        public String username;

        public static Tenant of(long id, String username) {
            Tenant tenant = new Tenant();
            tenant.id = id;
            tenant.username = username;
            return tenant;
        }
    }

    /** A delete leaves the row, under another name. */
    @Entity(name = "Tomb")
    @SQLDelete(sql = "update Tomb set username = 'deleted-' || id where id = ?")
    public static class Tomb {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        public String username;
    }

    /** The database gives a name to those who have none. */
    @Entity(name = "Visitor")
    @DynamicInsert
    public static class Visitor {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        @Column(columnDefinition = "varchar(60) default 'guest-account'")
        public String username;
    }

    /** Nobody knows what its own SQL makes of the value. */
    @Entity(name = "Prefixed")
    @SQLInsert(sql = "insert into Prefixed (username, id) values ('x-' || ?, ?)")
    public static class Prefixed {
        @Id
        public long id;

        @RegisteredIdentifier("username")
        public String username;
    }

    /** Shows what the database computes, and does not say so. */
    @Entity(name = "Mirror")
    public static class Mirror {
        @Id
        public long id;

        public String display;

        @RegisteredIdentifier("username")
        @Column(
                columnDefinition = "varchar(60) generated always as (lower(display))",
                insertable = false,
                updatable = false)
        public String username;
    }

    /** Is told what the database computes when it is inserted, and not when it changes. */
    @Entity(name = "Half")
    public static class Half {
        @Id
        public long id;

        public String display;

        @RegisteredIdentifier("username")
        @Generated
        @Column(
                columnDefinition = "varchar(60) generated always as (lower(display))",
                insertable = false,
                updatable = false)
        public String username;
    }

    @Parameter
    private Engine engine;

    private TestDatabase database;
    private AvailabilityChecker checker;

    private void open(Class<?>... entities) {
        database = TestDatabase.on(engine, Map.of(), entities);
        start();
    }

    private void start() {
        checker = ReadyCheckers.on(JpaIdentifiers.of(database.factory()));
    }

    @AfterEach
    void close() {
        if (checker != null) {
            checker.close();
        }
        if (database != null) {
            database.close();
        }
    }

    private Status status(String name) {
        return checker.check(USERNAME, name).status();
    }

    /** Taken at once, and still so when all is settled. */
    private void assertTaken(String name) {
        assertThat(status(name)).as("at once").isEqualTo(Status.TAKEN);
        Eventually.holds("scanned", () -> checker.state(USERNAME) == KindState.READY);
        assertThat(status(name)).as("after the scan").isEqualTo(Status.TAKEN);
    }

    private void refusedInsert(StatelessSession session) {
        assertThatThrownBy(() -> session.insert(Tenant.of(1, "alice"))).isInstanceOf(RuntimeException.class);
    }

    /** PostgreSQL goes on with a transaction only if the refused statement is taken back. */
    private static void inSavepoint(StatelessSession session, Consumer<StatelessSession> work) {
        session.doWork(connection -> {
            var savepoint = connection.setSavepoint();
            work.accept(session);
            connection.rollback(savepoint);
        });
    }

    @Test
    void aRefusedInsertVouchesForNoLaterStatementOfItsForm() {
        open(Tenant.class);
        database.statelessInTransaction(session -> session.insert(Tenant.of(1, "alice")));
        database.statelessInTransaction(session -> {
            inSavepoint(session, this::refusedInsert);
            session.createNativeMutationQuery("insert into Tenant (username, id) values (:name, :id)")
                    .setParameter("name", "zedd")
                    .setParameter("id", 2)
                    .executeUpdate();
            session.doWork(Connection::commit); // Hibernate itself would give up after such an error on PostgreSQL
        });
        assertTaken("zedd");
    }

    @Test
    void aRefusedInsertVouchesForNoLaterStatementOfItsText() {
        open(Tenant.class);
        database.statelessInTransaction(session -> session.insert(Tenant.of(1, "alice")));
        database.statelessInTransaction(session -> {
            inSavepoint(session, this::refusedInsert);
            session.createNativeMutationQuery("insert into Tenant (username,id) values (?,?)")
                    .setParameter(1, "zedd")
                    .setParameter(2, 2)
                    .executeUpdate();
            session.doWork(Connection::commit);
        });
        assertTaken("zedd");
    }

    @Test
    void aDeleteThatWritesAnotherNameIsNoDelete() {
        open(Tomb.class);
        database.inTransaction(entities -> {
            Tomb tomb = new Tomb();
            tomb.id = 42;
            tomb.username = "alice";
            entities.persist(tomb);
        });
        database.inTransaction(entities -> entities.remove(entities.find(Tomb.class, 42)));
        assertTaken("deleted-42");
    }

    @Test
    void aNameThatTheDatabaseFillsInIsTaken() {
        open(Visitor.class);
        database.inTransaction(entities -> {
            Visitor visitor = new Visitor();
            visitor.id = 1;
            entities.persist(visitor);
        });
        assertTaken("guest-account");
    }

    /** H2 refuses such a value, PostgreSQL drops the blanks. */
    @Test
    void aNameWhoseBlanksFindNoRoomIsTaken() {
        assumeThat(engine).isEqualTo(Engine.POSTGRESQL);
        open(Tenant.class);
        String longest = "a".repeat(255);
        database.inTransaction(entities -> entities.persist(Tenant.of(1, longest + "  ")));
        assertTaken(longest);
    }

    @Test
    void aDefaultThatIsDefinedLaterIsNoticed() {
        open(Tenant.class);
        database.inTransaction(entities -> entities.persist(Tenant.of(1, "alice")));
        database.sessions()
                .inTransaction(session -> session.createNativeMutationQuery(
                                "alter table Tenant alter column username set default 'guest-account'")
                        .executeUpdate());
        Eventually.holds("scanned", () -> checker.state(USERNAME) == KindState.READY);
        database.inTransaction(entities ->
                entities.createNativeQuery("insert into Tenant (id) values (7)").executeUpdate());
        assertTaken("guest-account");
    }

    @Test
    void whatTheApplicationsOwnSqlMakesOfANameIsTaken() {
        open(Prefixed.class);
        database.inTransaction(entities -> {
            Prefixed prefixed = new Prefixed();
            prefixed.id = 1;
            prefixed.username = "alice";
            entities.persist(prefixed);
        });
        assertTaken("x-alice");
    }

    @Test
    void whatTheApplicationsOwnInsertMakesOfAnUpsertIsTaken() {
        open(Prefixed.class);
        database.statelessInTransaction(session -> {
            Prefixed prefixed = new Prefixed();
            prefixed.id = 1;
            prefixed.username = "alice";
            session.upsert(prefixed);
        });
        assertTaken("x-alice");
    }

    @Test
    void anUpdateByHibernatesOwnSqlIsItsOwnWhateverTheInsertIs() {
        open(Prefixed.class);
        database.sql("insert into Prefixed (id, username) values (1, 'alice')");
        database.inTransaction(entities -> entities.find(Prefixed.class, 1L).username = "bob");
        assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
        assertThat(status("bob")).isEqualTo(Status.TAKEN);
    }

    @Test
    void anUpdateOfWhatANameIsComputedFromIsTaken() {
        open(Computed.class);
        database.inTransaction(entities -> entities.persist(new Computed("Alice")));
        database.inTransaction(entities ->
                entities.createQuery("update Computed set display = 'Zedd'").executeUpdate());
        assertTaken("zedd");
        database.inTransaction(entities -> entities.createNativeQuery("update Computed set display = 'Yves'")
                .executeUpdate());
        assertTaken("yves");
    }

    @Test
    void aComputedNameThatNoEventTellsOfIsTaken() {
        open(Mirror.class);
        database.inTransaction(entities -> {
            Mirror mirror = new Mirror();
            mirror.id = 1;
            mirror.display = "Alice";
            entities.persist(mirror);
        });
        assertTaken("alice");
        database.inTransaction(entities -> entities.find(Mirror.class, 1L).display = "Zedd");
        assertTaken("zedd");
    }

    @Test
    void aComputedNameThatOnlyTheEventOfAnInsertTellsOfIsTaken() {
        open(Half.class);
        database.inTransaction(entities -> {
            Half half = new Half();
            half.id = 1;
            half.display = "Alice";
            entities.persist(half);
        });
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
        database.inTransaction(entities -> entities.find(Half.class, 1L).display = "Zedd");
        assertTaken("zedd");
    }

    @Test
    void rowsOfATableThatBecomesPartOfAPartitionAreTaken() {
        assumeThat(engine).as("has partitions that are tables").isEqualTo(Engine.POSTGRESQL);
        database = TestDatabase.on(engine, Map.of(), Tenant.class);
        database.sql("""
                drop table Tenant;
                create table Tenant (id bigint not null, username varchar(255)) partition by range (id);
                create table Tenant_p1 partition of Tenant for values from (0) to (1000) partition by range (id);
                create table loaded (id bigint not null, username varchar(255));
                insert into loaded values (1, 'zedd')""");
        start();
        assertThat(status("zedd")).isEqualTo(Status.AVAILABLE);
        database.inTransaction(entities -> entities.createNativeQuery(
                        "alter table tenant_p1 attach partition loaded for values from (0) to (500)")
                .executeUpdate());
        assertTaken("zedd");
    }

    @Test
    void aRowWrittenIntoAPartitionIsTaken() {
        assumeThat(engine).as("has partitions that are tables").isEqualTo(Engine.POSTGRESQL);
        database = TestDatabase.on(engine, Map.of(), Tenant.class);
        database.sql("""
                drop table Tenant;
                create table Tenant (id bigint not null, username varchar(255)) partition by range (id);
                create table Tenant_p1 partition of Tenant for values from (0) to (1000) partition by range (id);
                create table Tenant_p1_a partition of Tenant_p1 for values from (0) to (500);
                create table log (line text, username text)""");
        start();
        database.inTransaction(entities ->
                entities.createNativeQuery("insert into log values ('x', 'y')").executeUpdate());
        assertThat(checker.state(USERNAME)).as("another table").isEqualTo(KindState.READY);
        database.inTransaction(
                entities -> entities.createNativeQuery("insert into public.tenant_p1 (id, username) values (1, 'zedd')")
                        .executeUpdate());
        assertTaken("zedd");
        database.inTransaction(
                entities -> entities.createNativeQuery("insert into \"tenant_p1_a\" (id, username) values (2, 'yves')")
                        .executeUpdate());
        assertTaken("yves");
    }
}
