package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.RequestGate;
import io.github.untaken.servlet.HostileRequests.Hostile;
import io.github.untaken.servlet.HostileRequests.Outcome;
import io.github.untaken.testkit.Eventually;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever is sent: something comes back or the connection ends within five seconds, no fault of ours, and nothing called
 * available that is not free and was not properly asked about.
 */
class HostileRequestsTest {
    private UserTable users;
    private UserTable phones;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice", "bella");
        phones = new UserTable("13800138000");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                .store(USERNAME, users)
                .store(PHONE, phones)
                .normalizer(PHONE, new Digits()));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
        phones.close();
    }

    /** How long a connection may be silent where something is sent that only ends so. */
    private static final int SHORT_MILLIS = 250;

    private static final int PATIENT_MILLIS = 30_000;

    private Container.Running start(Container container, int idleMillis) throws Exception {
        AvailabilityServletFilter filter = new AvailabilityServletFilter(
                checker,
                EndpointSettings.builder()
                        .limiter(ClientLimiter.unlimited())
                        .gate(RequestGate.allowAll())
                        .build());
        return container.start(
                context -> {
                    Container.everywhere(context, "availability", filter);
                    Container.serve(context, "/", new HttpServlet() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        protected void service(HttpServletRequest request, HttpServletResponse response)
                                throws IOException {
                            response.sendError(HttpServletResponse.SC_NOT_FOUND);
                        }
                    });
                },
                idleMillis);
    }

    private static void judge(String what, RawHttp.Answer answer, Outcome outcome) {
        boolean ours =
                answer.body().contains("\"availability\"") || answer.body().contains("\"available\"");
        // 501 and 505 are what a container says of a protocol it does not speak.
        assertThat(answer.status())
                .as(what)
                .isIn(0, 101, 200, 204, 400, 403, 404, 405, 408, 413, 414, 415, 417, 431, 501, 505);
        if (ours && answer.status() != 0) { // Tomcat answers a request line without a version by the body alone
            assertThat(answer.status()).as(what).isLessThan(500);
            assertThat(answer.headers().get("cache-control")).as(what).isEqualTo("no-store");
            assertThat(Json.object(answer.body())).as(what).isNotEmpty();
        }
        if (outcome != Outcome.MAY_BE_AVAILABLE) {
            assertThat(answer.body()).as(what).doesNotContain("\"available\":true");
        }
        if (outcome == Outcome.REFUSED) {
            assertThat(answer.status()).as(what).isNotEqualTo(200);
        }
        if (what.contains(" encoding ") || what.contains(" shape ")) {
            // Every container gives the same answer.
            assertThat(answer.status()).as(what).isEqualTo(what.contains("phone=") ? 405 : 400);
        }
        if (what.contains(" charset ")) {
            assertThat(answer.status()).as(what).isEqualTo(what.contains("no charset") ? 400 : 415);
        }
    }

    private static void all(String protocol, Function<Hostile, RawHttp.Answer> exchange) {
        List<Hostile> requests = HostileRequests.both();
        assertThat(requests).hasSizeGreaterThanOrEqualTo(180);
        int ours = 0;
        for (Hostile request : requests) {
            RawHttp.Answer answer = exchange.apply(request);
            judge(protocol + " " + request, answer, request.outcome());
            ours += answer.body().contains("\"availab") ? 1 : 0;
        }
        // Else all this would only test the container.
        assertThat(ours).isGreaterThan(requests.size() * 3 / 4);
    }

    /** Who hangs does so each time; a machine that was elsewhere for so long does not. */
    private static RawHttp.Answer calmly(Exchange exchange) throws IOException {
        try {
            return exchange.run();
        } catch (SocketTimeoutException e) {
            return exchange.run();
        }
    }

    private static RawHttp.Answer sent(Exchange exchange) {
        try {
            return calmly(exchange);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private interface Exchange {
        RawHttp.Answer run() throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void overHttp1(Container container) throws Exception {
        try (Container.Running server = start(container, PATIENT_MILLIS)) {
            all("HTTP/1.1", request -> sent(() -> RawHttp.sendAnything(server.port(), request.http1())));
            assertStillThere(server);
        }
    }

    @ParameterizedTest
    @EnumSource
    void overHttp2(Container container) throws Exception {
        try (Container.Running server = start(container, PATIENT_MILLIS)) {
            all("HTTP/2", request -> sent(() -> RawHttp2.send(server.port(), request.http2())));
            assertStillThere(server);
            assertThat(RawHttp2.send(
                                    server.port(),
                                    HostileRequests.both()
                                            .get(HostileRequests.both().size() - 1)
                                            .http2())
                            .body())
                    .contains("\"available\":true");
        }
    }

    /** What only one of the protocols can say; side by side, since some only end when the container's patience does. */
    private static void each(List<Exchange> exchanges) throws Exception {
        List<Callable<RawHttp.Answer>> calls = exchanges.stream()
                .map(exchange -> (Callable<RawHttp.Answer>) () -> calmly(exchange))
                .toList();
        ExecutorService senders = Executors.newFixedThreadPool(16);
        try {
            int number = 0;
            for (Future<RawHttp.Answer> answer : senders.invokeAll(calls)) {
                // A socket that hears nothing for five seconds, twice, throws.
                judge("request " + number++, answer.get(), Outcome.MAY_BE_AVAILABLE);
            }
        } finally {
            senders.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatOnlyHttp1CanSay(Container container) throws Exception {
        try (Container.Running server = start(container, SHORT_MILLIS)) {
            each(HostileRequests.http1().stream()
                    .map(text -> (Exchange)
                            () -> RawHttp.sendAnything(server.port(), text.getBytes(StandardCharsets.ISO_8859_1)))
                    .toList());
            assertStillThere(server);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatOnlyHttp2CanSay(Container container) throws Exception {
        try (Container.Running server = start(container, SHORT_MILLIS)) {
            each(HostileRequests.http2().stream()
                    .map(frames -> (Exchange) () -> RawHttp2.send(server.port(), frames))
                    .toList());
            assertStillThere(server);
        }
    }

    private static void assertStillThere(Container.Running server) {
        Eventually.holds("bob is free", () -> answers(server, "bob", "\"available\":true"));
        Eventually.holds("alice is taken", () -> answers(server, "alice", "\"status\":\"taken\""));
    }

    /** False too if the connection was silent for too long. */
    private static boolean answers(Container.Running server, String name, String text) {
        String request = "GET /app/availability?username=" + name + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        try {
            return RawHttp.sendAnything(server.port(), request.getBytes(StandardCharsets.US_ASCII))
                    .body()
                    .contains(text);
        } catch (IOException e) {
            return false;
        }
    }
}
