package io.github.untaken.spring.boot;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spring.boot.app.Account;
import io.github.untaken.spring.boot.app.Accounts;
import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.testkit.Eventually;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** On PostgreSQL a connection is kept for the mark of a writer. The smallest pools there are. */
@Tag("ci")
class PoolOfOneTest {

    private static ConfigurableApplicationContext start(EmbeddedPostgres server, String... more) {
        return new SpringApplicationBuilder(SignUpApplication.class)
                .properties(
                        "spring.jpa.hibernate.ddl-auto=update",
                        "spring.datasource.username=postgres",
                        "spring.datasource.hikari.connection-timeout=10000",
                        "spring.datasource.url=jdbc:postgresql://localhost:" + server.getPort() + "/postgres")
                .web(WebApplicationType.NONE)
                .run(more);
    }

    private static void signUp(ConfigurableApplicationContext context, String prefix) {
        AvailabilityChecker checker = context.getBean(AvailabilityChecker.class);
        for (int i = 0; i < 20; i++) {
            context.getBean(Accounts.class).save(new Account(prefix + i));
            assertThat(checker.check(USERNAME, prefix + i).status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void theApplicationHasItsOnlyConnectionAndTheDatabaseAnswers() throws IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                ConfigurableApplicationContext context =
                        start(server, "--spring.datasource.hikari.maximum-pool-size=1")) {
            AvailabilityChecker checker = context.getBean(AvailabilityChecker.class);
            signUp(context, "alice");
            Eventually.holds(
                    "scanned", () -> checker.stats(USERNAME).scans().sinceLast().isPresent());
            assertThat(checker.stats(USERNAME).reason()).contains("not marked as a writer");
            signUp(context, "bob");
            assertThat(checker.state(USERNAME)).isEqualTo(KindState.DEGRADED);
        }
    }

    @Test
    void whoSaysThatNobodyElseWritesHasMemoryAnswerAllTheSame() throws IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                ConfigurableApplicationContext context = start(
                        server,
                        "--spring.datasource.hikari.maximum-pool-size=1",
                        "--untaken.single-writer=false",
                        "--untaken.await-ready=30s")) {
            signUp(context, "alice");
            assertThat(context.getBean(AvailabilityChecker.class).state(USERNAME))
                    .isEqualTo(KindState.READY);
        }
    }

    @Test
    void aPoolOfTwoIsEnough() throws IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                ConfigurableApplicationContext context =
                        start(server, "--spring.datasource.hikari.maximum-pool-size=2", "--untaken.await-ready=30s")) {
            signUp(context, "alice");
            assertThat(context.getBean(AvailabilityChecker.class).state(USERNAME))
                    .isEqualTo(KindState.READY);
        }
    }
}
