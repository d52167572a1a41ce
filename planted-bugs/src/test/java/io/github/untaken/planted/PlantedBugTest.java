package io.github.untaken.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.untaken.planted.PlantedBug.Outcome;
import io.github.untaken.planted.PlantedBug.Result;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runner itself: an edit that shows nothing must not pass for a bug that was caught. */
class PlantedBugTest {
    private static final String GOOD = "if (proved && !incomplete) {";
    private static final String TEST =
            "plugin-core io.github.untaken.RegistryProtocolTest$Removing#aRemovalWithoutProofIsDropped";

    @Test
    void aBugThatTheTestNoticesIsCaught() {
        assertThat(run(GOOD, "if (!incomplete) {", TEST).outcome()).isEqualTo(Outcome.CAUGHT);
    }

    @Test
    void aHarmlessEditIsNotCaught() {
        assertThat(run(GOOD, "if (!incomplete && proved) {", TEST).outcome()).isEqualTo(Outcome.NOT_CAUGHT);
    }

    /** The same edit, once as what it is and once as if the test had been expected to fail at once. */
    @Test
    void aTestThatWaitsInVainCatchesOnlyWhatNeverComes() {
        String waiting = "plugin-core io.github.untaken.RegistryProtocolTest$Removing#aRemovalToldTwiceIsAppliedOnce";
        String text = text(GOOD, "if (incomplete) {", waiting);
        String expected = text.replace("test:", "waits: for the copy to be taken out\ntest:");
        assertThat(runWithLittlePatience(expected).outcome()).isEqualTo(Outcome.CAUGHT);
        Result unexpected = runWithLittlePatience(text);
        assertThat(unexpected.outcome()).isEqualTo(Outcome.WAITED_IN_VAIN);
        assertThat(unexpected.detail()).contains("within 1 s");
    }

    @Test
    void anEditThatDoesNotCompileIsNotCaught() {
        Result result = run(GOOD, "if (nobody && !incomplete) {", TEST);
        assertThat(result.outcome()).isEqualTo(Outcome.DOES_NOT_COMPILE);
        assertThat(result.detail()).contains("cannot find symbol");
    }

    @Test
    void anEditWhoseTextIsGoneOrStandsTwiceDoesNotApply() {
        assertThat(run("if (proved) {", "if (true) {", TEST).outcome()).isEqualTo(Outcome.DOES_NOT_APPLY);
        assertThat(run("if (settled) {", "if (true) {", TEST).outcome()).isEqualTo(Outcome.DOES_NOT_APPLY);
    }

    @Test
    void aTestThatDoesNotExistCatchesNothing() {
        String nowhere = "plugin-core io.github.untaken.RegistryProtocolTest$Removing#nobodyWroteThis";
        assertThat(run(GOOD, "if (!incomplete) {", nowhere).outcome()).isEqualTo(Outcome.NO_SUCH_TEST);
        assertThat(Checkout.here().hasTest(PlantedEdit.TestName.parse(nowhere))).isFalse();
        assertThat(Checkout.here().hasTest(PlantedEdit.TestName.parse(TEST))).isTrue();
    }

    @Test
    void aTestThatCannotRunAtAllCatchesNothing() {
        Result result = run(
                "NetEffect(IdentifierRegistry registry) {", "NetEffect(IdentifierRegistry registry, int more) {", TEST);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.FAILED_OTHERWISE);
        assertThat(result.detail()).contains("NoSuchMethodError");
    }

    /** A server that a test started must not outlive the JVM of the test, which is halted. */
    @Test
    void whatATestStartedEndsWithIt(@TempDir Path directory) throws Exception {
        Path pid = directory.resolve("pid");
        String starting = "try { java.nio.file.Files.writeString(java.nio.file.Path.of(\"" + pid + "\"), \"\""
                + " + new ProcessBuilder(\"sleep\", \"600\").start().pid()); }"
                + " catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); }"
                + " if (!incomplete) {";
        assertThat(run(GOOD, starting, TEST).outcome()).isEqualTo(Outcome.CAUGHT);
        assertEnds(Long.parseLong(Files.readString(pid)));
    }

    /** As PostgreSQL is started: by a process that has ended by then, so that the server descends from nobody. */
    @Test
    void aServerThatATestLeavesEndsWithItAlthoughItIsDetached(@TempDir Path directory) throws Exception {
        Path pid = directory.resolve("pid");
        String starting = "try { java.nio.file.Path data = java.nio.file.Files.createTempDirectory(\"data\");"
                + " new ProcessBuilder(\"sh\", \"-c\", \"sleep 600 > /dev/null 2>&1 & echo $! > \" + data"
                + " + \"/postmaster.pid; cp \" + data + \"/postmaster.pid " + pid + "\").start().waitFor(); }"
                + " catch (java.io.IOException | InterruptedException e) { throw new IllegalStateException(e); }"
                + " if (!incomplete) {";
        assertThat(run(GOOD, starting, TEST).outcome()).isEqualTo(Outcome.CAUGHT);
        assertEnds(Long.parseLong(Files.readString(pid).strip()));
    }

    @Test
    void aTestThatDoesNotEndIsEndedWithAllThatItStarted() throws Exception {
        Process test = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; wait").start();
        long started;
        try (BufferedReader said = test.inputReader()) {
            started = Long.parseLong(said.readLine());
        }
        assertThat(ProcessHandle.of(started)).isPresent();
        PlantedBug.end(test);
        assertThat(test.isAlive()).isFalse();
        assertEnds(started);
    }

    /** Ends it in any case, for nobody else will. */
    private static void assertEnds(long pid) throws Exception {
        Optional<ProcessHandle> left = ProcessHandle.of(pid);
        if (left.isPresent()) {
            try {
                left.get().onExit().get(20, TimeUnit.SECONDS);
            } finally {
                left.get().destroyForcibly();
            }
        }
    }

    @Test
    void anEditWithoutAReasonIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> PlantedEdit.parse("nameless", text(GOOD, "", TEST).replace("why", "file")))
                .withMessageContaining("'why:'");
    }

    private static Result run(String old, String with, String test) {
        return run(text(old, with, test));
    }

    private static Result run(String edit) {
        return new PlantedBug(Checkout.here(), PlantedEdit.parse("sample", edit)).run();
    }

    private static Result runWithLittlePatience(String edit) {
        return new PlantedBug(Checkout.here(), PlantedEdit.parse("sample", edit), 1).run();
    }

    private static String text(String old, String with, String test) {
        return String.join(
                "\n",
                "rule: none",
                "why: shows what the runner makes of it",
                "test: " + test,
                "file: plugin-core/src/main/java/io/github/untaken/NetEffect.java",
                "<<<<",
                old,
                "====",
                with,
                ">>>>");
    }
}
