package io.github.untaken.spring.boot;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Obstacle;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spring.boot.app.Account;
import io.github.untaken.spring.boot.app.Accounts;
import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.testkit.Eventually;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Contexts of one test run that are kept for later tests, on one PostgreSQL. */
@Tag("ci")
class KeptContextsTest {

    private static ConfigurableApplicationContext start(EmbeddedPostgres server) {
        return new SpringApplicationBuilder(SignUpApplication.class)
                .properties(
                        "spring.jpa.hibernate.ddl-auto=update",
                        "spring.datasource.username=postgres",
                        "spring.datasource.url=jdbc:postgresql://localhost:" + server.getPort() + "/postgres",
                        "untaken.await-ready=1h")
                .web(WebApplicationType.NONE)
                .run();
    }

    private static AvailabilityChecker checker(ConfigurableApplicationContext context) {
        return context.getBean(AvailabilityChecker.class);
    }

    @Test
    @Timeout(120)
    void theSecondDoesNotWaitForTheFirstToEndAndTakesOverWhenItHas() throws IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
            ConfigurableApplicationContext first = start(server);
            try (ConfigurableApplicationContext second = start(server)) {
                assertThat(checker(second).stats(USERNAME).obstacles()).contains(Obstacle.OTHER_WRITER);
                first.getBean(Accounts.class).save(new Account("alice"));
                assertThat(checker(second).check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);

                first.close();
                Eventually.holds("alone", () -> checker(second).state(USERNAME) == KindState.READY);
                assertThat(checker(second).stats(USERNAME).obstacles()).isEmpty();
                assertThat(checker(second).check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
            } finally {
                first.close();
            }
        }
    }
}
