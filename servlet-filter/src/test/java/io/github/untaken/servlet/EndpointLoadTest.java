package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.KindMode;
import io.github.untaken.testkit.Eventually;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a visitor notices while others do what they can, in figures that are printed; what is asserted leaves a machine room. */
@Tag("nightly")
class EndpointLoadTest {
    private static final int NAMES = 2_000;
    private static final int CLIENTS = 300;
    private static final int SAMPLES = 2_000;

    private final StoppableStore names = new StoppableStore(
            IntStream.range(0, NAMES).mapToObj(i -> "taken" + i).collect(Collectors.toSet()));
    private final StoppableStore mailboxes = new StoppableStore(IntStream.range(0, NAMES)
            .mapToObj(i -> "taken" + i + "@example.org")
            .collect(Collectors.toSet()));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private AvailabilityChecker checker;

    @BeforeEach
    void open() {
        checker = AvailabilityChecker.builder()
                .store(USERNAME, names)
                .store(EMAIL, mailboxes)
                .normalizer(EMAIL, new Mailboxes())
                .build();
        Eventually.holds(
                "both are ready",
                () -> checker.state(USERNAME) == KindState.READY && checker.state(EMAIL) == KindState.READY);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        names.start();
        checker.close();
    }

    private Container.Running serve(Container container) throws Exception {
        EndpointSettings settings = EndpointSettings.builder()
                .limiter(ClientLimiter.unlimited())
                .recheckLimit(60_000_000, 1_000_000)
                .maxWaitingChecks(
                        Container.THREADS / 4) // as docs/http.md says: below a third of the container's threads
                .mode(EMAIL, KindMode.BLIND)
                .build();
        return container.start(context ->
                Container.everywhere(context, "availability", new AvailabilityServletFilter(checker, settings)));
    }

    /** A kept connection that asks one question after the other. */
    private static final class Client implements AutoCloseable {
        private final int port;
        private final byte[] buffer = new byte[8192];
        private Socket socket;

        Client(Container.Running server) throws IOException {
            port = server.port();
            socket = connect();
        }

        private Socket connect() throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(60_000);
            return socket;
        }

        String get(String query) throws IOException {
            return send("GET /app/availability?" + query + " HTTP/1.1\r\nHost: x\r\n\r\n");
        }

        String post(String form) throws IOException {
            return send("POST /app/availability HTTP/1.1\r\nHost: x\r\nContent-Type:"
                    + " application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n\r\n" + form);
        }

        private String send(String request) throws IOException {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            StringBuilder all = new StringBuilder();
            int whole = Integer.MAX_VALUE;
            while (all.length() < whole) {
                int more = in.read(buffer);
                if (more < 0) {
                    throw new IOException("closed");
                }
                all.append(new String(buffer, 0, more, StandardCharsets.ISO_8859_1));
                int end = all.indexOf("\r\n\r\n");
                if (end >= 0 && whole == Integer.MAX_VALUE) {
                    String head = all.substring(0, end).toLowerCase(Locale.ROOT);
                    int at = head.indexOf("content-length:") + "content-length:".length();
                    int line = head.indexOf("\r\n", at);
                    whole = end
                            + 4
                            + Integer.parseInt(
                                    head.substring(at, line < 0 ? end : line).strip());
                }
            }
            if (all.indexOf("Connection: close") >= 0) { // Tomcat keeps it for a hundred requests
                socket.close();
                socket = connect();
            }
            return all.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private interface Question {
        void ask(Client client, int number) throws IOException;
    }

    /** Asks at this pace until it is interrupted, on so many connections. */
    private void load(Container.Running server, int clients, Duration pause, Question question) {
        for (int c = 0; c < clients; c++) {
            int first = c * 7;
            threads.execute(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    try (Client client = new Client(server)) {
                        for (int i = first; !Thread.currentThread().isInterrupted(); i++) {
                            question.ask(client, i);
                            LockSupport.parkNanos(pause.toNanos());
                        }
                    } catch (IOException e) {
                        // It comes again.
                    }
                }
            });
        }
    }

    /** Nanoseconds for free names, in order. */
    private long[] free(Container.Running server, int count) throws Exception {
        List<Future<long[]>> all = new ArrayList<>();
        for (int c = 0; c < 4; c++) {
            all.add(threads.submit(() -> {
                long[] took = new long[count / 4];
                try (Client client = new Client(server)) {
                    for (int i = 0; i < took.length; i++) {
                        long began = System.nanoTime();
                        assertThat(client.get("username=free" + i)).contains("\"available\":true");
                        took[i] = System.nanoTime() - began;
                        LockSupport.parkNanos(1_000_000);
                    }
                }
                return took;
            }));
        }
        List<Long> took = new ArrayList<>();
        for (Future<long[]> one : all) {
            Arrays.stream(one.get()).forEach(took::add);
        }
        return took.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private static double millis(long[] sorted, double share) {
        return sorted[(int) (share * (sorted.length - 1))] / 1e6;
    }

    @ParameterizedTest
    @EnumSource
    void freeNamesAreAnsweredWhileTheStoreStandsStill(Container container) throws Exception {
        try (Container.Running server = serve(container)) {
            load(server, CLIENTS, Duration.ofMillis(100), (client, i) -> client.get("username=taken" + i % NAMES));
            free(server, 4_000); // warm
            long[] running = free(server, 8_000);
            names.stop();
            free(server, 400);
            long[] stopped = free(server, 4_000);
            System.out.printf(
                    Locale.ROOT,
                    "%s %s: free names beside %d clients asking for taken ones: store running p50 %.2f ms, p99 %.2f"
                            + " ms; stopped p50 %.2f ms, p99 %.2f ms%n",
                    container,
                    Container.OLDER ? "6.0" : "6.1",
                    CLIENTS,
                    millis(running, 0.5),
                    millis(running, 0.99),
                    millis(stopped, 0.5),
                    millis(stopped, 0.99));
            assertThat(millis(stopped, 0.99)).isLessThan(Math.max(500, 2 * millis(running, 0.99)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBlindAnswerTakesAsLongForEverybody(Container container) throws Exception {
        try (Container.Running server = serve(container)) {
            separation(server, 1); // warm
            double idle = separation(server, SAMPLES);
            load(server, 50, Duration.ofMillis(20), (client, i) -> client.post(mail(i % 2 == 0, i)));
            load(server, 50, Duration.ofMillis(20), (client, i) -> client.get("username=taken" + i % NAMES));
            double busy = separation(server, SAMPLES);
            System.out.printf(
                    Locale.ROOT,
                    "%s %s: AUC of taken against free mailboxes, %d samples each: idle %.4f, under load %.4f%n",
                    container,
                    Container.OLDER ? "6.0" : "6.1",
                    SAMPLES,
                    idle,
                    busy);
            // Four standard deviations of an AUC that is 0.5.
            assertThat(idle).isBetween(0.46, 0.54);
            assertThat(busy).isBetween(0.46, 0.54);
        }
    }

    private static String mail(boolean taken, int i) {
        return "email=" + (taken ? "taken" : "other") + i % NAMES + "%40example.org";
    }

    private record Sample(long nanos, boolean taken) {}

    /** The share of pairs in which the taken one took longer. */
    private double separation(Container.Running server, int each) throws Exception {
        List<Integer> order = new ArrayList<>();
        IntStream.range(0, 2 * each).forEach(order::add);
        Collections.shuffle(order, new Random(14));
        List<Future<List<Sample>>> all = new ArrayList<>();
        int connections = 4;
        for (int c = 0; c < connections; c++) {
            int part = c;
            all.add(threads.submit(() -> {
                List<Sample> samples = new ArrayList<>();
                try (Client client = new Client(server)) {
                    for (int i = part; i < order.size(); i += connections) {
                        boolean taken = order.get(i) % 2 == 0;
                        String form = mail(taken, order.get(i) / 2);
                        long began = System.nanoTime();
                        assertThat(client.post(form)).contains("not_disclosed");
                        samples.add(new Sample(System.nanoTime() - began, taken));
                    }
                }
                return samples;
            }));
        }
        List<Sample> samples = new ArrayList<>();
        for (Future<List<Sample>> one : all) {
            samples.addAll(one.get());
        }
        samples.sort((a, b) -> Long.compare(a.nanos(), b.nanos()));
        double rankSum = 0;
        for (int i = 0; i < samples.size(); i++) {
            rankSum += samples.get(i).taken() ? i + 1 : 0;
        }
        return (rankSum - each * (each + 1.0) / 2) / ((double) each * each);
    }
}
