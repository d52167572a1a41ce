package io.github.untaken.spring.boot.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An older line of Spring Boot, where nothing is configured: Hibernate 6.6 on a data source that the application has watched. */
@Tag("ci")
@EnabledIfSystemProperty(named = "test.boot.jpa", matches = "true")
class WatchedLineTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        private static final DataSource POOL =
                JdbcConnectionPool.create("jdbc:h2:mem:watched-line;DB_CLOSE_DELAY=-1", "sa", "");

        @Bean
        JdbcIdentifiers identifiers() {
            return JdbcIdentifiers.table(POOL, "patron", "username");
        }

        @Bean
        DataSource dataSource(JdbcIdentifiers identifiers) {
            return WatchedDataSource.of(POOL, identifiers);
        }
    }

    @Test
    void whatHibernateWritesIsKnownAtOnce() {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        assertThat(org.hibernate.Version.getVersionString()).startsWith("6.6.");
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (var context = application.run("--spring.main.banner-mode=off", "--spring.jpa.hibernate.ddl-auto=create");
                AvailabilityChecker checker = AvailabilityChecker.builder()
                        .source(context.getBean(JdbcIdentifiers.class))
                        .recheckTimeout(Duration.ofSeconds(30))
                        .build()) {
            EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
            Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
            assertFree(checker, "alice", "bob", "carol", "dave");

            in(factory, entities -> entities.persist(new Patron("alice")));
            assertTaken(checker, "alice");

            in(factory, entities -> find(entities, "alice").username = "bob");
            assertTaken(checker, "bob");
            assertFree(checker, "alice");

            assertThatThrownBy(() -> in(factory, entities -> {
                        entities.persist(new Patron("carol"));
                        entities.persist(new Patron("bob"));
                    }))
                    .isInstanceOf(PersistenceException.class);
            assertTaken(checker, "bob");
            assertFree(checker, "carol");

            in(factory, entities -> {
                entities.persist(new Patron("dave"));
                entities.flush();
                assertThat(checker.check(USERNAME, "dave").decidedBy()).isEqualTo(DecidedBy.STORE);
                entities.getTransaction().setRollbackOnly();
            });
            assertFree(checker, "dave");

            in(
                    factory,
                    entities -> entities.createNativeQuery("insert into patron (id, username) values (77, :name)")
                            .setParameter("name", "erin")
                            .executeUpdate());
            assertTaken(checker, "erin");

            in(factory, entities -> entities.remove(find(entities, "bob")));
            assertFree(checker, "bob");
        }
    }

    private static void in(EntityManagerFactory factory, Consumer<EntityManager> work) {
        try (EntityManager entities = factory.createEntityManager()) {
            entities.getTransaction().begin();
            try {
                work.accept(entities);
                if (!entities.getTransaction().getRollbackOnly()) {
                    entities.flush();
                }
            } catch (RuntimeException e) {
                entities.getTransaction().rollback();
                throw e;
            }
            if (entities.getTransaction().getRollbackOnly()) {
                entities.getTransaction().rollback();
            } else {
                entities.getTransaction().commit();
            }
        }
    }

    private static Patron find(EntityManager entities, String name) {
        return entities.createQuery("select p from Patron p where p.username = :name", Patron.class)
                .setParameter("name", name)
                .getSingleResult();
    }

    private static void assertTaken(AvailabilityChecker checker, String... names) {
        assertStatus(checker, Status.TAKEN, names);
    }

    private static void assertFree(AvailabilityChecker checker, String... names) {
        assertStatus(checker, Status.AVAILABLE, names);
    }

    private static void assertStatus(AvailabilityChecker checker, Status status, String... names) {
        for (String name : names) {
            assertThat(checker.check(USERNAME, name).status()).as(name).isEqualTo(status);
        }
        assertThat(checker.state(USERNAME)).as("nothing was unseen").isEqualTo(KindState.READY);
    }
}
