package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.entities.Flat;
import io.github.untaken.jpa.entities.Ghost;
import io.github.untaken.jpa.entities.Veiled;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Engine;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows that the application does not see. As long as the unique index covers them they hold their names, so that the bare
 * table is the truth: nothing that only hides a row may free its name.
 */
class HiddenRowsTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    private TestDatabase database;
    private AvailabilityChecker checker;

    @AfterEach
    void close() {
        if (checker != null) {
            checker.close();
        }
        database.close();
    }

    private void start() {
        checker = ReadyCheckers.on(JpaIdentifiers.of(database.factory()));
    }

    private Status status(String name) {
        return checker.check(USERNAME, name).status();
    }

    private <T> List<T> visible(Class<T> type) {
        return database.sessions()
                .fromTransaction(session -> session.createQuery("from " + type.getSimpleName(), type)
                        .getResultList());
    }

    private void deleteGhost() {
        database.inTransaction(entities ->
                entities.remove(entities.createQuery("from Ghost", Ghost.class).getSingleResult()));
    }

    private void holdsItsName(String name, Runnable registerAgain) {
        assertThat(status(name)).isEqualTo(Status.TAKEN);
        checker.clearWhitelist(USERNAME);
        ReadyCheckers.rescan(checker, USERNAME);
        assertThat(status(name)).isEqualTo(Status.TAKEN);
        assertThat(checker.stats(USERNAME).memory().entries()).isEqualTo(1);
        assertThatThrownBy(registerAgain::run)
                .as("the unique index is of the same opinion")
                .isInstanceOf(RuntimeException.class);
        assertThat(status(name)).isEqualTo(Status.TAKEN);
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aSoftDeletedRowHoldsItsName(Engine engine) {
        database = TestDatabase.on(engine, Map.of(), Ghost.class);
        start();
        database.inTransaction(entities -> entities.persist(new Ghost("alice")));
        deleteGhost();
        holdsItsName("alice", () -> database.inTransaction(entities -> entities.persist(new Ghost("alice"))));
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aRowHiddenByARestrictionHoldsItsName(Engine engine) {
        database = TestDatabase.on(engine, Map.of(), Ghost.class);
        start();
        database.inTransaction(entities -> {
            Ghost ghost = new Ghost("alice");
            entities.persist(ghost);
            entities.flush();
            ghost.banned = true;
        });
        assertThat(visible(Ghost.class)).isEmpty();
        holdsItsName("alice", () -> database.inTransaction(entities -> entities.persist(new Ghost("alice"))));
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aRowHiddenByAFilterHoldsItsName(Engine engine) {
        database = TestDatabase.on(engine, Map.of(), Veiled.class);
        start();
        database.inTransaction(entities -> {
            Veiled veiled = new Veiled("alice");
            veiled.hidden = true;
            entities.persist(veiled);
        });
        assertThat(visible(Veiled.class)).isEmpty();
        holdsItsName("alice", () -> database.inTransaction(entities -> entities.persist(new Veiled("alice"))));
    }

    /** The tenant of the calling thread; the registry's own threads have none. */
    public static final class TenantOfThread implements CurrentTenantIdentifierResolver<String> {
        private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

        static void as(String tenant, Runnable work) {
            TENANT.set(tenant);
            try {
                work.run();
            } finally {
                TENANT.remove();
            }
        }

        @Override
        public String resolveCurrentTenantIdentifier() {
            return TENANT.get();
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(Engine.class)
    void aRowOfAnotherTenantHoldsItsName(Engine engine) {
        database = TestDatabase.on(
                engine,
                Map.of(MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER, new TenantOfThread()),
                Flat.class);
        start();
        Consumer<String> signUp = tenant -> TenantOfThread.as(
                tenant, () -> database.inTransaction(entities -> entities.persist(new Flat("alice"))));
        signUp.accept("red");
        TenantOfThread.as("blue", () -> {
            assertThat(visible(Flat.class)).isEmpty();
            holdsItsName("alice", () -> signUp.accept("blue"));
        });
        assertThat(status("bob")).isEqualTo(Status.AVAILABLE);
    }

    /** Every tenant has a database of its own; here they are all the same one. */
    private record Databases(String url) implements MultiTenantConnectionProvider<String> {
        @Override
        public Connection getAnyConnection() throws SQLException {
            return DriverManager.getConnection(url);
        }

        @Override
        public void releaseAnyConnection(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public Connection getConnection(String tenant) throws SQLException {
            return getAnyConnection();
        }

        @Override
        public void releaseConnection(String tenant, Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void aDatabaseForEachTenantIsRefused() {
        String url = Engine.H2.create();
        database = TestDatabase.at(
                Engine.H2,
                url,
                Map.of(
                        MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER, new TenantOfThread(),
                        MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER, new Databases(url)),
                Ghost.class);
        assertThatThrownBy(() -> JpaIdentifiers.of(database.factory()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("each tenant");
    }

    /** An application with a unique index that leaves dead rows out says so with a store of its own. */
    private record LiveGhosts(TestDatabase database) implements RegisteredIdentifierStore {
        @Override
        public Presence exists(String key, Duration timeout) {
            boolean[] found = new boolean[1];
            read("select username from Ghost where deleted = false and username = ?", key, value -> found[0] = true);
            return Presence.of(found[0]);
        }

        @Override
        public void scan(Consumer<String> values) {
            read("select username from Ghost where deleted = false", null, values);
        }

        private void read(String sql, String key, Consumer<String> values) {
            try (Connection connection = database.connection();
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                if (key != null) {
                    statement.setString(1, key);
                }
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        values.accept(rows.getString(1));
                    }
                }
            } catch (SQLException e) {
                throw new StoreException("Ghost could not be read", e);
            }
        }
    }

    @Test
    void aStoreThatLeavesDeadRowsOutFreesTheirNames() {
        database = TestDatabase.on(Engine.POSTGRESQL, Map.of(), Ghost.class);
        database.sql("alter table Ghost drop constraint if exists " + uniqueConstraint());
        database.sql("create unique index live_ghost on Ghost (username) where not deleted");
        checker = ReadyCheckers.on(
                ReadyCheckers.withStores(JpaIdentifiers.of(database.factory()), store -> new LiveGhosts(database)));
        database.inTransaction(entities -> entities.persist(new Ghost("alice")));
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
        deleteGhost();
        assertThat(checker.check(USERNAME, "alice").decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(status("alice")).isEqualTo(Status.AVAILABLE);

        database.inTransaction(entities -> entities.persist(new Ghost("alice")));
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
        deleteGhost();
        ReadyCheckers.rescan(checker, USERNAME);
        assertThat(status("alice")).isEqualTo(Status.AVAILABLE);

        // No entity event tells of a restored row: such an application says so.
        checker.registrations()
                .bulk(
                        USERNAME,
                        () -> database.sql(
                                "update Ghost set deleted = false where id =" + " (select max(id) from Ghost)"));
        assertThat(status("alice")).isEqualTo(Status.TAKEN);
    }

    private String uniqueConstraint() {
        try (Connection connection = database.connection();
                PreparedStatement statement = connection.prepareStatement(
                        "select conname from pg_constraint where conrelid = 'ghost'::regclass and contype = 'u'");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
