package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.Client.Reply;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site while its database is being seeded. */
class StartingTest {
    @TempDir
    private Path data;

    @Test
    void listensAtOnceAndShowsHowFarItIsUntilItAnswers() throws Exception {
        HeldConsole console = new HeldConsole();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<SignUpSite> starting =
                    threads.submit(() -> Sites.start(data, new PrintStream(console, true, StandardCharsets.UTF_8)));
            Eventually.holds("the seeding", () -> console.text().contains("Seeding"));
            assertThat(console.text())
                    .startsWith("Listening: http://localhost:")
                    .doesNotContain("Ready");
            Client client =
                    new Client(console.text().lines().findFirst().orElse("").substring("Listening: ".length()));
            assertThat(client.get("/").body())
                    .contains("<html lang=\"en\">", "id=\"starting\"")
                    .doesNotContain("{{");
            assertThat(client.get("/dashboard", "Accept-Language", "zh").body()).contains("<html lang=\"zh\">");
            assertThat(client.get("/style.css").status()).isEqualTo(200);
            Reply progress = client.get("/starting");
            assertThat(progress.member("started")).isEqualTo("false");
            assertThat(progress.member("step")).isEqualTo("accounts");
            assertThat(progress.number("users")).isEqualTo(Sites.USERS);
            // No name is called free by a site that cannot know.
            assertThat(client.check(MadeUpAccounts.username(0))).isEqualTo("HTTP 503");
            assertThat(client.signUp("too.early").status()).isEqualTo(503);
            assertThat(client.get("/stats").status()).isEqualTo(503);

            console.release();
            try (SignUpSite site = starting.get(60, TimeUnit.SECONDS)) {
                assertThat(console.text()).contains("Ready: " + site.address());
                assertThat(client.get("/starting").member("started")).isEqualTo("true");
                assertThat(client.get("/").body()).contains("id=\"race\"");
                assertThat(client.check(MadeUpAccounts.username(0))).isEqualTo("taken");
            }
        } finally {
            console.release();
            threads.shutdownNow();
        }
    }

    @Test
    void aSecondStartListensToo() throws Exception {
        Sites.start(data).close();
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try (SignUpSite site = Sites.start(data, Sites.into(lines))) {
            assertThat(lines.toString(StandardCharsets.UTF_8))
                    .startsWith("Listening: " + site.address())
                    .contains("Ready: " + site.address());
        }
    }
}
