package io.github.untaken.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code .ci/mutants} has PIT change, and what it says of PIT's report. */
@Tag("ci")
class MutantsTest {
    private static final Path PROGRAM =
            Path.of("").toAbsolutePath().getParent().resolve(".ci").resolve("Mutants.java");

    @TempDir
    private Path tree;

    @BeforeEach
    void changeOneMethod() throws IOException {
        write("core/src/main/java/a/One.java", """
                package a;

                final class One {
                    static int changed(int x) {
                        Runnable later = () -> same(x);
                        later.run();
                        return x + 1;
                    }

                    // Only this line is another, and it is no code.
                    static void same(int x) {
                        System.setProperty("x", "" + x);
                    }
                }
                """);
        write("core/src/test/java/a/OneTest.java", "");
        write("work/diff", """
                --- a/core/src/main/java/a/One.java
                +++ b/core/src/main/java/a/One.java
                @@ -7 +7 @@ final class One {
                -        return x;
                +        return x + 1;
                @@ -9,0 +10 @@ final class One {
                +    // Only this line is another, and it is no code.
                """);
        write(
                "core/target/pit-reports/mutations.xml",
                "<mutations>"
                        + mutation("SURVIVED", "lambda$changed$0", 5, 0, "removed call to a/One::same")
                        + mutation("KILLED", "changed", 6, 1, "removed call to java/lang/Runnable::run")
                        + mutation("NO_COVERAGE", "changed", 7, 2, "Replaced integer addition with subtraction")
                        + mutation("SURVIVED", "same", 12, 3, "removed call to java/lang/System::setProperty")
                        + "</mutations>");
    }

    private static String mutation(String status, String method, int line, int index, String description) {
        return "<mutation status='" + status + "'><sourceFile>One.java</sourceFile><mutatedClass>a.One</mutatedClass>"
                + "<mutatedMethod>" + method + "</mutatedMethod><lineNumber>" + line + "</lineNumber><index>" + index
                + "</index><mutator>org.pitest.AnyMutator</mutator><description>" + description
                + "</description></mutation>";
    }

    private void write(String name, String text) throws IOException {
        Path file = tree.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** What it says, and last how it ends. */
    private List<String> run(String what) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        PROGRAM.toString(),
                        what,
                        "work",
                        "core")
                .directory(tree.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        return (said + process.waitFor()).lines().toList();
    }

    @Test
    void onlyTheMethodThatHasChangedIsMutated() throws IOException, InterruptedException {
        assertThat(run("plan")).containsExactly("0");
        assertThat(tree.resolve("work/core.classes")).content().startsWith("a.One\n");
        assertThat(tree.resolve("work/core.unchanged"))
                .content()
                .contains("same\n")
                .doesNotContain("changed");
        assertThat(tree.resolve("work/core.tests")).hasContent("~a\\.[^.]*Test.*");
    }

    @Test
    void whoSurvivesInAMethodThatHasChangedMustBeListed() throws IOException, InterruptedException {
        write("planted-bugs/survivors.txt", "");
        assertThat(run("judge"))
                .containsExactly(
                        "core: 1 changed methods, 3 mutants {KILLED=1, NO_COVERAGE=1, SURVIVED=1}",
                        "NO_COVERAGE at core/src/main/java/a/One.java:7: a.One.changed | Any | Replaced integer addition with"
                                + " subtraction #1",
                        "SURVIVED at core/src/main/java/a/One.java:5: a.One.changed | Any | removed call to a/One::same #1",
                        "2 to be noticed by a test, or listed in planted-bugs/survivors.txt with a reason, or taken from it",
                        "1");
    }

    @Test
    void whatIsListedHasToSurvive() throws IOException, InterruptedException {
        write("planted-bugs/survivors.txt", """
                # A comment.
                a.One.changed | Any | Replaced integer addition with subtraction #1 | nobody adds
                a.One.changed | Any | removed call to a/One::same #1 | a property only
                a.One.changed | Any | removed call to java/lang/Runnable::run #1 | as above
                a.One.changed | Any | negated conditional #1 | there was one
                a.One.before | Any | negated conditional #1 | there was such a method
                """);
        assertThat(run("judge"))
                .containsExactly(
                        "core: 1 changed methods, 3 mutants {KILLED=1, NO_COVERAGE=1, SURVIVED=1}",
                        "listed, and its method is gone: a.One.before | Any | negated conditional #1",
                        "listed, and noticed now (KILLED): a.One.changed | Any | removed call to java/lang/Runnable::run #1",
                        "listed, and there is no such mutant any more: a.One.changed | Any | negated conditional #1",
                        "3 to be noticed by a test, or listed in planted-bugs/survivors.txt with a reason, or taken from it",
                        "1");
    }

    @Test
    void whereAllAreNoticedOrListedItEndsWell() throws IOException, InterruptedException {
        write("planted-bugs/survivors.txt", """
                a.One.changed | Any | Replaced integer addition with subtraction #1 | nobody adds
                a.One.changed | Any | removed call to a/One::same #1 | a property only
                """);
        assertThat(run("judge"))
                .containsExactly(
                        "core: 1 changed methods, 3 mutants {KILLED=1, NO_COVERAGE=1, SURVIVED=1}",
                        "each mutant that was tried in a changed method is noticed or listed (2 listed)",
                        "0");
    }

    @Test
    void aLineWithoutAReasonIsRefused() throws IOException, InterruptedException {
        write("planted-bugs/survivors.txt", "a.One.changed | Any | removed call to a/One::same #1 | \n");
        List<String> said = run("judge");
        assertThat(said).anyMatch(line -> line.contains("class.method | mutator | description #n | reason, not: "));
        assertThat(said).last().isEqualTo("1");
    }
}
