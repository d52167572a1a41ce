package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills a real process as {@code kill -9} does. More rounds by {@code -Dsample.kills=100}. */
class KillTest {
    private static final int KILLS = Integer.getInteger("sample.kills", 3);

    @TempDir
    private Path data;

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void whatWasAnswered201IsTakenAfterAKill() throws Exception {
        List<String> registered = new ArrayList<>();
        for (int round = 0; round < KILLS; round++) {
            Process process = launch();
            try {
                Client client = new Client(ready(process));
                for (String name : registered) {
                    assertThat(client.check(name))
                            .as("the first answer after round %s", round)
                            .isEqualTo("taken");
                }
                for (int i = 0; i < 5; i++) {
                    String name = "kill." + round + "." + i;
                    assertThat(client.signUp(name).status()).isEqualTo(201);
                    registered.add(name);
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        try (SignUpSite site = Sites.start(data)) {
            Client client = new Client(site.address());
            assertThat(registered.stream().map(client::check)).containsOnly("taken");
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void endsInGoodOrderWhenAskedTo() throws Exception {
        Process process = launch();
        Client client = new Client(ready(process));
        assertThat(client.signUp("before.term").status()).isEqualTo(201);
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        try (SignUpSite site = Sites.start(data)) {
            assertThat(new Client(site.address()).check("before.term")).isEqualTo("taken");
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void startsAgainAfterItWasEndedWhileSeeding() throws Exception {
        Process process = launch("--port", "0", "--users", "20000000", "--data", data.toString());
        try {
            awaitLine(process, "Seeding: ");
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        try (SignUpSite site = Sites.start(data)) {
            Client client = new Client(site.address());
            assertThat(client.check(MadeUpAccounts.username(0))).isEqualTo("taken");
            assertThat(client.get("/stats").number("seededUsers")).isEqualTo(Sites.USERS);
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void startsAgainAfterItWasEndedDuringAnExperiment() throws Exception {
        Process process = launch();
        try {
            Client client = new Client(ready(process));
            assertThat(client.signUp("before.experiment").status()).isEqualTo(201);
            Thread running = new Thread(() -> {
                try {
                    client.post("/experiment", "checks=1000000");
                } catch (IllegalStateException e) {
                    // the site ended before it answered
                }
            });
            running.start();
            Sites.await("progress", () -> client.get("/experiment").body().contains("\"running\":true"));
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            running.join();
        } finally {
            process.destroyForcibly();
        }
        try (SignUpSite site = Sites.start(data)) {
            assertThat(new Client(site.address()).check("before.experiment")).isEqualTo("taken");
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aDirectoryThatCannotBeMadeIsOneLineAndExitCodeTwo() throws Exception {
        Path below = Files.writeString(data.resolve("file"), "").resolve("directory");
        Process process = launch("--port", "0", "--users", "10", "--data", below.toString());
        String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(errors.lines()).hasSize(1);
        assertThat(errors).contains("--data", "name another directory");
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aBadOptionIsOneLineAndExitCodeTwo() throws Exception {
        Process process = launch("--port", "nonsense");
        String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(errors.lines()).hasSize(1);
        assertThat(errors).contains("--port", "nonsense");
    }

    private Process launch(String... instead) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                SignUpSite.class.getName()));
        command.addAll(
                instead.length > 0
                        ? List.of(instead)
                        : List.of("--port", "0", "--users", "2000", "--data", data.toString()));
        return new ProcessBuilder(command).start();
    }

    private static String ready(Process process) throws IOException {
        return awaitLine(process, "Ready: ");
    }

    /** What follows this prefix in the first line that has it. */
    private static String awaitLine(Process process, String prefix) throws IOException {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(prefix)) {
                return line.substring(prefix.length());
            }
        }
        throw new AssertionError("the site did not start: "
                + new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    }
}
