package io.github.untaken.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.sample.console.StartupException;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.testkit.Eventually;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kills a real process as {@code kill -9} does. More of it in CI by {@code -Dsample.kills=100}. */
class KillTest {
    private static final int ENDING_SECONDS = 60;
    private static final int KILLS = Integer.getInteger("sample.kills", 3);

    @TempDir
    private Path data;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void whatWasAnswered201IsTakenAfterAKill() throws Exception {
        kill(1);
    }

    @Test
    @Tag("ci")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void whatWasAnswered201IsTakenAfterManyKills() throws Exception {
        kill(KILLS);
    }

    private void kill(int kills) throws Exception {
        List<String> registered = new ArrayList<>();
        for (int round = 0; round < kills; round++) {
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
    @Tag("ci")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void endsInGoodOrderWhenAskedTo() throws Exception {
        Process process = launch();
        Client client = new Client(ready(process));
        assertThat(client.signUp("before.term").status()).isEqualTo(201);
        process.destroy();
        assertThat(process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)).isTrue();
        try (SignUpSite site = Sites.start(data)) {
            assertThat(new Client(site.address()).check("before.term")).isEqualTo("taken");
        }
    }

    @Test
    @Tag("ci")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void startsAgainAfterItWasEndedWhileSeeding() throws Exception {
        Process process = launch("--port", "0", "--users", "20000000", "--data", data.toString());
        try {
            awaitLine(process, "Seeding: ");
            process.destroy();
            assertThat(process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)).isTrue();
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
    @Tag("ci")
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
            Eventually.holds("progress", () -> client.get("/experiment").body().contains("\"running\":true"));
            process.destroy();
            assertThat(process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)).isTrue();
            running.join();
        } finally {
            process.destroyForcibly();
        }
        try (SignUpSite site = Sites.start(data)) {
            assertThat(new Client(site.address()).check("before.experiment")).isEqualTo("taken");
        }
    }

    @Test
    @Tag("ci")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void startsAgainAfterItWasEndedWhileWarmingUp() throws Exception {
        Process process = launch("--port", "0", "--users", "40000", "--data", data.toString());
        try {
            assertThat(ready(process)).startsWith("http://");
            process.toHandle().destroy(); // unlike the process itself, leaves its log readable
            assertThat(process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)).isTrue();
            String log = new String(process.getErrorStream().readAllBytes(), UTF_8);
            assumeTrue(!log.contains("phone is READY"), "it was warm before it could be ended");
        } finally {
            process.destroyForcibly();
        }
        try (SignUpSite site = Sites.start(data)) {
            Client client = new Client(site.address());
            assertThat(client.check(MadeUpAccounts.username(39_999))).isEqualTo("taken");
            assertThat(client.signUp("after.the.end").status()).isEqualTo(201);
        }
    }

    /** H2 closes its database then. A limit to the size of files stands for the disk. */
    @Test
    @Tag("ci")
    @EnabledIf("canLimitFiles")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void signsPeopleUpAgainOnceAFullDiskHasRoom() throws Exception {
        Process process = launch();
        try {
            Client client = new Client(ready(process));
            Sites.awaitReady(client);
            CompletableFuture.runAsync(() -> leaveUnread(process)); // or it would wait for whoever reads what it logs
            List<String> registered = new ArrayList<>();
            limitFiles(process, Files.size(data.resolve("accounts.mv.db")) + 200_000 + ":");
            for (int i = 0; client.signUp("full." + i).status() == 201; i++) {
                registered.add("full." + i);
                assertThat(registered).hasSizeLessThan(1_000);
            }
            assertThat(registered).isNotEmpty();
            assertThat(client.signUp("full.still").status()).isEqualTo(503);
            limitFiles(process, "unlimited:");
            Eventually.holds("a sign-up", () -> client.signUp("room.again").status() == 201);
            registered.add("room.again");
            Eventually.holds(
                    "all of them", () -> registered.stream().map(client::check).allMatch("taken"::equals));
            Eventually.holds("a free name", () -> client.check("nobody.yet").equals("available"));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void leaveUnread(Process process) {
        try {
            process.getErrorStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // it has ended
        }
    }

    private static void limitFiles(Process process, String bytes) throws Exception {
        assertThat(new ProcessBuilder("prlimit", "--pid", String.valueOf(process.pid()), "--fsize=" + bytes)
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private static boolean canLimitFiles() {
        return Stream.of("/usr/bin/prlimit", "/bin/prlimit").map(Path::of).anyMatch(Files::isExecutable);
    }

    private static boolean hasSys() {
        return Files.isDirectory(Path.of("/sys/kernel"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port nonsense | --port must be a whole number from 0 to 65535",
                "--port 65536 | --port must be a whole number",
                "--users -1 | --users must be a whole number from 0 to",
                "--colour red | unknown option '--colour'; --help lists the options",
                "--data {file} | is not a directory; name a directory",
                "--data {file}/below | cannot be written to",
                "--data {data} --headline {data}/none/picture.svg | its directory does not exist",
                "--data {data} --headline {data} | is a directory; name a file",
                "--data {data} --headline {file}/picture.svg | cannot be written",
                "--data {data} --port {taken} | choose another by --port",
                "--data {foreign} | cannot be opened"
            })
    void whatKeepsItFromStartingIsSaidInOneLineBeforeItSeeds(String options, String told) throws Exception {
        Path file = Files.writeString(data.resolve("file"), "a file");
        Path foreign = Files.createDirectory(data.resolve("foreign"));
        Files.writeString(foreign.resolve("accounts.mv.db"), "something else");
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            String[] arguments = options.replace("{file}", file.toString())
                    .replace("{data}", data.resolve("data").toString())
                    .replace("{foreign}", foreign.toString())
                    .replace("{taken}", String.valueOf(taken.getLocalPort()))
                    .split(" ");
            assertThatExceptionOfType(StartupException.class)
                    .isThrownBy(() ->
                            SignUpSite.start(Options.parse(List.of(arguments)), new PrintStream(printed, true, UTF_8)))
                    .withMessageContaining(told)
                    .satisfies(
                            refused -> assertThat(refused.getMessage().lines()).hasSize(1));
        }
        assertThat(printed.toString(UTF_8).lines().filter(line -> !line.startsWith("Listening: ")))
                .as("what it did before")
                .isEmpty();
    }

    @Test
    @Tag("ci")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aRefusalIsOneLineAndExitCodeTwo() throws Exception {
        assertRefused("--users -1", "--users must be a whole number from 0 to");
        assertRefused(
                "--data " + Files.writeString(data.resolve("file"), "a file"), "is not a directory; name a directory");
    }

    /** No file can be made there, even by root. */
    @Test
    @Tag("ci")
    @EnabledIf("hasSys")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aReadOnlyDirectoryIsOneLineAndExitCodeTwo() throws Exception {
        assertRefused("--data /sys/kernel", "cannot be written to");
        assertRefused("--data " + data + " --headline /sys/kernel/picture.svg", "--headline");
    }

    private void assertRefused(String options, String told) throws Exception {
        Process process = launch(options.split(" "));
        String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(errors.lines()).hasSize(1);
        assertThat(errors).contains(told);
        assertThat(process.getInputStream().readAllBytes()).isEmpty();
    }

    @Test
    @Tag("ci")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void tooLittleMemoryEndsTheStart() throws Exception {
        for (int megabytes : new int[] {8, 16, 24}) {
            Process process = launch(megabytes, List.of("--port", "0", "--data", data.toString()));
            String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor()).as(errors).isNotZero();
            assertThat(errors).containsAnyOf("start it with -Xmx64m", "OutOfMemoryError");
        }
    }

    @Test
    @Tag("ci")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void helpListsEveryOption() throws Exception {
        Process process = launch("--help");
        String help = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(help.lines()).allMatch(line -> line.length() <= 120);
        assertThat(Options.NAMES).allMatch(option -> help.contains(System.lineSeparator() + "  " + option + " "));
    }

    private Process launch(String... instead) throws IOException {
        return launch(
                256,
                instead.length > 0
                        ? List.of(instead)
                        : List.of("--port", "0", "--users", "2000", "--data", data.toString()));
    }

    private static Process launch(int megabytes, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx" + megabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SignUpSite.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).start();
    }

    private static String ready(Process process) throws IOException {
        return awaitLine(process, "Ready: ");
    }

    /** What follows this prefix in the first line that has it. */
    private static String awaitLine(Process process, String prefix) throws IOException {
        BufferedReader lines = process.inputReader(UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(prefix)) {
                return line.substring(prefix.length());
            }
        }
        throw new AssertionError(
                "the site did not start: " + new String(process.getErrorStream().readAllBytes(), UTF_8));
    }
}
