package io.github.untaken.spring.boot.source;

import static io.github.untaken.IdentifierKind.USERNAME;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static io.github.untaken.Verdict.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.testkit.Eventually;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import liquibase.change.custom.CustomTaskChange;
import liquibase.database.Database;
import liquibase.exception.ValidationErrors;
import liquibase.integration.spring.SpringLiquibase;
import liquibase.resource.ResourceAccessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A change log that Liquibase works through beside the running application, change set by change set. */
@Tag("ci")
class BackgroundLiquibaseTest {
    private static final ExecutorService BESIDE = Executors.newSingleThreadExecutor();
    private static CountDownLatch pausing = new CountDownLatch(1);
    private static CountDownLatch goOn = new CountDownLatch(1);

    /** A change that tells the test where the log has come to, and waits for it. */
    public static final class Pause implements CustomTaskChange {
        @Override
        public void execute(Database database) {
            pausing.countDown();
            await(goOn);
        }

        @Override
        public String getConfirmationMessage() {
            return "went on";
        }

        @Override
        public void setUp() {}

        @Override
        public void setFileOpener(ResourceAccessor resources) {}

        @Override
        public ValidationErrors validate(Database database) {
            return new ValidationErrors();
        }
    }

    /** Begins when the test says so: an executor may be as late. */
    static final class Beside extends SpringLiquibase {
        @Override
        public void afterPropertiesSet() {}

        Future<?> begin() {
            return BESIDE.submit(() -> {
                super.afterPropertiesSet();
                return null;
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Migrating {
        @Bean
        Beside liquibase(DataSource dataSource) {
            Beside liquibase = new Beside();
            liquibase.setDataSource(dataSource);
            return liquibase;
        }
    }

    @BeforeEach
    void nothingHasBegun() {
        pausing = new CountDownLatch(1);
        goOn = new CountDownLatch(1);
    }

    @AfterEach
    void nothingWaits() {
        goOn.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ConfigurableApplicationContext start(String... more) {
        String[] properties = Arrays.copyOf(more, more.length + 1);
        properties[more.length] = "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID();
        return new SpringApplicationBuilder(SignUpApplication.class, Migrating.class)
                .web(WebApplicationType.NONE)
                .run(properties);
    }

    private static Verdict.Status ask(ConfigurableApplicationContext context, String name) {
        return context.getBean(AvailabilityChecker.class).check(USERNAME, name).status();
    }

    private static void goesOnToTheEnd(ConfigurableApplicationContext context, Future<?> migration) throws Exception {
        assertThat(ask(context, "carol")).isEqualTo(TAKEN);
        assertThat(context.getBean(AvailabilityChecker.class).state(USERNAME)).isNotEqualTo(KindState.READY);
        goOn.countDown();
        migration.get(1, TimeUnit.MINUTES);
        assertThat(ask(context, "carol")).isEqualTo(TAKEN);
        assertThat(ask(context, "dave")).isEqualTo(TAKEN);
        Eventually.holds(
                "ready", () -> context.getBean(AvailabilityChecker.class).state(USERNAME) == KindState.READY);
        assertThat(ask(context, "carol")).isEqualTo(TAKEN);
        assertThat(ask(context, "dave")).isEqualTo(TAKEN);
        assertThat(ask(context, "erin")).isEqualTo(AVAILABLE);
    }

    @Test
    void rowsOfAChangeLogAreTakenAsSoonAsTheirChangeSetIsCommitted() throws Exception {
        try (var context = start("--spring.jpa.hibernate.ddl-auto=create", "--untaken.await-ready=30s")) {
            assertThat(ask(context, "carol")).isEqualTo(AVAILABLE);
            Beside liquibase = context.getBean(Beside.class);
            liquibase.setChangeLog("classpath:untaken/liquibase/rows.xml");
            Future<?> migration = liquibase.begin();
            await(pausing);
            assertThat(ask(context, "dave")).isEqualTo(AVAILABLE);
            goesOnToTheEnd(context, migration);
        }
    }

    /** As on the very first start: even the table comes from the change log. */
    @Test
    void aTableThatTheChangeLogMakesIsKnownOnceItIsThere() throws Exception {
        try (var context = start("--spring.jpa.hibernate.ddl-auto=none")) {
            assertThat(ask(context, "carol")).isEqualTo(UNKNOWN);
            Beside liquibase = context.getBean(Beside.class);
            liquibase.setChangeLog("classpath:untaken/liquibase/fresh.xml");
            Future<?> migration = liquibase.begin();
            await(pausing);
            goesOnToTheEnd(context, migration);
        }
    }
}
