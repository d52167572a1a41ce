package io.github.untaken.jpa.lines;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.jpa.plain.Guest;
import io.github.untaken.jpa.plain.Visitor;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.transaction.jta.platform.internal.NoJtaPlatform;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.hibernate.service.Service;
import org.hibernate.service.spi.InjectService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A factory whose writes would not be heard is answered by the database, and the log says what is missing. */
class HearingTest {
    private static final AtomicLong NUMBER = new AtomicLong();

    /** Leads to a database, and knows nothing else. */
    private static class OwnProvider implements ConnectionProvider {
        private final String url;

        OwnProvider(String url) {
            this.url = url;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return DriverManager.getConnection(url, "sa", "");
        }

        @Override
        public void closeConnection(Connection connection) throws SQLException {
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

    /** Hibernate gives it a service by an annotation, which a proxy does not have. */
    public static final class WantsServices extends OwnProvider {
        private static final AtomicLong MADE = new AtomicLong();
        private static final AtomicReference<@Nullable ConfigurationService> GIVEN = new AtomicReference<>();

        public WantsServices() {
            super(HearingTest.url());
            MADE.incrementAndGet();
        }

        @InjectService
        public void setConfiguration(ConfigurationService services) {
            GIVEN.set(services);
        }
    }

    /** Has one connection for all who ask, as long as that is shared. */
    private static final class OneForAll extends OwnProvider {
        private final Connection one;
        private volatile boolean shared = true;

        OneForAll(String url) throws SQLException {
            super(url);
            one = super.getConnection();
        }

        @Override
        public Connection getConnection() throws SQLException {
            return shared ? one : super.getConnection();
        }

        @Override
        public void closeConnection(Connection connection) throws SQLException {
            if (connection != one) {
                super.closeConnection(connection);
            }
        }
    }

    private static String url() {
        return "jdbc:h2:mem:hearing" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1";
    }

    private static <S extends Service> SessionFactory factory(String url, Class<S> role, S service) {
        var services = new StandardServiceRegistryBuilder()
                .applySetting("hibernate.connection.url", url)
                .applySetting("hibernate.connection.username", "sa")
                .applySetting("hibernate.connection.password", "")
                .applySetting("hibernate.transaction.jta.platform", NoJtaPlatform.class.getName())
                .applySetting("hibernate.hbm2ddl.auto", "create")
                .addService(role, service)
                .build();
        return new MetadataSources(services)
                .addAnnotatedClass(Visitor.class)
                .addAnnotatedClass(Guest.class)
                .buildMetadata()
                .buildSessionFactory();
    }

    private static AvailabilityChecker checkerOf(SessionFactory factory) {
        return AvailabilityChecker.builder()
                .source(JpaIdentifiers.of(factory))
                .normalizer(IdentifierKind.EMAIL, UsernameNormalizer.defaults())
                .recheckTimeout(Duration.ofMinutes(1))
                .singleWriter(false)
                .build();
    }

    private static void assertAnsweredByTheDatabase(SessionFactory factory, String missing) {
        try (factory;
                AvailabilityChecker checker = checkerOf(factory)) {
            Eventually.holds(
                    "said, or not found out",
                    () -> checker.stats(USERNAME).reason().contains("are not seen")
                            || checker.state(USERNAME) == KindState.READY);
            assertThat(checker.stats(USERNAME).reason()).contains("are not seen", missing);
            factory.inTransaction(session -> session.persist(new Visitor("alice.w", null)));
            assertThat(checker.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.check(USERNAME, "bobby77").status()).isEqualTo(Status.AVAILABLE);
            assertThat(checker.state(USERNAME)).isNotEqualTo(KindState.READY);
        }
    }

    @Test
    void aProviderThatStandsInTheRegistryItselfIsNotHeard() {
        String url = url();
        assertAnsweredByTheDatabase(factory(url, ConnectionProvider.class, new OwnProvider(url)), "ConnectionProvider");
    }

    @Test
    void aMakerOfTransactionCoordinatorsThatStandsInTheRegistryItselfIsNotAsked() {
        assertAnsweredByTheDatabase(
                factory(url(), TransactionCoordinatorBuilder.class, new EveryLineTest.OwnCoordinators()),
                "TransactionCoordinatorBuilder");
    }

    /** Named by the setting, a provider of the application's own is heard as any other. */
    @Test
    void aProviderThatASettingNamesIsHeard() {
        String url = url();
        try (LineDatabase database = LineDatabase.with(
                        "hibernate.connection.provider_class", new OwnProvider(url), Visitor.class, Guest.class);
                AvailabilityChecker checker = checkerOf(database.sessions())) {
            Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
            database.inTransaction(entities -> {
                entities.persist(new Visitor("alice.w", null));
                return null;
            });
            assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
            assertThat(checker.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void aProviderIsMadeOnceAndGivenTheServicesThatItWants() {
        try (LineDatabase database = LineDatabase.with(
                "hibernate.connection.provider_class", WantsServices.class.getName(), Visitor.class, Guest.class)) {
            assertThat(database.sessions().isOpen()).isTrue();
            assertThat(WantsServices.MADE).hasValue(1);
            assertThat(WantsServices.GIVEN.get()).isNotNull();
        }
    }

    @Test
    void aConnectionThatTwoSessionsHaveIsWrittenOverUntilTheLastHasGivenItBack() throws SQLException {
        OneForAll provider = new OneForAll(url());
        try (LineDatabase database =
                        LineDatabase.with("hibernate.connection.provider_class", provider, Visitor.class, Guest.class);
                var one = database.sessions().openSession();
                var other = database.sessions().openSession()) {
            one.beginTransaction();
            one.doWork(Connection::getAutoCommit);
            other.beginTransaction();
            other.doWork(Connection::getAutoCommit);
            one.getTransaction().commit();
            one.close();
            provider.shared = false;
            try (AvailabilityChecker checker = checkerOf(database.sessions())) {
                // Time enough for a scan, had it overlooked the session.
                for (int i = 0; i < 10_000 && checker.state(USERNAME) != KindState.READY; i++) {
                    assertThat(checker.check(USERNAME, "nobody" + i).available())
                            .isTrue();
                }
                other.persist(new Visitor("alice.w", null));
                other.getTransaction().commit();
                assertThat(checker.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
                other.close();
                Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
                assertThat(checker.check(USERNAME, "alice.w").status()).isEqualTo(Status.TAKEN);
            }
        }
    }

    /** What is left behind in a session by a rollback would run in its next transaction. */
    @Test
    void nothingOfOursIsLeftInASessionByARollback() {
        try (LineDatabase database = new LineDatabase(Visitor.class, Guest.class);
                AvailabilityChecker checker = checkerOf(database.sessions())) {
            Eventually.holds("READY", () -> checker.state(USERNAME) == KindState.READY);
            try (var session = database.sessions().openSession()) {
                session.beginTransaction();
                session.persist(new Visitor("alice.w", null));
                session.flush();
                session.getTransaction().rollback();
                session.clear();
                session.beginTransaction();
                session.persist(new Visitor("bobby77", null));
                session.getTransaction().commit();
            }
            assertThat(checker.check(USERNAME, "bobby77").status()).isEqualTo(Status.TAKEN);
        }
    }
}
