package io.github.untaken.jdbc.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenTransactionsTest {
    private final OpenTransactions open = new OpenTransactions();
    private final LoggedLines log = new LoggedLines("io.github.untaken.jdbc");

    @AfterEach
    void leave() {
        log.close();
    }

    /** All that was given to the log before this call: it is said on a thread of its own. */
    private List<String> warnings() {
        new FaultLog("io.github.untaken.jdbc").say(System.Logger.Level.INFO, "all was said");
        Eventually.holds(
                "the log has come so far", () -> !log.about("all was said").isEmpty());
        return log.warnings();
    }

    private void fault(RuntimeException e) {
        assertThat(open.survived(() -> {
                    throw e;
                }))
                .isFalse();
    }

    @Test
    void whatAFaultSaysIsNotLogged() {
        fault(new IllegalArgumentException("'alice' is no name"));
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("IllegalArgumentException", "OpenTransactionsTest")
                .doesNotContain("alice");
    }

    /** A second fault is not the first one once more. */
    @Test
    void twoDifferentFaultsOfOneSourceAreBothTold() {
        for (int i = 0; i < 1_000; i++) {
            fault(new IllegalArgumentException());
        }
        fault(new IllegalStateException());
        assertThat(warnings())
                .satisfiesExactly(
                        line -> assertThat(line).contains("IllegalArgumentException"),
                        line -> assertThat(line).contains("IllegalStateException"));
    }

    /** Most of what a connection does works, so that one which works says nothing about one which failed. */
    @Test
    void whatWorksBetweenTwoFaultsDoesNotMakeThemTwoFacts() {
        for (int i = 0; i < 10; i++) {
            fault(new IllegalStateException());
            assertThat(open.survived(() -> {})).isTrue();
        }
        assertThat(warnings()).hasSize(1);
    }
}
