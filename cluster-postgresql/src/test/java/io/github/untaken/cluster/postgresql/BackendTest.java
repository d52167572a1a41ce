package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackendTest {

    /** The server gives numbers out again. */
    @Test
    void aProcessOfItsNumberThatBeganAtAnotherMomentIsLeftAlone() throws Exception {
        try (Connection ours = TestServer.console();
                Connection console = TestServer.console()) {
            Backend backend = Backend.of(ours);
            new Backend(backend.pid(), "1" + backend.begun()).end(console, Duration.ofSeconds(10));
            assertThat(ours.isValid(10)).isTrue();
            backend.end(console, Duration.ofSeconds(10));
            assertThat(ours.isValid(10)).isFalse();
        }
    }
}
