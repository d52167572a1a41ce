package io.github.untaken.spring.boot;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spring.boot.app.Account;
import io.github.untaken.spring.boot.app.Accounts;
import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.spring.boot.constrained.ConstrainedApplication;
import io.github.untaken.spring.boot.unmarked.UnmarkedApplication;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManagerFactory;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import liquibase.changelog.StandardChangeLogHistoryService;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.integration.spring.SpringLiquibase;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jpa.EntityManagerFactoryBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

/** How an application starts: on migrations, twice in one JVM, without its database, with two of them, without anything marked. */
class StartTest {

    private static ConfigurableApplicationContext start(Class<?> application, String... more) {
        return start(new Class<?>[] {application}, more);
    }

    private static ConfigurableApplicationContext start(Class<?>[] sources, String... more) {
        List<String> properties = new ArrayList<>(List.of("--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID()));
        properties.addAll(List.of(more));
        return new SpringApplicationBuilder(sources)
                .properties("spring.jpa.hibernate.ddl-auto=create")
                .web(WebApplicationType.NONE)
                .run(properties.toArray(String[]::new));
    }

    private static Verdict.Status ask(ConfigurableApplicationContext context, String name) {
        return context.getBean(AvailabilityChecker.class).check(USERNAME, name).status();
    }

    /** Without the order a scan may pass before the script has run, and nobody tells of its rows. */
    @Test
    void rowsOfScriptsAndMigrationsAreTakenAsSoonAsTheApplicationHasStarted() {
        try (var context = start(
                SignUpApplication.class,
                "--spring.jpa.hibernate.ddl-auto=none",
                "--spring.flyway.enabled=true",
                "--spring.flyway.locations=classpath:untaken/migration")) {
            assertThat(ask(context, "carol")).isEqualTo(Verdict.Status.TAKEN);
            assertThat(context.getBeanFactory()
                            .getBeanDefinition("untakenAvailabilityChecker")
                            .getDependsOn())
                    .contains("dataSourceScriptDatabaseInitializer", "flywayInitializer");
        }
    }

    /** Runs beside the application, as JHipster's does: here when the test says so. */
    static final class AsynchronousLiquibase extends SpringLiquibase {
        @Override
        public void afterPropertiesSet() {}

        Connection connection() throws SQLException {
            return getDataSource().getConnection();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Migrating {

        @Bean
        AsynchronousLiquibase liquibase(DataSource dataSource) {
            AsynchronousLiquibase liquibase = new AsynchronousLiquibase();
            liquibase.setDataSource(dataSource);
            return liquibase;
        }
    }

    @Test
    void whatAMigrationWritesAfterTheStartIsTakenAsSoonAsItIsCommitted() throws SQLException {
        try (var context =
                start(new Class<?>[] {SignUpApplication.class, Migrating.class}, "--untaken.await-ready=30s")) {
            AvailabilityChecker checker = context.getBean(AvailabilityChecker.class);
            assertThat(ask(context, "carol")).isEqualTo(Verdict.Status.AVAILABLE);
            try (Connection connection =
                            context.getBean(AsynchronousLiquibase.class).connection();
                    var statement = connection.createStatement()) {
                assertThat(checker.state(USERNAME)).isEqualTo(KindState.DEGRADED);
                statement.execute("insert into account (id, username) values (-1, 'carol')");
                assertThat(ask(context, "carol")).isEqualTo(Verdict.Status.TAKEN);
            }
            assertThat(ask(context, "carol")).isEqualTo(Verdict.Status.TAKEN);
            Eventually.holds("ready again", () -> checker.state(USERNAME) == KindState.READY);
            assertThat(ask(context, "carol")).isEqualTo(Verdict.Status.TAKEN);
        }
    }

    /** As the actuator's endpoint liquibase does each time it is asked. */
    @Test
    void readingWhatHasBeenMigratedCostsNoScan() throws Exception {
        try (var context =
                start(new Class<?>[] {SignUpApplication.class, Migrating.class}, "--untaken.await-ready=30s")) {
            SpringLiquibase liquibase = context.getBean(SpringLiquibase.class);
            AvailabilityChecker checker = context.getBean(AvailabilityChecker.class);
            Duration age = checker.stats(USERNAME).scans().sinceLast().orElseThrow();
            try (Connection connection = liquibase.getDataSource().getConnection()) {
                StandardChangeLogHistoryService history = new StandardChangeLogHistoryService();
                history.setDatabase(DatabaseFactory.getInstance()
                        .findCorrectDatabaseImplementation(new JdbcConnection(connection)));
                assertThat(history.getRanChangeSets()).isEmpty();
                assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
            }
            assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
            assertThat(checker.stats(USERNAME).scans().sinceLast().orElseThrow())
                    .as("the last scan is that of before")
                    .isGreaterThan(age);
        }
    }

    /** A second table of the same kind, for instance. */
    @Configuration(proxyBeanMethods = false)
    static class OwnSource {

        @Bean
        IdentifierSource formerNames() {
            return new FormerNames();
        }
    }

    @Test
    void aSourceOfTheApplicationIsAddedToItsEntities() {
        try (var context =
                start(new Class<?>[] {SignUpApplication.class, OwnSource.class}, "--untaken.await-ready=30s")) {
            assertThat(ask(context, "former")).isEqualTo(Verdict.Status.TAKEN);
            assertThat(ask(context, "alice")).isEqualTo(Verdict.Status.AVAILABLE);
            context.getBean(Accounts.class).save(new Account("alice"));
            assertThat(ask(context, "alice")).isEqualTo(Verdict.Status.TAKEN);
            assertThat(context.getBean(AvailabilityChecker.class).state(USERNAME))
                    .isEqualTo(KindState.READY);
        }
    }

    /** As whoever leaves out a kind, or counts reads, has it. */
    @Configuration(proxyBeanMethods = false)
    static class OwnSourceOfTheEntities {

        @Bean
        IdentifierSource ofTheAccounts(EntityManagerFactory factory) {
            JpaIdentifiers followed = JpaIdentifiers.of(factory);
            return followed.withStores(followed.stores());
        }
    }

    @Test
    void entitiesThatTheApplicationFollowsItselfAreFollowedOnce() {
        try (var context = start(
                new Class<?>[] {SignUpApplication.class, OwnSourceOfTheEntities.class}, "--untaken.await-ready=30s")) {
            assertThat(ask(context, "alice")).isEqualTo(Verdict.Status.AVAILABLE);
            context.getBean(Accounts.class).save(new Account("alice"));
            assertThat(ask(context, "alice")).isEqualTo(Verdict.Status.TAKEN);
        }
    }

    /** As the cache of test contexts keeps them. */
    @Test
    @Tag("ci")
    void twoApplicationsInOneJvmKnowTheirOwnNamesOnly() {
        try (var first = start(SignUpApplication.class, "--untaken.await-ready=30s");
                var second = start(SignUpApplication.class, "--untaken.await-ready=30s")) {
            first.getBean(Accounts.class).save(new Account("alice"));
            assertThat(ask(first, "alice")).isEqualTo(Verdict.Status.TAKEN);
            assertThat(ask(second, "alice")).isEqualTo(Verdict.Status.AVAILABLE);
            assertThat(first.getBean(AvailabilityChecker.class).state(USERNAME)).isEqualTo(KindState.READY);
        }
    }

    @Test
    @Tag("ci")
    void withoutAMarkedAttributeTheApplicationIsLeftAlone() {
        try (var context = start(UnmarkedApplication.class)) {
            assertThat(context.getBeanProvider(AvailabilityChecker.class).getIfAvailable())
                    .isNull();
        }
    }

    @Test
    void theConstraintOnAnEntityIsRefusedWithWhereItBelongs() {
        Throwable failure =
                catchThrowable(() -> start(ConstrainedApplication.class).close());
        var analysis = Refusals.of(failure);
        assertThat(analysis.getDescription()).contains("constrained.Person").contains("form object");
    }

    /** A pool that gives no connection until the database is there. */
    @Configuration(proxyBeanMethods = false)
    static class LateDatabase {
        static volatile boolean there;

        @Bean
        DataSource dataSource() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:late;DB_CLOSE_DELAY=-1");
            return new AbstractDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    if (!there) {
                        throw new SQLException("down", "08001");
                    }
                    return database.getConnection();
                }

                @Override
                public Connection getConnection(String user, String password) throws SQLException {
                    return getConnection();
                }

                @Override
                public PrintWriter getLogWriter() {
                    return new PrintWriter(System.err, true);
                }
            };
        }
    }

    @Test
    void withTheDatabaseDownItStartsAndKnowsNothingUntilItComes() throws SQLException {
        try (var context = start(
                new Class<?>[] {SignUpApplication.class, LateDatabase.class},
                "--spring.jpa.hibernate.ddl-auto=none",
                "--spring.sql.init.mode=never",
                "--spring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access=false",
                "--spring.jpa.properties.hibernate.dialect=org.hibernate.dialect.H2Dialect")) {
            assertThat(ask(context, "alice")).isEqualTo(Verdict.Status.UNKNOWN);

            LateDatabase.there = true;
            try (Connection connection = context.getBean(DataSource.class).getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("create table account (id bigint primary key, username varchar(64) unique)");
                statement.execute("insert into account values (1, 'alice')");
            }
            context.getBean(AvailabilityChecker.class).rescan(USERNAME);
            Eventually.holds("known", () -> ask(context, "alice") == Verdict.Status.TAKEN);
        }
    }

    /** A second unit over a database of its own, beside the one that Spring Boot makes. */
    @Configuration(proxyBeanMethods = false)
    static class TwoUnits {

        @Bean
        @Primary
        LocalContainerEntityManagerFactoryBean entityManagerFactory(
                EntityManagerFactoryBuilder builder, DataSource dataSource) {
            return builder.dataSource(dataSource)
                    .packages(Account.class)
                    .persistenceUnit("first")
                    .build();
        }

        @Bean(defaultCandidate = false)
        LocalContainerEntityManagerFactoryBean secondUnit(EntityManagerFactoryBuilder builder) {
            JdbcDataSource other = new JdbcDataSource();
            other.setURL("jdbc:h2:mem:second;DB_CLOSE_DELAY=-1");
            return builder.dataSource(other)
                    .packages(Account.class)
                    .persistenceUnit("second")
                    .build();
        }
    }

    @Test
    @Tag("ci")
    void allPersistenceUnitsAreHeard() {
        try (var context =
                start(new Class<?>[] {SignUpApplication.class, TwoUnits.class}, "--untaken.await-ready=30s")) {
            assertThat(ask(context, "alice")).isEqualTo(Verdict.Status.AVAILABLE);
            EntityManagerFactory second = context.getBean("secondUnit", EntityManagerFactory.class);
            second.runInTransaction(entities -> entities.persist(new Account("alice")));
            assertThat(ask(context, "alice")).isEqualTo(Verdict.Status.TAKEN);
            assertThat(context.getBean(AvailabilityChecker.class).kinds()).containsExactly(IdentifierKind.USERNAME);
        }
    }

    @Test
    @Tag("ci")
    void lazyBeansDoNotKeepTheCheckerFromStarting() {
        try (var context = start(SignUpApplication.class, "--spring.main.lazy-initialization=true")) {
            assertThat(context.getBeanFactory().containsSingleton("untakenAvailabilityChecker"))
                    .isTrue();
        }
    }
}
