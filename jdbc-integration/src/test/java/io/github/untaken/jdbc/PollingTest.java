package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.jdbc.connection.Polling;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollingTest {
    /** That it is tried again is for the registry to say, which does: twice in one sentence is once too often. */
    @Test
    void whatWasWaitedForInVainIsNamedAndNothingElse() {
        assertThatThrownBy(() -> Polling.await("transactions", Duration.ofMillis(1), () -> false))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("transactions were still open after PT0.001S;");
    }
}
