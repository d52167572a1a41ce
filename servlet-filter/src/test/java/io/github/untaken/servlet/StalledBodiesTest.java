package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.ForwardingHeader;
import io.github.untaken.http.ShortTimes;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bodies that come late, bit by bit, or never: none of them holds a thread, and none takes longer than it may. */
class StalledBodiesTest {
    /** More than the containers have threads, and fewer than may be pending. */
    private static final int MANY = Container.THREADS + 36;

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration ENDLESS = Duration.ofMinutes(1);
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
    private static final String POST = "POST /app/availability HTTP/1.1\r\nHost: x\r\n" + FORM;

    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
    }

    private Container.Running serve(Container container, Duration bodyTime, EndpointSettingsBuilder settings)
            throws Exception {
        ShortTimes.ofBodies(settings, bodyTime);
        return container.start(context -> Container.everywhere(
                context, "availability", new AvailabilityServletFilter(checker, settings.build())));
    }

    private Container.Running serve(Container container, Duration bodyTime) throws Exception {
        return serve(container, bodyTime, unlimited());
    }

    private static EndpointSettingsBuilder unlimited() {
        return EndpointSettings.builder().limiter(ClientLimiter.unlimited());
    }

    private static Socket send(Container.Running server, String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        more(socket, text);
        return socket;
    }

    private static void more(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** All that comes until the server closes the connection. */
    private static String untilItCloses(Socket socket) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (socket) {
            socket.getInputStream().transferTo(all);
        } catch (SocketException e) {
            // What was sent behind the body it wanted may be answered by a reset, after the answer.
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    /** Reads one answer with a length. */
    private static String answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException(head.toString());
            }
            head.append((char) next);
        }
        int length = Integer.parseInt(head.toString().replaceAll("(?is).*content-length: *([0-9]+).*", "$1"));
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static String ask(Container.Running server, String name) throws IOException {
        return RawHttp.send(server.port(), "GET", "/app/availability?username=" + name)
                .body();
    }

    @ParameterizedTest
    @EnumSource
    void aSilentBodyIsAnsweredInTimeAndTheConnectionEnds(Container container) throws Exception {
        try (Container.Running server = serve(container, SHORT)) {
            List<String> heads = List.of(
                    "Content-Length: 12\r\n\r\n",
                    "Content-Length: 12\r\n\r\nuser",
                    "Transfer-Encoding: chunked\r\n\r\n",
                    "Transfer-Encoding: chunked\r\n\r\n4\r\nuser\r\n",
                    "Transfer-Encoding: chunked\r\n\r\nc\r\nuser",
                    "Expect: 100-continue\r\nContent-Length: 12\r\n\r\n");
            assertThat(ask(server, "bob")).contains("\"available\":true"); // or the first takes long for other reasons
            List<Socket> silent = new ArrayList<>();
            long began = 0;
            for (String head : heads) {
                began = System.nanoTime();
                silent.add(send(server, POST + head));
            }
            for (int i = 0; i < heads.size(); i++) {
                assertThat(untilItCloses(silent.get(i)))
                        .as(heads.get(i))
                        .contains("HTTP/1.1 408")
                        .contains("too-slow");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("the last one's time")
                    .isGreaterThanOrEqualTo(SHORT);
            assertThat(ask(server, "bob")).contains("\"available\":true");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDrippingBodyHasNoMoreTimeThanASilentOne(Container container) throws Exception {
        try (Container.Running server = serve(container, SHORT)) {
            Socket socket = send(server, POST + "Content-Length: 8000\r\n\r\n");
            ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
            Future<?> unused = drip.scheduleAtFixedRate(() -> oneMore(socket), 0, 10, TimeUnit.MILLISECONDS);
            assertThat(untilItCloses(socket)).contains("HTTP/1.1 408");
            drip.shutdownNow();
        }
    }

    private static boolean isUnanswered(Socket socket) {
        try {
            return socket.getInputStream().available() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed.
        }
    }

    private static void oneMore(Socket socket) {
        try {
            more(socket, "u");
        } catch (IOException e) {
            // The server has closed the connection.
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBodyMayComeInPieces(Container container) throws Exception {
        try (Container.Running server = serve(container, ENDLESS)) {
            for (int kept = 0; kept < 3; kept++) {
                try (Socket socket = send(server, POST + "Content-Length: 12\r\n\r\n")) {
                    for (String piece : "username=bo".split("")) {
                        more(socket, piece);
                    }
                    assertThat(socket.getInputStream().available()).isZero();
                    more(socket, "b");
                    assertThat(answer(socket)).contains("\"value\":\"bob\"");
                    // It is the same connection.
                    more(socket, POST + "Transfer-Encoding: chunked\r\n\r\n9\r\nusername=\r\n");
                    more(socket, "5\r\nalice\r\n0\r\n");
                    more(socket, "\r\n");
                    assertThat(answer(socket)).contains("\"status\":\"taken\"");
                    more(socket, "GET /app/availability?username=bob HTTP/1.1\r\nHost: x\r\n\r\n");
                    assertThat(answer(socket)).contains("\"available\":true");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void silentBodiesHoldNoThread(Container container) throws Exception {
        try (Container.Running server = serve(container, ENDLESS)) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                silent.add(send(server, POST + "Content-Length: 12\r\n\r\nuser"));
            }
            assertThat(ask(server, "bob")).contains("\"available\":true");
            assertThat(ask(server, "alice")).contains("\"status\":\"taken\"");
            for (Socket socket : silent) {
                assertThat(socket.getInputStream().available()).isZero();
                more(socket, "name=bob");
            }
            for (Socket socket : silent) {
                assertThat(answer(socket)).contains("\"value\":\"bob\"");
                socket.close();
            }
        }
    }

    /** Of a body in pieces something may be there that is none of its bytes. */
    @ParameterizedTest
    @EnumSource
    void halfAPieceHoldsNoThread(Container container) throws Exception {
        List<String> begun = List.of("4", "4\r\n", "4\r\nus", "4\r\nuser", "4\r\nuser\r\n", "4;x=");
        try (Container.Running server = serve(container, ENDLESS)) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                silent.add(send(server, POST + "Transfer-Encoding: chunked\r\n\r\n" + begun.get(i % begun.size())));
            }
            assertThat(ask(server, "bob")).contains("\"available\":true");
            silent.forEach(StalledBodiesTest::close);
        }
    }

    /** What is refused without a look at its body waits for no body either. */
    @ParameterizedTest
    @EnumSource
    void refusedBodiesHoldNoThread(Container container) throws Exception {
        List<String> heads = List.of(
                POST + "Content-Length: 107374182400\r\n\r\n",
                POST + "Content-Length: 9000\r\n\r\nusername=bob",
                "GET /app/availability?username=bob HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n",
                "PUT /app/availability HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n",
                "PUT /app/availability HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
                POST.replace("form", "firm") + "Content-Length: 107374182400\r\n\r\n",
                POST.replace("form", "firm") + "Transfer-Encoding: chunked\r\n\r\n");
        try (Container.Running server = serve(container, ENDLESS)) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                silent.add(send(server, heads.get(i % heads.size())));
            }
            for (Socket socket : silent) {
                assertThat(untilItCloses(socket)).containsPattern("HTTP/1.1 (413|200|405|415)");
            }
            assertThat(ask(server, "bob")).contains("\"available\":true");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClientOverItsLimitIsNotListenedTo(Container container) throws Exception {
        ClientLimiter nobody = client -> ClientLimiter.Decision.refuse(Duration.ofSeconds(1));
        try (Container.Running server =
                serve(container, ENDLESS, EndpointSettings.builder().limiter(nobody))) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                silent.add(send(server, POST + "Content-Length: 12\r\n\r\n"));
            }
            for (Socket socket : silent) {
                assertThat(untilItCloses(socket)).contains("HTTP/1.1 429");
            }
            // Who sent the body along keeps the connection.
            try (Socket socket = send(server, POST + "Content-Length: 12\r\n\r\nusername=bob")) {
                assertThat(answer(socket)).contains("HTTP/1.1 429");
                more(socket, "GET /app/availability?username=bob HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(answer(socket)).contains("HTTP/1.1 429");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatIsThereNeedsNoRoom(Container container) throws Exception {
        try (Container.Running server = serve(container, ENDLESS, unlimited().pendingBodies(1))) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                silent.add(send(server, POST + "Content-Length: 12\r\n\r\n"));
                String whole = POST + "Content-Length: 12\r\nConnection: close\r\n\r\nusername=bob";
                assertThat(untilItCloses(send(server, whole))).contains("\"available\":true");
            }
            silent.forEach(StalledBodiesTest::close);
        }
    }

    /** Whoever has most of what is unfinished gives way, never the one who comes. */
    @ParameterizedTest
    @EnumSource
    void theNetworkThatHasMostMakesRoom(Container container) throws Exception {
        try (Container.Running server = serve(
                container,
                ENDLESS,
                unlimited().pendingBodies(5).proxies(ForwardingHeader.X_FORWARDED_FOR, "127.0.0.1"))) {
            List<Socket> many = new ArrayList<>();
            for (int i = 1; i <= 4; i++) {
                many.add(send(server, unfinished("203.0.113." + i)));
            }
            List<Socket> few = new ArrayList<>();
            for (int i = 1; i <= 2; i++) {
                few.add(send(server, unfinished("198.51.100." + i)));
            }
            few.add(send(server, unfinished("2001:db8::1")));
            Eventually.holds(
                    "two of the many have made room",
                    () -> many.stream().filter(StalledBodiesTest::isUnanswered).count() == 2);
            for (Socket socket : many) {
                if (!isUnanswered(socket)) {
                    assertThat(untilItCloses(socket)).contains("HTTP/1.1 408").contains("too-slow");
                }
            }
            for (Socket socket : few) {
                more(socket, "name=bob");
                assertThat(answer(socket)).contains("\"available\":true");
                socket.close();
            }
            many.forEach(StalledBodiesTest::close);
        }
    }

    private static String unfinished(String client) {
        return POST + "X-Forwarded-For: " + client + "\r\nContent-Length: 12\r\n\r\nuser";
    }

    /** Gone, ended or answered: each leaves room, or what comes later would end one that is honest. */
    @ParameterizedTest
    @EnumSource
    void whatHasEndedTakesNoRoom(Container container) throws Exception {
        try (Container.Running server = serve(container, ENDLESS, unlimited().pendingBodies(1))) {
            for (String rest : List.of("name=bob", "name=%zz", "name=" + "x".repeat(9000))) {
                try (Socket other = send(server, POST + "Transfer-Encoding: chunked\r\n\r\n4\r\nuser\r\n")) {
                    more(other, Integer.toHexString(rest.length()) + "\r\n" + rest + "\r\n0\r\n\r\n");
                    assertThat(answer(other)).containsPattern("HTTP/1.1 (200|400|413)");
                    try (Socket socket = send(server, POST + "Content-Length: 12\r\n\r\nuser")) {
                        more(socket, "name=bob");
                        assertThat(answer(socket)).contains("\"available\":true");
                    }
                }
            }
        }
    }

    /** What the log would say of one would be said of a filter in front that takes bodies away. */
    @ParameterizedTest
    @EnumSource
    void anEmptyBodyInPiecesIsMissingAndNotLogged(Container container) throws Exception {
        try (LoggedLines log = new LoggedLines();
                Container.Running server = serve(container, ENDLESS);
                Socket socket = send(server, POST + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")) {
            assertThat(answer(socket)).contains("HTTP/1.1 400").contains("missing");
            assertThat(log.warnings("container's parameters")).isEmpty();
        }
    }

    /** A client that goes away is nobody's fault. */
    @ParameterizedTest
    @EnumSource
    void clientsThatGoAwayAreNotLogged(Container container) throws Exception {
        try (LoggedLines log = new LoggedLines("io.github.untaken.servlet");
                Container.Running server = serve(
                        container,
                        SHORT,
                        EndpointSettings.builder()
                                .limiter(client -> ClientLimiter.Decision.admit())
                                .pendingBodies(1000))) {
            for (int i = 0; i < 100; i++) {
                send(server, POST + "Content-Length: 12\r\n\r\nuser").close();
                Socket reset = send(server, POST + "Transfer-Encoding: chunked\r\n\r\n4\r\nuser\r\n");
                reset.setSoLinger(true, 0);
                reset.close();
            }
            assertThat(untilItCloses(send(server, POST + "Content-Length: 12\r\n\r\n")))
                    .contains("408");
            assertThat(log.warnings()).isEmpty();
        }
    }
}
