package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.testkit.Seed;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many people at once ask for names that are taken, as on the first day: a healthy site has an answer for each. */
class BurstTest {
    private static final int CLIENTS = 40;
    private static final int EACH = 100;
    private static final int NAMES = 2_000;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void aBurstOfTakenNamesIsAnswered() throws Exception {
        long seed = Seed.of(BurstTest.class, 20261124);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        Map<Integer, Integer> statuses = new TreeMap<>();
        try (UserTable users = new UserTable(
                        IntStream.range(0, NAMES).mapToObj(i -> "taken" + i).toArray(String[]::new));
                AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
                Container.Running server = Container.JETTY.start(context -> Container.everywhere(
                        context,
                        "availability",
                        new AvailabilityServletFilter(
                                checker,
                                EndpointSettings.builder()
                                        .limiter(ClientLimiter.unlimited())
                                        .build())))) {
            CountDownLatch together = new CountDownLatch(CLIENTS);
            List<Future<List<HttpResponse<String>>>> clients = new ArrayList<>();
            for (int c = 0; c < CLIENTS; c++) {
                Random random = new Random(seed + c);
                clients.add(threads.submit(() -> {
                    together.countDown();
                    together.await();
                    List<HttpResponse<String>> answers = new ArrayList<>();
                    for (int i = 0; i < EACH; i++) {
                        answers.add(ask(server, "taken" + random.nextInt(NAMES)));
                    }
                    return answers;
                }));
            }
            for (Future<List<HttpResponse<String>>> asked : clients) {
                for (HttpResponse<String> answer : asked.get()) {
                    statuses.merge(answer.statusCode(), 1, Integer::sum);
                    assertThat(answer.body()).doesNotContain("\"available\":true");
                }
            }
            assertThat(statuses).containsExactly(Map.entry(200, CLIENTS * EACH));
        } finally {
            threads.shutdownNow();
        }
    }

    private HttpResponse<String> ask(Container.Running server, String name) throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.uri("/availability?username=" + name))
                        .timeout(Duration.ofMinutes(1))
                        .build(),
                BodyHandlers.ofString());
    }
}
