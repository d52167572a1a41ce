package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.Verdict.Status;
import io.github.untaken.http.CheckMethod;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointListener;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointStats;
import io.github.untaken.http.KindMode;
import io.github.untaken.http.RequestGate;
import io.github.untaken.testkit.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What an operator sees of the endpoint. */
class EndpointStatsTest {
    private static int get(Container.Running server, String query, String headers) throws IOException {
        return RawHttp.send(
                        server.port(),
                        "GET /app/availability?" + query + " HTTP/1.1\r\nHost: x\r\n" + headers
                                + "Connection: close\r\n\r\n")
                .status();
    }

    @Test
    void countsWhatWasAnsweredAndHowLongItTook() throws Exception {
        List<Integer> told = new CopyOnWriteArrayList<>();
        List<Long> times = new CopyOnWriteArrayList<>();
        EndpointListener listener = new EndpointListener() {
            @Override
            public void responded(int status, long nanos) {
                told.add(status);
                times.add(nanos);
            }

            @Override
            public void forwardedByStranger(String header) {
                throw new IllegalStateException(header);
            }
        };
        try (UserTable users = new UserTable("alice");
                AvailabilityChecker checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                        .store(USERNAME, users)
                        .store(PHONE, new UserTable())
                        .normalizer(PHONE, new Digits()))) {
            AvailabilityServletFilter filter = new AvailabilityServletFilter(
                    checker,
                    EndpointSettings.builder()
                            .limiter(ClientLimiter.perMinute(1, 7))
                            .gate(RequestGate.allowAll())
                            .methods(PHONE, CheckMethod.GET)
                            .listener(listener)
                            .build());
            try (Container.Running server =
                    Container.JETTY.start(context -> Container.everywhere(context, "availability", filter))) {
                long began = System.nanoTime();
                EndpointStats none = filter.stats().orElseThrow();
                assertThat(none.responses()).isEmpty();
                assertThat(none.latency().longest()).isZero();
                assertThat(get(server, "username=bob", "")).isEqualTo(200);
                assertThat(get(server, "username=alice", "")).isEqualTo(200);
                assertThat(get(server, "username=bob&phone=12345", "")).isEqualTo(200);
                assertThat(get(server, "username=x", "")).isEqualTo(200);
                assertThat(get(server, "username=", "")).isEqualTo(400);
                assertThat(get(server, "x=y", "X-Forwarded-For: 1.2.3.4\r\n")).isEqualTo(400);
                checker.close();
                assertThat(get(server, "username=bob", "")).isEqualTo(503);
                assertThat(get(server, "username=bob", "")).isEqualTo(429);
                assertThat(RawHttp.send(server.port(), "OPTIONS", "/app/availability")
                                .status())
                        .isEqualTo(204);
                // The response comes before it is counted, so the next may overtake it.
                Eventually.holds("all are counted", () -> told.size() == 9);
                EndpointStats stats = filter.stats().orElseThrow();
                assertThat(stats.responses()).isEqualTo(Map.of(200, 4L, 204, 1L, 400, 2L, 429, 1L, 503, 1L));
                assertThat(stats.answers())
                        .isEqualTo(Map.of(
                                USERNAME,
                                Map.of(
                                        Status.AVAILABLE, 2L,
                                        Status.TAKEN, 1L,
                                        Status.INVALID, 1L,
                                        Status.UNKNOWN, 1L),
                                PHONE,
                                Map.of(Status.AVAILABLE, 1L)));
                assertThat(stats.refusals()).isEqualTo(Map.of("empty", 1L, "missing", 1L, "too-many-requests", 1L));
                assertThat(stats.forwardedByStrangers()).isEqualTo(1);
                assertThat(stats.faults()).as("the listener's own").isEqualTo(1);

                assertThat(told).containsExactlyInAnyOrder(200, 200, 200, 200, 400, 400, 503, 429, 204);
                EndpointStats.Latency latency = stats.latency();
                assertThat(latency.responses()).isEqualTo(9);
                assertThat(latency.total().toNanos())
                        .isEqualTo(times.stream().mapToLong(Long::longValue).sum());
                assertThat(latency.longest().toNanos())
                        .isLessThan(System.nanoTime() - began)
                        .isEqualTo(
                                times.stream().mapToLong(Long::longValue).max().orElseThrow());
                for (EndpointStats.Step step : latency.steps()) {
                    assertThat(step.responses())
                            .as("%s", step.upTo())
                            .isEqualTo(times.stream()
                                    .filter(time -> time <= step.upTo().toNanos())
                                    .count());
                }
            }
        }
    }

    @Test
    void aBlindAnswerTakesWhatTheClientWaits() throws Exception {
        List<Long> times = new CopyOnWriteArrayList<>();
        try (AvailabilityChecker checker = ReadyCheckers.ready(
                AvailabilityChecker.builder().store(PHONE, new UserTable()).normalizer(PHONE, new Digits()))) {
            AvailabilityServletFilter filter = new AvailabilityServletFilter(
                    checker,
                    EndpointSettings.builder()
                            .mode(PHONE, KindMode.BLIND)
                            .methods(PHONE, CheckMethod.GET)
                            .blindStep(Duration.ofMillis(30))
                            .listener(new EndpointListener() {
                                @Override
                                public void responded(int status, long nanos) {
                                    times.add(nanos);
                                }
                            })
                            .build());
            try (Container.Running server =
                    Container.JETTY.start(context -> Container.everywhere(context, "availability", filter))) {
                assertThat(get(server, "phone=12345", "")).isEqualTo(200);
                Eventually.holds("it is counted", () -> times.size() == 1);
                assertThat(times.get(0)).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
            }
        }
    }
}
