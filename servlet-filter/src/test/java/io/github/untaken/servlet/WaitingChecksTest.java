package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.KindMode;
import io.github.untaken.http.ShortTimes;
import io.github.untaken.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What waits for the database, or for its time, leaves the threads of the container to others. */
class WaitingChecksTest {
    private static final int MOST = 3;

    private final StoppableStore store = new StoppableStore(
            IntStream.range(0, 100).mapToObj(i -> "taken" + i).collect(Collectors.toSet()));

    private static RawHttp.Answer get(Container.Running server, String query) {
        try {
            return RawHttp.send(server.port(), "GET", "/app/availability?" + query);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theNextIsToldThatNobodyKnows(Container container) throws Exception {
        ExecutorService clients = Executors.newCachedThreadPool();
        EndpointSettings settings = EndpointSettings.builder()
                .limiter(ClientLimiter.unlimited())
                .maxWaitingChecks(MOST)
                .build();
        try (AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, store));
                Container.Running server = container.start(context -> Container.everywhere(
                        context, "availability", new AvailabilityServletFilter(checker, settings)))) {
            for (int round = 0; round < 3; round++) {
                store.stop();
                List<CompletableFuture<RawHttp.Answer>> waiting = new ArrayList<>();
                for (int i = 0; i < MOST; i++) {
                    String query = "username=taken" + i;
                    waiting.add(CompletableFuture.supplyAsync(() -> get(server, query), clients));
                }
                Eventually.holds("all that may wait do", () -> store.waiting() == MOST);
                for (int i = MOST; i < 10; i++) {
                    RawHttp.Answer refused = get(server, "username=taken" + i);
                    assertThat(refused.status()).isEqualTo(503);
                    assertThat(refused.headers()).containsEntry("retry-after", "1");
                    assertThat(refused.body()).contains("\"reason\":\"max_waiting_checks\"");
                    // Soon, that is, before those that wait have given up.
                    assertThat(waiting).noneMatch(CompletableFuture::isDone);
                    assertThat(get(server, "username=free" + i).body()).contains("\"available\":true");
                }
                assertThat(get(server, "username=admin").body()).contains("reserved");
                store.start();
                for (CompletableFuture<RawHttp.Answer> answer : waiting) {
                    assertThat(answer.get().body()).contains("\"status\":\"taken\"");
                }
                // Each has given its place back.
                for (int i = 0; i < 100; i++) {
                    assertThat(get(server, "username=taken" + i).status()).isEqualTo(200);
                }
            }
        } finally {
            store.start();
            clients.shutdownNow();
        }
    }

    /** More than the containers have threads. */
    private static final int MANY = Container.THREADS + 36;

    @ParameterizedTest
    @EnumSource
    void aBlindAnswerHoldsNoThreadWhileItWaits(Container container) throws Exception {
        EndpointSettingsBuilder settings =
                EndpointSettings.builder().limiter(ClientLimiter.unlimited()).mode(EMAIL, KindMode.BLIND);
        ShortTimes.ofBlindKinds(settings, Duration.ofMinutes(1));
        String form = "email=taken1%40example.org";
        String request = "POST /app/availability HTTP/1.1\r\nHost: x\r\nContent-Type:"
                + " application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n\r\n" + form;
        List<Socket> waiting = new ArrayList<>();
        try (AvailabilityChecker checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                        .store(USERNAME, store)
                        .store(EMAIL, new StoppableStore(Set.of("taken1@example.org")))
                        .normalizer(EMAIL, new Mailboxes()));
                Container.Running server = container.start(context -> Container.everywhere(
                        context, "availability", new AvailabilityServletFilter(checker, settings.build())))) {
            for (int i = 0; i < MANY; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                waiting.add(socket);
            }
            Eventually.holds(
                    "all were looked at", () -> checker.stats(EMAIL).answers().checks() == MANY);
            assertThat(get(server, "username=bob").body()).contains("\"available\":true");
            for (Socket socket : waiting) {
                assertThat(socket.getInputStream().available()).isZero();
                socket.close();
            }
        }
    }
}
