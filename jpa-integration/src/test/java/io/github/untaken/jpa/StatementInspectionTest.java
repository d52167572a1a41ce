package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.AccountView;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.Transaction;
import org.hibernate.cfg.Configuration;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.cfg.TransactionSettings;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose statements are inspected, beside which inspectors of the application, and as part of which transaction. */
class StatementInspectionTest {
    private static final String BULK = "insert into Account (id, username) values (:id, :name)";

    private final RecordingSink sink = new RecordingSink();
    private TestDatabase database;

    private TestDatabase open(Map<String, ?> settings) {
        database = TestDatabase.with(settings, Account.class, AccountView.class);
        JpaIdentifiers.of(database.factory()).connect(sink);
        return database;
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    private static void bulk(Session session, long id) {
        session.createMutationQuery(BULK)
                .setParameter("id", 1_000 + id)
                .setParameter("name", "bulk" + id)
                .executeUpdate();
    }

    private static final List<String> BOTH_KINDS_UNSEEN = List.of("T1 unseen phone", "T1 unseen username");

    @Test
    void aBulkStatementIsToldBeforeItIsSentAndEndsWithItsTransaction() {
        open(Map.of(JdbcSettings.STATEMENT_INSPECTOR, (StatementInspector) sql -> {
                    sink.note(sql.startsWith("insert") ? "inspected" : "other");
                    return sql;
                }))
                .sessions()
                .inTransaction(session -> {
                    bulk(session, 1);
                    sink.note("executed");
                });
        assertThat(sink.lines().get(0)).isEqualTo("inspected");
        assertThat(sink.lines().subList(1, 3)).containsExactlyInAnyOrderElementsOf(BOTH_KINDS_UNSEEN);
        assertThat(sink.lines().subList(3, 5)).containsExactly("executed", "T1 over");
    }

    @Test
    void oneTransactionTellsItOnce() {
        open(Map.of()).sessions().inTransaction(session -> {
            bulk(session, 1);
            bulk(session, 2);
            session.createNativeMutationQuery("delete from Account").executeUpdate();
        });
        assertThat(sink.lines()).hasSize(3).endsWith("T1 over");
    }

    /** Public, with a constructor without parameters, as Hibernate asks of one named in the settings. */
    public static final class Renaming implements StatementInspector {
        static final List<String> SEEN = new CopyOnWriteArrayList<>();

        @Override
        public String inspect(String sql) {
            SEEN.add(sql);
            return sql.replace("'a_placeholder'", "'alice'").replace("Placeholder_Table", "Account");
        }
    }

    private void renamesAndIsInspected(Consumer<Consumer<Session>> inTransaction) {
        Renaming.SEEN.clear();
        inTransaction.accept(session -> session.createNativeMutationQuery(
                        "insert into Placeholder_Table (id, username) values (1000, 'a_placeholder')")
                .executeUpdate());
        assertThat(Renaming.SEEN).anyMatch(sql -> sql.contains("Placeholder_Table"));
        assertThat(sink.take()).containsAll(BOTH_KINDS_UNSEEN);
        inTransaction.accept(
                session -> assertThat(session.createNativeQuery("select username from Account", String.class)
                                .getSingleResult())
                        .isEqualTo("alice"));
        inTransaction.accept(session -> session.persist(Account.named("bobby")));
        assertThat(sink.take()).containsExactly("T2 adding username bobby", "T2 over");
    }

    @Test
    void theApplicationsInspectorNamedByItsClassNameKeepsItsSay() {
        open(Map.of(JdbcSettings.STATEMENT_INSPECTOR, Renaming.class.getName()));
        renamesAndIsInspected(work -> database.sessions().inTransaction(work));
    }

    @Test
    void theApplicationsInspectorNamedByItsClassKeepsItsSay() {
        open(Map.of(JdbcSettings.STATEMENT_INSPECTOR, Renaming.class));
        renamesAndIsInspected(work -> database.sessions().inTransaction(work));
    }

    @Test
    void theApplicationsInspectorGivenAsAnObjectKeepsItsSay() {
        open(Map.of(JdbcSettings.STATEMENT_INSPECTOR, new Renaming()));
        renamesAndIsInspected(work -> database.sessions().inTransaction(work));
    }

    @Test
    void theApplicationsInspectorGivenByCallKeepsItsSay() {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Account.class)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:inspection-by-call;USER=sa;PASSWORD=")
                .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                .setStatementInspector(new Renaming());
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            JpaIdentifiers.of(factory).connect(sink);
            renamesAndIsInspected(work -> factory.inTransaction(work));
        }
    }

    @Test
    void anInspectorThatAnswersNothingLeavesTheStatement() {
        open(Map.of(JdbcSettings.STATEMENT_INSPECTOR, (StatementInspector) sql -> null))
                .sessions()
                .inTransaction(session -> bulk(session, 1));
        assertThat(sink.lines()).containsAll(BOTH_KINDS_UNSEEN);
    }

    /** Nobody can look into what another inspector lets through. */
    @Test
    void aSessionWithAnInspectorOfItsOwnIsTakenForTheWorst() {
        open(Map.of());
        try (Session session = database.sessions()
                .withOptions()
                .statementInspector(UnaryOperator.identity())
                .openSession()) {
            Transaction transaction = session.beginTransaction();
            bulk(session, 1);
            assertThat(sink.lines()).containsExactlyInAnyOrderElementsOf(BOTH_KINDS_UNSEEN);
            transaction.commit();
        }
        sink.take();
        try (Session session =
                database.sessions().withOptions().noStatementInspector().openSession()) {
            Transaction transaction = session.beginTransaction();
            bulk(session, 2);
            transaction.commit();
        }
        assertThat(sink.lines()).contains("T2 unseen username", "T2 over");
    }

    @Test
    void anInspectorOfASessionCanPassStatementsOn() {
        open(Map.of());
        StatementInspector factorys = database.sessions()
                .unwrap(SessionFactoryImplementor.class)
                .getSessionFactoryOptions()
                .getStatementInspector();
        try (Session session = database.sessions()
                .withOptions()
                .statementInspector((UnaryOperator<String>) factorys::inspect)
                .openSession()) {
            Transaction transaction = session.beginTransaction();
            session.persist(Account.named("bobby"));
            session.flush();
            session.createSelectionQuery("from Account", Account.class).getResultList();
            transaction.commit();
            assertThat(sink.take()).containsExactly("T1 adding username bobby", "T1 over");
            transaction.begin();
            bulk(session, 2);
            transaction.commit();
        }
        assertThat(sink.lines()).contains("T2 unseen username", "T2 over");
    }

    @Test
    void aSessionThatSharesAnothersConnectionWritesInItsName() {
        open(Map.of());
        try (Session parent = database.sessions().openSession()) {
            Transaction transaction = parent.beginTransaction();
            try (Session child = parent.sessionWithOptions().connection().openSession()) {
                bulk(child, 1);
            }
            sink.note("child closed");
            transaction.rollback();
        }
        assertThat(sink.lines()).containsAll(BOTH_KINDS_UNSEEN).endsWith("child closed", "T1 over");
    }

    /** The table is the account's, but this entity's events announce nothing. */
    @Test
    void anotherMappingOfTheColumnIsUnseen() {
        open(Map.of()).inTransaction(entities -> entities.persist(new AccountView(1L, "alice")));
        assertThat(sink.take()).contains("T1 unseen username", "T1 over");
        database.inTransaction(entities -> entities.find(AccountView.class, 1L).username = "bobby");
        assertThat(sink.take()).contains("T2 unseen username");
        database.inTransaction(entities -> entities.remove(entities.find(AccountView.class, 1L)));
        assertThat(sink.take()).noneMatch(line -> line.contains("unseen"));
    }

    @Test
    void anEntitysOwnSqlSentByHandIsUnseen() {
        List<String> inserts = new CopyOnWriteArrayList<>();
        open(Map.of(JdbcSettings.STATEMENT_INSPECTOR, (StatementInspector) sql -> {
                    inserts.add(sql);
                    return sql;
                }))
                .inTransaction(entities -> {
                    entities.persist(Account.named("alice"));
                    entities.flush();
                });
        String insert = inserts.stream()
                .filter(sql -> sql.startsWith("insert"))
                .findFirst()
                .orElseThrow();
        sink.take();
        database.inTransaction(entities -> {
            entities.persist(Account.named("bobby"));
            entities.createNativeQuery(insert)
                    .setParameter(1, "x")
                    .setParameter(2, "y")
                    .setParameter(3, "z")
                    .setParameter(4, 1_000)
                    .executeUpdate();
        });
        assertThat(sink.lines()).contains("T2 adding username bobby", "T2 unseen username");
    }

    /** Its POST event never comes, and no flush ends. */
    @Test
    void aWriteThatFailedVouchesForNothingMore() {
        List<String> inserts = new CopyOnWriteArrayList<>();
        open(Map.of(JdbcSettings.STATEMENT_INSPECTOR, (StatementInspector) sql -> {
            inserts.add(sql);
            return sql;
        }));
        database.statelessInTransaction(session -> session.insert(Account.named("alice")));
        String insert = inserts.stream()
                .filter(sql -> sql.startsWith("insert"))
                .findFirst()
                .orElseThrow();
        sink.take();
        database.statelessInTransaction(session -> {
            assertThatThrownBy(() -> session.insert(Account.named("alice"))).isInstanceOf(RuntimeException.class);
            session.createNativeMutationQuery(insert)
                    .setParameter(1, "x")
                    .setParameter(2, "y")
                    .setParameter(3, "bobby")
                    .setParameter(4, 1_000)
                    .executeUpdate();
        });
        assertThat(sink.lines()).contains("T2 adding username alice", "T2 unseen username", "T2 over");
    }

    @Test
    void whatFailsUnderAutocommitIsOverToo() {
        open(Map.of(TransactionSettings.ALLOW_UPDATE_OUTSIDE_TRANSACTION, "true"));
        try (Session session = database.sessions().openSession()) {
            bulk(session, 1);
            assertThat(sink.take()).endsWith("T1 over");
            assertThatThrownBy(() -> bulk(session, 1)).isInstanceOf(RuntimeException.class);
            assertThat(sink.take()).endsWith("T2 over");
            session.createSelectionQuery("from Account", Account.class).getResultList();
        }
        assertThat(sink.take()).isEmpty();
    }

    @Test
    void aTransactionOnAConnectionOfTheApplicationsIsNotOverWithItsStatement() throws Exception {
        open(Map.of(TransactionSettings.ALLOW_UPDATE_OUTSIDE_TRANSACTION, "true"));
        try (var connection = database.connection()) {
            connection.setAutoCommit(false);
            try (Session session =
                    database.sessions().withOptions().connection(connection).openSession()) {
                bulk(session, 1);
                sink.note("executed");
            }
            connection.commit();
        }
        assertThat(sink.lines()).endsWith("executed", "T1 lingers");
    }

    @Test
    void aFactoryWithoutIdentifiersIsLeftAlone() {
        try (TestDatabase plain =
                TestDatabase.with(Map.of(JdbcSettings.STATEMENT_INSPECTOR, new Renaming()), AccountView.class)) {
            Renaming.SEEN.clear();
            plain.sessions()
                    .inTransaction(session -> session.createNativeMutationQuery(
                                    "insert into Placeholder_Table (id, username) values (1, 'a')")
                            .executeUpdate());
            assertThat(Renaming.SEEN).isNotEmpty();
        }
    }

    @Test
    void anInspectorIsWrittenAsAReferenceToItsFactory() throws Exception {
        open(Map.of());
        StatementInspector inspector = database.sessions()
                .unwrap(SessionFactoryImplementor.class)
                .getSessionFactoryOptions()
                .getStatementInspector();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(inspector);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isSameAs(inspector);
        }
    }

    @Test
    void twoFactoriesAreInspectedApart() {
        open(Map.of());
        RecordingSink other = new RecordingSink();
        try (TestDatabase second = TestDatabase.of(Account.class)) {
            JpaIdentifiers.of(second.factory()).connect(other);
            second.sessions().inTransaction(session -> bulk(session, 1));
        }
        assertThat(sink.lines()).isEmpty();
        assertThat(other.lines()).contains("T1 unseen username", "T1 over");
    }
}
