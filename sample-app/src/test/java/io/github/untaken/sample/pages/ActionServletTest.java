package io.github.untaken.sample.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.Client;
import io.github.untaken.sample.Client.Reply;
import io.github.untaken.sample.HeldInserts;
import io.github.untaken.sample.SignUpSite;
import io.github.untaken.sample.Sites;
import io.github.untaken.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What the buttons of the dashboard do to the site. */
@Tag("ci")
class ActionServletTest {
    @TempDir
    private Path data;

    private SignUpSite site;
    private Client client;

    private void start(String... options) throws Exception {
        site = Sites.start(data, options);
        client = new Client(site.address());
        Sites.awaitReady(client);
    }

    @AfterEach
    void stop() {
        if (site != null) {
            site.close();
        }
    }

    @Test
    void namesImportedBehindItsBackAreCountedUntilARescan() throws Exception {
        start("--audit-rows", "0");
        assertThat(client.get("/stats").member("example")).isEmpty();
        assertThat(client.post("/actions/import", "").status()).isEqualTo(200);
        Reply stats = client.get("/stats");
        // All but those the filter takes for taken by accident.
        assertThat(stats.number("unknown")).isBetween(49_900L, 50_000L);
        assertThat(stats.number("checks")).as("the count is no traffic").isZero();
        assertThat(stats.member("state")).isEqualTo("READY");
        assertThat(imported()).isEqualTo(50_000);
        String example = stats.member("example");
        assertThat(client.check(example)).as("the documented limit").isEqualTo("available");
        assertThat(client.signUp(example).status()).as("the last judge").isEqualTo(409);
        Eventually.holds("the refused name", () -> client.check(example).equals("taken"));
        String another = example.replaceAll("00000$", "00001");
        assertThat(client.check(another)).isEqualTo("available");
        assertThat(client.post("/actions/rebuild", "").status()).isEqualTo(200);
        Eventually.holds("all known", () -> client.get("/stats").number("unknown") == 0);
        assertThat(client.check(another)).isEqualTo("taken");
    }

    @Test
    void anAuditNoticesTheImportAndTheDatabaseAnswersUntilTheRescanHasEnded() throws Exception {
        start("--audit-seconds", "1");
        assertThat(client.post("/actions/import", "").status()).isEqualTo(200);
        String example = client.get("/stats").member("example");
        Eventually.holds(
                "the loss of trust",
                () -> client.get("/stats").body().contains("\"what\":\"degraded\",\"about\":\"username\""));
        assertThat(client.check(example)).isEqualTo("taken");
        assertThat(client.get("/stats").body()).contains("\"what\":\"miss\",\"about\":\"username\"");
        Sites.awaitReady(client);
        assertThat(client.check(example)).isEqualTo("taken");
        Eventually.holds("all known", () -> client.get("/stats").number("unknown") == 0);
    }

    @Test
    void aStoppedDatabaseLeavesFreeNamesFreeAndTheRestUnknown() throws Exception {
        start();
        assertThat(client.signUp("before.the.stop").status()).isEqualTo(201);
        assertThat(client.post("/actions/stop", "").member("databaseRuns")).isEqualTo("false");
        assertThat(client.check("before.the.stop")).isEqualTo("HTTP 503");
        assertThat(client.check("free.all.the.while")).isEqualTo("available");
        assertThat(client.signUp("while.stopped").status()).isEqualTo(503);
        assertThat(client.post("/actions/import", "").status()).isEqualTo(503);
        assertThat(client.post("/actions/stop", "").member("reason")).isEqualTo("stopped");
        assertThat(client.post("/actions/rebuild", "").status()).isEqualTo(200); // tried until it can be done
        assertThat(client.post("/actions/start", "").member("databaseRuns")).isEqualTo("true");
        assertThat(client.post("/actions/start", "").member("reason")).isEqualTo("started");
        assertThat(client.check("before.the.stop")).isEqualTo("taken");
        assertThat(client.check("while.stopped")).isEqualTo("available");
        assertThat(client.signUp("while.stopped").status()).isEqualTo(201);
        Eventually.holds(
                "the rebuild", () -> client.get("/stats").body().split("\"what\":\"rebuilt\"", -1).length >= 5);
        Sites.awaitReady(client);
        assertThat(client.check("while.stopped")).isEqualTo("taken");
    }

    private static boolean hasProc() {
        return Files.isDirectory(Path.of("/proc/self/fd"));
    }

    @Test
    @EnabledIf("hasProc")
    void aStoppedDatabaseHasClosedItsFile() throws Exception {
        start();
        assertThat(openFiles()).isNotZero();
        client.post("/actions/stop", "");
        assertThat(openFiles()).isZero();
        client.post("/actions/start", "");
        assertThat(openFiles()).isNotZero();
    }

    private long openFiles() throws IOException {
        Path file = data.resolve("accounts.mv.db").toRealPath();
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(each -> {
                        try {
                            return Files.readSymbolicLink(each).equals(file);
                        } catch (java.nio.file.NoSuchFileException e) {
                            return false; // closed since
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .count();
        }
    }

    @Test
    void aSiteWhoseDatabaseIsStoppedEndsAndStartsAgain() throws Exception {
        start();
        client.signUp("before.the.end");
        client.post("/actions/stop", "");
        site.close();
        start();
        assertThat(client.check("before.the.end")).isEqualTo("taken");
    }

    @Test
    void oneThingAtATime() throws Exception {
        start("--audit-rows", "0");
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<Reply> run = threads.submit(() -> client.post("/experiment", "checks=1000000"));
            Eventually.holds(
                    "progress", () -> client.get("/stats").body().contains("\"what\":\"experiment\",\"mode\""));
            for (String action : new String[] {"burst", "import", "rebuild", "stop", "start"}) {
                Reply refused = client.post("/actions/" + action, "");
                assertThat(refused.status()).isEqualTo(409);
                assertThat(refused.member("reason")).isEqualTo("running");
            }
            client.withForm("DELETE", "/experiment", "");
            assertThat(run.get(20, TimeUnit.SECONDS).member("reason")).isEqualTo("cancelled");
            assertThat(client.post("/actions/rebuild", "").status()).isEqualTo(200);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void anImportThatIsCutShortInsertsNothing() throws Exception {
        start("--audit-rows", "0");
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (HeldInserts inserts = HeldInserts.after(20_000, data)) {
            Future<Reply> run = threads.submit(() -> client.post("/actions/import", ""));
            inserts.awaitOne();
            assertThat(client.get("/stats").body()).contains("\"what\":\"import\",\"done\":20000,");
            Future<?> closing = threads.submit(site::close);
            Eventually.holds("the end of all answers", () -> !answers());
            inserts.release();
            closing.get(60, TimeUnit.SECONDS);
            try {
                run.get(20, TimeUnit.SECONDS);
            } catch (java.util.concurrent.ExecutionException e) {
                // the site ended before it answered
            }
        } finally {
            threads.shutdownNow();
        }
        start();
        assertThat(imported()).isZero();
    }

    private boolean answers() {
        try {
            return client.get("/stats").status() == 200;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Test
    void refusesOthersMethodsAndOtherSites() throws Exception {
        start();
        assertThat(client.get("/actions/stop").status()).isEqualTo(405);
        assertThat(client.post("/actions/format", "").status()).isEqualTo(404);
        for (String action : new String[] {"burst", "import", "rebuild", "stop", "start"}) {
            assertThat(client.post("/actions/" + action, "", "Sec-Fetch-Site", "cross-site")
                            .status())
                    .isEqualTo(403);
        }
        assertThat(client.get("/stats").body()).contains("\"database\":{\"running\":true");
    }

    private int imported() throws Exception {
        try (Connection connection = Sites.connect(data);
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("select count(*) from account where username like 'import.%'")) {
            result.next();
            return result.getInt(1);
        }
    }
}
