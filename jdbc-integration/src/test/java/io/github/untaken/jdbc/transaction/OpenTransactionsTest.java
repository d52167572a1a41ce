package io.github.untaken.jdbc.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.testkit.Eventually;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenTransactionsTest {
    private final OpenTransactions open = new OpenTransactions();
    private final Logger logger = Logger.getLogger("io.github.untaken.jdbc");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler log = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            assertThat(logged.getThrown()).as("a trace begins with a message").isNull();
            lines.add(logged.getLevel() + " " + logged.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(log);
    }

    @AfterEach
    void leave() {
        logger.removeHandler(log);
    }

    /** All that was given to the log before this call: it is said on a thread of its own. */
    private List<String> warnings() {
        new FaultLog("io.github.untaken.jdbc").say(System.Logger.Level.INFO, "all was said");
        Eventually.holds("the log has come so far", () -> lines.contains("INFO all was said"));
        return lines.stream().filter(line -> line.startsWith("WARNING")).toList();
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
                        line -> assertThat(line).contains("WARNING", "IllegalArgumentException"),
                        line -> assertThat(line).contains("WARNING", "IllegalStateException"));
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
