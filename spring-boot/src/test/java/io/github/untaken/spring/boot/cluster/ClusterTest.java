package io.github.untaken.spring.boot.cluster;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.GapReason;
import io.github.untaken.spring.boot.app.Account;
import io.github.untaken.spring.boot.app.Accounts;
import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.testkit.Eventually;
import io.micrometer.core.instrument.MeterRegistry;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Two applications on one PostgreSQL: one property makes each hear what the other, or anybody, commits. */
@Tag("ci")
class ClusterTest {

    private static ConfigurableApplicationContext start(EmbeddedPostgres server, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.datasource.url=jdbc:postgresql://localhost:" + server.getPort() + "/postgres",
                "--spring.datasource.username=postgres",
                "--untaken.cluster.enabled=true",
                "--untaken.cluster.create-publication=true",
                "--untaken.recheck-timeout=20s", // a machine that is busy with other tests
                "--untaken.cluster.latest=username"));
        arguments.addAll(List.of(more));
        return new SpringApplicationBuilder(SignUpApplication.class)
                .properties("spring.jpa.hibernate.ddl-auto=update")
                .web(WebApplicationType.NONE)
                .run(arguments.toArray(String[]::new));
    }

    private static Status ask(ConfigurableApplicationContext node, String name) {
        return node.getBean(AvailabilityChecker.class).check(USERNAME, name).status();
    }

    private static KindState state(ConfigurableApplicationContext node) {
        return node.getBean(AvailabilityChecker.class).state(USERNAME);
    }

    @Test
    void whatOneCommitsOrSomebodyAtAConsoleTheOtherCallsTaken() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("wal_level", "logical")
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .start();
                ConfigurableApplicationContext one = start(server, "--untaken.await-ready=30s");
                ConfigurableApplicationContext other = start(server, "--untaken.await-ready=30s");
                Connection console = server.getPostgresDatabase().getConnection();
                Statement statement = console.createStatement()) {
            Eventually.holds("both are ready", () -> state(one) == KindState.READY && state(other) == KindState.READY);
            for (int i = 0; i < 50; i++) {
                assertThat(ask(other, "alice" + i)).isEqualTo(Status.AVAILABLE);
                one.getBean(Accounts.class).save(new Account("alice" + i));
                assertThat(ask(other, "alice" + i)).isEqualTo(Status.TAKEN);
                statement.executeUpdate(
                        "insert into account (id, username) values (" + (1_000_000 + i) + ", 'bob" + i + "')");
                assertThat(ask(one, "bob" + i)).isEqualTo(Status.TAKEN);
                assertThat(ask(other, "bob" + i)).isEqualTo(Status.TAKEN);
            }
            assertThat(other.getBean(AvailabilityChecker.class).stats(USERNAME).missesProved())
                    .isZero();
            MeterRegistry meters = other.getBean(MeterRegistry.class);
            assertThat(meters.get("untaken.log.told").functionCounter().count()).isGreaterThanOrEqualTo(100);
            assertThat(meters.get("untaken.log.lease.age").gauge().value()).isLessThan(60);
            assertThat(meters.get("untaken.log.unread").gauge()).isNotNull();
            assertThat(meters.get("untaken.log.held").gauge()).isNotNull();
            assertThat(other.getBean(AvailabilityChecker.class)
                            .stats(USERNAME)
                            .following()
                            .orElseThrow()
                            .latest())
                    .isTrue();
            statement.execute("alter publication untaken set (publish = 'insert, update')");
            Eventually.holds("a gap is counted", () -> gaps(meters, "altered") == 1);
            assertThat(meters.find("untaken.log.gaps").functionCounters()).hasSize(GapReason.values().length);
            assertThat(gaps(meters, "server")).isZero();
        }
    }

    private static double gaps(MeterRegistry meters, String reason) {
        return meters.get("untaken.log.gaps")
                .tag("kind", "username")
                .tag("reason", reason)
                .functionCounter()
                .count();
    }

    @Test
    void aRestartGoesOnWithWhatWasKept(@TempDir Path parent) throws Exception {
        String[] settings = {
            "--untaken.cluster.snapshots=" + parent.resolve("snapshots"),
            "--untaken.cluster.keep-slots=true",
            "--untaken.await-ready=30s"
        };
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("wal_level", "logical")
                        .setServerConfig("fsync", "on")
                        .start();
                Connection console = server.getPostgresDatabase().getConnection();
                Statement statement = console.createStatement()) {
            try (ConfigurableApplicationContext node = start(server, settings)) {
                node.getBean(Accounts.class).save(new Account("alice"));
                Eventually.holds("ready", () -> state(node) == KindState.READY);
            }
            statement.executeUpdate("insert into account (id, username) values (1000000, 'bob')");
            Instant begun = Instant.now();
            try (ConfigurableApplicationContext node = start(server, settings)) {
                Eventually.holds("ready", () -> state(node) == KindState.READY);
                for (String name : List.of("alice", "bob")) {
                    assertThat(ask(node, name)).isEqualTo(Status.TAKEN);
                }
                assertThat(ask(node, "carol")).isEqualTo(Status.AVAILABLE);
                Duration age = node.getBean(AvailabilityChecker.class)
                        .stats(USERNAME)
                        .scans()
                        .sinceLast()
                        .orElseThrow();
                assertThat(Instant.now().minus(age)).isBefore(begun);
            }
        }
    }

    @Test
    void aFeedOfAnotherDatabaseIsNotFollowed() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("wal_level", "logical")
                .start()) {
            try (Connection console = server.getPostgresDatabase().getConnection();
                    Statement statement = console.createStatement()) {
                statement.execute("create database copy");
            }
            try (Connection console = server.getDatabase("postgres", "copy").getConnection();
                    Statement statement = console.createStatement()) {
                statement.execute("create table account (id bigint primary key, username varchar(255) unique)");
            }
            try (ConfigurableApplicationContext node = start(
                    server,
                    "--untaken.cluster.url=jdbc:postgresql://localhost:" + server.getPort() + "/copy",
                    "--untaken.cluster.username=postgres")) {
                AvailabilityChecker checker = node.getBean(AvailabilityChecker.class);
                Eventually.holds(
                        "it says why", () -> checker.stats(USERNAME).reason().contains("another database"));
                node.getBean(Accounts.class).save(new Account("alice"));
                assertThat(ask(node, "alice")).isEqualTo(Status.TAKEN);
            }
        }
    }
}
