package io.github.untaken.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.untaken.planted.PlantedBug.Outcome;
import io.github.untaken.planted.PlantedBug.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The runner itself: an edit that shows nothing must not pass for a bug that was caught. */
class PlantedBugTest {
    private static final String GOOD = "return low + ((low - 1) >>> 31);";
    private static final String TEST =
            "membership-filters io.github.untaken.filter.CuckooTableTest#fingerprintZeroIsNeverStored";

    @Test
    @Tag("ci")
    void aBugThatTheTestNoticesIsCaught() {
        assertThat(run(GOOD, "return low;", TEST).outcome()).isEqualTo(Outcome.CAUGHT);
    }

    @Test
    @Tag("ci")
    void aHarmlessEditIsNotCaught() {
        assertThat(run(GOOD, "return low == 0 ? 1 : low;", TEST).outcome()).isEqualTo(Outcome.NOT_CAUGHT);
    }

    @Test
    @Tag("ci")
    void aTestThatWaitsInVainCatchesNothing() {
        Result result = run(
                GOOD,
                "class WaitedInVain extends AssertionError { WaitedInVain() { super(\"ready within 1 s\"); } }"
                        + " throw new WaitedInVain();",
                TEST);
        assertThat(result.outcome()).isEqualTo(Outcome.WAITED_IN_VAIN);
        assertThat(result.detail()).contains("within 1 s");
    }

    @Test
    @Tag("ci")
    void anEditThatDoesNotCompileIsNotCaught() {
        Result result = run(GOOD, "return nobody;", TEST);
        assertThat(result.outcome()).isEqualTo(Outcome.DOES_NOT_COMPILE);
        assertThat(result.detail()).contains("cannot find symbol");
    }

    @Test
    void anEditWhoseTextIsGoneOrStandsTwiceDoesNotApply() {
        assertThat(run("return high;", "return low;", TEST).outcome()).isEqualTo(Outcome.DOES_NOT_APPLY);
        assertThat(run("return false;", "return true;", TEST).outcome()).isEqualTo(Outcome.DOES_NOT_APPLY);
    }

    @Test
    @Tag("ci")
    void aTestThatDoesNotExistCatchesNothing() {
        String nowhere = "membership-filters io.github.untaken.filter.CuckooTableTest#nobodyWroteThis";
        assertThat(run(GOOD, "return low;", nowhere).outcome()).isEqualTo(Outcome.NO_SUCH_TEST);
        assertThat(Checkout.here().hasTest(PlantedEdit.TestName.parse(nowhere))).isFalse();
        assertThat(Checkout.here().hasTest(PlantedEdit.TestName.parse(TEST))).isTrue();
    }

    @Test
    @Tag("ci")
    void aTestThatCannotRunAtAllCatchesNothing() {
        Result result = run(
                "static int fingerprint(long hash) {", "static int fingerprint(Long boxed) { long hash = boxed;", TEST);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.FAILED_OTHERWISE);
        assertThat(result.detail()).contains("NoSuchMethodError");
    }

    @Test
    void anEditWithoutAReasonIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> PlantedEdit.parse("nameless", text(GOOD, "", TEST).replace("why", "file")))
                .withMessageContaining("'why:'");
    }

    private static Result run(String old, String with, String test) {
        return new PlantedBug(Checkout.here(), PlantedEdit.parse("sample", text(old, with, test))).run();
    }

    private static String text(String old, String with, String test) {
        return String.join(
                "\n",
                "rule: none",
                "why: shows what the runner makes of it",
                "test: " + test,
                "file: membership-filters/src/main/java/io/github/untaken/filter/CuckooTable.java",
                "<<<<",
                old,
                "====",
                with,
                ">>>>");
    }
}
