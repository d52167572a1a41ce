package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.CheckMethod;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.KindMode;
import io.github.untaken.http.ShortTimes;
import io.github.untaken.testkit.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that ask and do not read the answer, as HTTP/2 lets them: nobody else's answer waits for them. */
class UnreadAnswersTest {
    /** More than the containers have threads. */
    private static final int MANY = Container.THREADS + 16;

    private UserTable users;
    private AvailabilityChecker checker;
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
    }

    @AfterEach
    void close() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        checker.close();
        users.close();
    }

    private Container.Running serve(Container container) throws Exception {
        EndpointSettingsBuilder settings = EndpointSettings.builder()
                .limiter(ClientLimiter.unlimited())
                .mode(USERNAME, KindMode.BLIND)
                .methods(USERNAME, CheckMethod.GET, CheckMethod.POST);
        ShortTimes.ofBodies(settings, Duration.ofMillis(500));
        return container.start(context -> Container.everywhere(
                context, "availability", new AvailabilityServletFilter(checker, settings.build())));
    }

    private static byte[] head(String method, int flags, String... more) {
        List<String> fields = new ArrayList<>(
                List.of(":method", method, ":scheme", "http", ":authority", "x", ":path", "/app/availability"));
        if (method.equals("GET")) {
            fields.set(7, "/app/availability?username=alice");
        }
        fields.addAll(List.of(more));
        return RawHttp2.frame(
                RawHttp2.HEADERS, RawHttp2.END_HEADERS | flags, 1, RawHttp2.headers(fields.toArray(String[]::new)));
    }

    private static byte[] form(int flags) {
        return head("POST", flags, "content-type", "application/x-www-form-urlencoded");
    }

    private void sendAndTakeNothing(Container.Running server, byte[]... frames) throws IOException {
        sockets.add(RawHttp2.sendAndTakeNothing(server.port(), List.of(frames)));
    }

    /** A head of an answer is not held back by windows; bytes came, so what came after the settings was answered. */
    private void awaitHeads() {
        Eventually.holds("all have been answered", () -> sockets.stream().allMatch(UnreadAnswersTest::hasHead));
    }

    private static boolean hasHead(Socket socket) {
        try {
            return socket.getInputStream().available() > 100;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertAnswersOthers(Container.Running server) throws IOException {
        for (int i = 0; i < 10; i++) {
            assertThat(RawHttp.send(server.port(), "GET", "/app/availability?username=alice")
                            .body())
                    .contains("not_disclosed");
            assertThat(RawHttp.send(
                                    server.port(),
                                    "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                                            + "Content-Type: application/x-www-form-urlencoded\r\n"
                                            + "Content-Length: 14\r\n\r\nusername=alice")
                            .body())
                    .contains("not_disclosed");
        }
        assertThat(RawHttp.send(
                                server.port(),
                                "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                                        + "Content-Type: application/x-www-form-urlencoded\r\n"
                                        + "Content-Length: 14\r\n\r\nuser")
                        .status())
                .isEqualTo(408);
    }

    @ParameterizedTest
    @EnumSource
    void ofABlindQuestionHoldNobodyUp(Container container) throws Exception {
        assertHoldNobodyUp(container, 200, head("GET", RawHttp2.END_STREAM));
    }

    @ParameterizedTest
    @EnumSource
    void ofAFormThatCameLateHoldNobodyUp(Container container) throws Exception {
        byte[] body = "username=alice".getBytes(StandardCharsets.US_ASCII);
        assertHoldNobodyUp(container, 200, form(0), RawHttp2.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, body));
    }

    @ParameterizedTest
    @EnumSource
    void ofAFormThatNeverEndsHoldNobodyUp(Container container) throws Exception {
        assertHoldNobodyUp(container, 408, form(0));
    }

    /** And each is whole once its client takes it. */
    private void assertHoldNobodyUp(Container container, int status, byte[]... frames) throws Exception {
        try (Container.Running server = serve(container)) {
            for (int i = 0; i < MANY; i++) {
                sendAndTakeNothing(server, frames);
            }
            awaitHeads();
            assertAnswersOthers(server);
            for (Socket socket : sockets) {
                RawHttp.Answer answer = RawHttp2.take(socket);
                assertThat(answer.status()).isEqualTo(status);
                assertThat(answer.body())
                        .contains(status == 200 ? "not_disclosed" : "too-slow")
                        .endsWith("}");
            }
        }
    }
}
