package io.github.untaken.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each gate of the build is met by something it must refuse, in a copy of the tree and by Maven itself. */
@Tag("nightly")
class GatesTest {
    private static final String NULL_BUG = """
            package io.github.untaken.filter;

            final class Planted {
                private Planted() {}

                static int length() {
                    String text = null;
                    return lengthOf(text);
                }

                private static int lengthOf(String text) {
                    return text.length();
                }
            }
            """;

    private static CopiedTree tree;

    @BeforeAll
    static void copy(@TempDir Path directory) throws IOException {
        tree = CopiedTree.of(Path.of("").toAbsolutePath().getParent(), directory);
    }

    @AfterEach
    void uproot() throws IOException {
        tree.restore();
    }

    /** The very sequence that once let such a bug through: what the unchecked build compiled was taken for up to date. */
    @Test
    void aNullBugIsRefusedAfterABuildWithoutChecks() throws IOException, InterruptedException {
        tree.write("membership-filters/src/main/java/io/github/untaken/filter/Planted.java", NULL_BUG);

        assertThat(tree.maven("-DskipChecks", "compile").succeeded()).isTrue();
        assertThat(refusal("compile")).contains("[NullAway]");
    }

    @Test
    void aMistakeThatErrorProneKnowsIsRefused() throws IOException, InterruptedException {
        tree.write(
                "membership-filters/src/main/java/io/github/untaken/filter/Planted.java",
                planted("new IllegalStateException();"));
        assertThat(refusal("compile", "-Dspotless.check.skip")).contains("[DeadException]");
    }

    @Test
    void aWarningOfTheCompilerIsRefused() throws IOException, InterruptedException {
        assumeTrue(Runtime.version().feature() == 17, "each JDK has other warnings; 17 is the one that counts");
        tree.write(
                "membership-filters/src/main/java/io/github/untaken/filter/Planted.java",
                planted("java.util.List raw = java.util.List.of();"));
        assertThat(refusal("compile", "-Dspotless.check.skip")).contains("warnings found and -Werror specified");
    }

    @Test
    void anotherFormatIsRefused() throws IOException, InterruptedException {
        tree.write(
                "membership-filters/src/main/java/io/github/untaken/filter/Planted.java",
                NULL_BUG.replace("    String text = null;", "String text=null;"));
        assertThat(refusal("compile")).contains("spotless:apply");
    }

    @Test
    void aDependencyThatNobodyAllowedIsRefused() throws IOException, InterruptedException {
        tree.replace(
                "membership-filters/pom.xml",
                "<dependencies>",
                "<dependencies><dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId></dependency>");
        assertThat(refusal("validate")).contains("may depend only on what its pom allows", "com.h2database:h2");
    }

    @Test
    void aPluginWithoutAVersionIsRefused() throws IOException, InterruptedException {
        tree.replace(
                "membership-filters/pom.xml",
                "<plugins>",
                "<plugins><plugin><artifactId>maven-antrun-plugin</artifactId></plugin>");
        assertThat(refusal("validate")).contains("maven-antrun-plugin");
    }

    @Test
    void aBrokenLinkInJavadocIsRefused() throws IOException, InterruptedException {
        tree.replace(
                "membership-filters/src/main/java/io/github/untaken/filter/KeyHasher.java",
                "/**",
                "/** {@link NobodyWroteThis}. ");
        assertThat(refusal("compile", "-Dspotless.check.skip")).contains("reference not found");
    }

    private static String planted(String statement) {
        return NULL_BUG.replace("String text = null;", statement).replace("lengthOf(text)", "lengthOf(\"\")");
    }

    private static String refusal(String... arguments) throws IOException, InterruptedException {
        CopiedTree.Outcome outcome = tree.maven(arguments);
        assertThat(outcome.succeeded()).as(outcome.output()).isFalse();
        return outcome.output();
    }
}
