package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.http.AvailabilityEndpoint;
import io.github.untaken.http.CheckMethod;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.KindMode;
import io.github.untaken.http.RequestGate;
import io.github.untaken.http.ShortTimes;
import io.github.untaken.http.spi.CheckBody;
import io.github.untaken.http.spi.CheckExchange;
import io.github.untaken.http.spi.CheckRequest;
import io.github.untaken.http.spi.EndpointResponse;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A front end whose threads must not wait: they answer what memory knows, and threads of the endpoint all else. */
class EventLoopTest {
    private static final Duration STEP = Duration.ofMillis(40);

    private final StoppableStore names = new StoppableStore(Set.of("alice"));
    private @Nullable AvailabilityChecker checker;
    private @Nullable AvailabilityEndpoint endpoint;

    @AfterEach
    void close() {
        names.start();
        if (endpoint != null) {
            endpoint.close();
        }
        if (checker != null) {
            checker.close();
        }
    }

    private AvailabilityEndpoint endpoint(AvailabilityCheckerBuilder builder, EndpointSettingsBuilder settings) {
        checker = ReadyCheckers.ready(builder);
        endpoint = new AvailabilityEndpoint(checker, settings.build());
        return endpoint;
    }

    private AvailabilityEndpoint ofNames() {
        return endpoint(
                AvailabilityChecker.builder().store(USERNAME, names),
                EndpointSettings.builder().limiter(ClientLimiter.unlimited()));
    }

    /** E-mail addresses are blind, names are not. */
    private AvailabilityEndpoint ofBlindMailboxes() {
        EndpointSettingsBuilder settings = EndpointSettings.builder()
                .limiter(ClientLimiter.unlimited())
                .gate(RequestGate.allowAll())
                .mode(EMAIL, KindMode.BLIND)
                .methods(EMAIL, CheckMethod.GET);
        ShortTimes.ofBlindKinds(settings, STEP);
        return endpoint(
                AvailabilityChecker.builder()
                        .store(USERNAME, names)
                        .store(EMAIL, new StoppableStore(Set.of("alice@example.org")))
                        .normalizer(EMAIL, new Mailboxes()),
                settings);
    }

    private static Exchange ask(AvailabilityEndpoint endpoint, String query) {
        Exchange exchange = new Exchange(query, true);
        endpoint.handle(exchange);
        return exchange;
    }

    private record Answered(int status, String body, String thread) {}

    private record Query(String query) implements CheckRequest {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/availability";
        }

        @Override
        public @Nullable String header(String name) {
            return null;
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public String remoteAddress() {
            return "127.0.0.1";
        }

        @Override
        public long length() {
            return -1;
        }

        @Override
        public boolean hasSession() {
            return false;
        }

        @Override
        public Optional<Object> sessionAttribute(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<Principal> principal() {
            return Optional.empty();
        }

        @Override
        public <T> Optional<T> unwrap(Class<T> type) {
            return Optional.empty();
        }
    }

    private static final class Exchange implements CheckExchange {
        private final Query request;
        private final boolean canWait;
        private final List<Answered> answers = new CopyOnWriteArrayList<>();
        private volatile @Nullable Runnable atLast;

        Exchange(String query, boolean canWait) {
            this.request = new Query(query);
            this.canWait = canWait;
        }

        @Override
        public CheckRequest request() {
            return request;
        }

        @Override
        public Optional<CheckBody> bodyAtHand() {
            return Optional.empty();
        }

        @Override
        public Arrival awaitBody(Consumer<CheckBody> then) {
            throw new UnsupportedOperationException("a query has no body");
        }

        @Override
        public boolean canWait() {
            return canWait;
        }

        @Override
        public boolean mayBlock() {
            return false;
        }

        @Override
        public void waitForAnswer(Runnable told) {
            atLast = told;
        }

        @Override
        public void answer(EndpointResponse response) {
            String body =
                    StandardCharsets.UTF_8.decode(response.body().duplicate()).toString();
            answers.add(
                    new Answered(response.status(), body, Thread.currentThread().getName()));
        }

        boolean waits() {
            return atLast != null;
        }

        Answered onlyAnswer() {
            Eventually.holds("it is answered", () -> !answers.isEmpty());
            assertThat(answers).hasSize(1);
            return answers.get(0);
        }
    }

    /** Of a table without rows; it can stop telling what was committed. */
    private static final class StalledLog implements ChangeFeed, RegisteredIdentifierStore.Barrier {
        private volatile CountDownLatch goesOn = new CountDownLatch(0);

        void stall() {
            goesOn = new CountDownLatch(1);
        }

        void goOn() {
            goesOn.countDown();
        }

        @Override
        public Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
            return stores.keySet();
        }

        @Override
        public void connect(ChangeSink sink) {
            sink.following();
        }

        @Override
        public void awaitMark(Duration timeout) {
            try {
                if (!goesOn.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                    throw new StoreException("the log stands still");
                }
            } catch (InterruptedException e) {
                throw new StoreException("told to end", e);
            }
        }

        @Override
        public void disconnect() {}

        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            return true;
        }

        @Override
        public Presence exists(String text, Duration timeout) {
            return Presence.of(false);
        }

        @Override
        public void scan(Consumer<String> values) {}
    }

    private static String here() {
        return Thread.currentThread().getName();
    }

    @Test
    void memoryAnswersBeforeTheCallReturns() {
        AvailabilityEndpoint endpoint = ofNames();
        names.stop();
        Map.of("bob", "available", "admin", "reserved", "", "\"status\":400").forEach((name, told) -> {
            Exchange exchange = ask(endpoint, "username=" + name);
            assertThat(exchange.waits()).isFalse();
            assertThat(exchange.answers).hasSize(1);
            assertThat(exchange.onlyAnswer().thread()).isEqualTo(here());
            assertThat(exchange.onlyAnswer().body()).contains(told);
        });
    }

    @Test
    void aThreadOfTheEndpointWaitsForTheStore() {
        AvailabilityEndpoint endpoint = ofNames();
        names.stop();
        Exchange exchange = ask(endpoint, "username=alice");
        assertThat(exchange.waits()).isTrue();
        Eventually.holds("the store is asked", () -> names.waiting() == 1);
        assertThat(exchange.answers).isEmpty();
        names.start();
        assertThat(exchange.onlyAnswer().body()).contains("\"status\":\"taken\"");
        assertThat(exchange.onlyAnswer().thread()).isEqualTo("untaken-endpoint-waiter");
    }

    @Test
    void onlyTheFirstAnswerIsSent() {
        AvailabilityEndpoint endpoint = ofNames();
        names.stop();
        Exchange exchange = ask(endpoint, "username=alice");
        exchange.atLast.run();
        assertThat(exchange.onlyAnswer().status()).isEqualTo(503);
        names.start();
        Eventually.holds(
                "the store has answered", () -> endpoint.stats().answers().containsKey(USERNAME));
        endpoint.close();
        Eventually.holds(
                "the thread has ended",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("untaken-endpoint-waiter")));
        assertThat(exchange.onlyAnswer().status()).isEqualTo(503);
    }

    @Test
    void afterCloseACheckThatNeedsTheStoreFailsAtOnce() {
        AvailabilityEndpoint endpoint = ofNames();
        endpoint.close();
        Exchange exchange = ask(endpoint, "username=alice");
        assertThat(exchange.answers).hasSize(1);
        assertThat(exchange.onlyAnswer().status()).isEqualTo(503);
        assertThat(ask(endpoint, "username=bob").onlyAnswer().body()).contains("available");
    }

    @Test
    void whatWaitsForNewsOfTheLogWaitsElsewhere() {
        StalledLog log = new StalledLog();
        AvailabilityEndpoint endpoint = endpoint(
                AvailabilityChecker.builder().store(USERNAME, log).feed(log).latest(USERNAME),
                EndpointSettings.builder().limiter(ClientLimiter.unlimited()));
        log.stall();
        Exchange exchange = ask(endpoint, "username=bob");
        assertThat(exchange.answers).isEmpty();
        assertThat(exchange.waits()).isTrue();
        log.goOn();
        assertThat(exchange.onlyAnswer().body()).contains("\"status\":\"available\"");
        assertThat(exchange.onlyAnswer().thread()).isEqualTo("untaken-endpoint-waiter");
    }

    @Test
    void aBlindAnswerIsSentByTheTimer() {
        AvailabilityEndpoint endpoint = ofBlindMailboxes();
        long began = System.nanoTime();
        Exchange exchange = ask(endpoint, "email=alice@example.org");
        assertThat(exchange.waits()).isTrue();
        Answered answer = exchange.onlyAnswer();
        assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(STEP.toNanos());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.thread()).isEqualTo("untaken-endpoint");
    }

    @Test
    void aBlindAnswerOfAFrontEndThatCannotAnswerLaterWaits() {
        AvailabilityEndpoint endpoint = ofBlindMailboxes();
        Exchange exchange = new Exchange("email=alice@example.org", false);
        long began = System.nanoTime();
        endpoint.handle(exchange);
        assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(STEP.toNanos());
        assertThat(exchange.answers).hasSize(1);
        assertThat(exchange.onlyAnswer().thread()).isEqualTo(here());
    }

    @Test
    void withABlindKindEvenWhatMemoryKnowsIsToldInSteps() {
        AvailabilityEndpoint endpoint = ofBlindMailboxes();
        long began = System.nanoTime();
        Exchange exchange = ask(endpoint, "username=bob&email=alice@example.org");
        assertThat(exchange.onlyAnswer().body()).contains("\"status\":\"available\"");
        assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(STEP.toNanos());
        assertThat(exchange.onlyAnswer().thread()).isEqualTo("untaken-endpoint");
    }
}
