package io.github.untaken.jdbc.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class FaultsTest {

    /** All that is logged, with the traces. */
    private static final class Log extends Handler {
        private final StringWriter text = new StringWriter();

        @Override
        public void publish(LogRecord logged) {
            text.append(logged.getMessage()).append('\n');
            if (logged.getThrown() != null) {
                logged.getThrown().printStackTrace(new PrintWriter(text, true));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void whatAFaultSaysIsNotLogged() {
        Logger logger = Logger.getLogger("io.github.untaken.jdbc");
        Log log = new Log();
        logger.addHandler(log);
        try {
            boolean survived = new Faults().survived(() -> {
                throw new IllegalArgumentException("'alice' is no name");
            });
            assertThat(survived).isFalse();
        } finally {
            logger.removeHandler(log);
        }
        assertThat(log.text.toString())
                .contains("IllegalArgumentException", "FaultsTest")
                .doesNotContain("alice");
    }
}
