package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.ShortTimes;
import io.github.untaken.testkit.Eventually;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An answer that takes longer than the container waits for it says that nobody knows, and is not an empty success. */
@Tag("ci")
class LastResortTest {
    /** Longer than the last resort, which comes five seconds after the form's time. */
    private static final Duration LONG = Duration.ofSeconds(7);

    @ParameterizedTest
    @EnumSource
    void aReadThatOutlastsTheContainersPatienceIsUnavailable(Container container) throws Exception {
        StoppableStore store = new StoppableStore(Set.of("alice"));
        EndpointSettingsBuilder settings = EndpointSettings.builder();
        ShortTimes.ofBodies(settings, Duration.ofMillis(500));
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                        .store(USERNAME, store)
                        .recheckTimeout(LONG)
                        .build();
                Container.Running server = container.start(context -> Container.everywhere(
                        context, "availability", new AvailabilityServletFilter(checker, settings.build())));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            Eventually.holds("it is READY", () -> checker.state(USERNAME) == KindState.READY);
            store.stop();
            socket.setSoTimeout(60_000);
            String head = "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 14\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            RawHttp.send(server.port(), "GET", "/app/availability?username=bob"); // meanwhile the form is waited for
            socket.getOutputStream().write("username=alice".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 503");
        }
    }
}
