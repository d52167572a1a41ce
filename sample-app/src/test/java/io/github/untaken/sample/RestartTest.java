package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.sample.console.StartupException;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
class RestartTest {
    @TempDir
    private Path data;

    @Test
    void theSecondStartDoesNotSeedAgain() throws Exception {
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        try (SignUpSite site = Sites.start(data, Sites.into(first))) {
            assertThat(new Client(site.address()).signUp("first.start").status())
                    .isEqualTo(201);
        }
        ByteArrayOutputStream second = new ByteArrayOutputStream();
        try (SignUpSite site = Sites.start(data, Sites.into(second), "--users", "5")) {
            Client client = new Client(site.address());
            assertThat(client.check("first.start")).isEqualTo("taken");
            assertThat(client.check(MadeUpAccounts.username(Sites.USERS - 1))).isEqualTo("taken");
            assertThat(client.get("/stats").number("seededUsers")).isEqualTo(Sites.USERS);
        }
        assertThat(first.toString(StandardCharsets.UTF_8))
                .contains("Seeding 2,000 accounts")
                .contains("Ready: http://");
        assertThat(second.toString(StandardCharsets.UTF_8))
                .doesNotContain("Seeding")
                .contains("--users has no effect")
                .contains("Ready: http://localhost:");
    }

    @Test
    void anInterruptedSeedingStartsOver() throws Exception {
        Files.createDirectories(data);
        Files.writeString(data.resolve("accounts-seeding.mv.db"), "half of a database");
        try (SignUpSite site = Sites.start(data)) {
            assertThat(new Client(site.address()).check(MadeUpAccounts.username(0)))
                    .isEqualTo("taken");
        }
        assertThat(data.resolve("accounts-seeding.mv.db")).doesNotExist();
    }

    @Test
    void answersFromTheDatabaseWhileWarmingUp() throws Exception {
        Sites.start(data).close();
        try (Connection open = Sites.connect(data);
                Statement statement = open.createStatement()) {
            // The first scan waits until every transaction with writes has ended.
            open.setAutoCommit(false);
            statement.execute("update account set version = version + 1 where id = 1");
            try (SignUpSite site = Sites.start(data)) {
                Client client = new Client(site.address());
                assertThat(client.check(MadeUpAccounts.username(5))).isEqualTo("taken");
                assertThat(client.check("while.warming.up")).isEqualTo("available");
                assertThat(client.signUp("while.warming.up").status()).isEqualTo(201);
                assertThat(client.check("while.warming.up")).isEqualTo("taken");
                assertThat(client.get("/stats").body()).doesNotContain("READY").contains("WARMING");
                assertThat(client.get("/stats").number("databaseQueries")).isPositive();
                open.rollback();
                Sites.awaitReady(client);
                assertThat(client.check("while.warming.up")).isEqualTo("taken");
            }
        }
    }

    /** The attribute says that it holds keys, which is believed until the scan has come to the row that does not. */
    @Test
    void aDisplayFormWrittenByAnotherProgramIsTakenOnceScanned() throws Exception {
        Sites.start(data).close();
        try (Connection connection = Sites.connect(data);
                Statement statement = connection.createStatement()) {
            statement.execute("insert into account (username, display_name, created, version) values"
                    + " ('Alice.Shown', 'Alice.Shown', current_timestamp, 0)");
        }
        try (SignUpSite site = Sites.start(data)) {
            Client client = new Client(site.address());
            Sites.awaitReady(client);
            for (String form : new String[] {"alice.shown", "Alice.Shown", "ALICE.SHOWN"}) {
                assertThat(client.check(form)).isEqualTo("taken");
            }
        }
    }

    @Test
    void limitsAClientOnlyWhereAsked() throws Exception {
        try (SignUpSite site = Sites.start(data, "--client-limit", "5")) {
            Client client = new Client(site.address());
            for (int i = 0; i < 5; i++) {
                assertThat(client.check("limited." + i)).isEqualTo("available");
            }
            // On a slow machine another has come back meanwhile, one in 12 seconds.
            Eventually.holds("a refusal", () -> client.check("limited").equals("HTTP 429"));
            assertThat(client.raw("GET /availability?username=limited", ""))
                    .startsWith("HTTP/1.1 429 ")
                    .contains("Retry-After: ");
        }
    }

    @Test
    void aDirectoryServesOneSiteAtATime() throws Exception {
        try (SignUpSite site = Sites.start(data)) {
            assertThat(site.address()).startsWith("http://localhost:");
            assertThatThrownBy(() -> Sites.start(data))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("in use by another process");
        }
    }

    @Test
    void aPortInUseIsSaidBeforeSeeding() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            String port = String.valueOf(taken.getLocalPort());
            ByteArrayOutputStream lines = new ByteArrayOutputStream();
            assertThatThrownBy(() -> SignUpSite.start(
                            Options.parse(java.util.List.of("--port", port, "--data", data.toString())),
                            Sites.into(lines)))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("port " + port);
            assertThat(lines.toString(StandardCharsets.UTF_8)).isEmpty();
        }
    }

    @Test
    void aDatabaseThatAnotherProgramHasOpenIsNotToBeDeleted() throws Exception {
        Sites.start(data).close();
        try (FileChannel file = FileChannel.open(data.resolve("accounts.mv.db"), StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> Sites.start(data))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("another program has it open")
                    .hasMessageNotContaining("delete");
        }
        Sites.start(data).close();
    }

    @Test
    void aForeignFileIsNotOverwritten() throws Exception {
        Path file = Files.writeString(data.resolve("accounts.mv.db"), "something else");
        assertThatThrownBy(() -> Sites.start(data))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("cannot be opened");
        assertThat(file).hasContent("something else");
    }
}
