package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.http.CheckMethod;
import io.github.untaken.http.ClientKey;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.ClientLimiter.Decision;
import io.github.untaken.http.ClientNetwork;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.RequestGate;
import io.github.untaken.http.WatchRule;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import io.github.untaken.testkit.StoreGate;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What settings do to answers, and which settings are refused. */
class EndpointPolicyTest {
    private static final IdentifierKind NICK = IdentifierKind.of("nick");

    private @Nullable AvailabilityChecker checker;

    @AfterEach
    void close() {
        if (checker != null) {
            checker.close();
        }
    }

    private AvailabilityChecker checkerOf(IdentifierKind... kinds) throws SQLException {
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder();
        for (IdentifierKind kind : kinds) {
            builder.store(kind, new UserTable("alice", "13800138000"));
            if (!kind.equals(USERNAME)) {
                builder.normalizer(kind, new Digits());
            }
        }
        AvailabilityChecker made = ReadyCheckers.ready(builder);
        checker = made;
        return made;
    }

    private static EndpointSettingsBuilder guarded() {
        return EndpointSettings.builder().limiter(ClientLimiter.unlimited()).gate(RequestGate.allowAll());
    }

    private static Container.Running serve(AvailabilityChecker checker, EndpointSettings settings) throws Exception {
        return Container.JETTY.start(context ->
                Container.everywhere(context, "availability", new AvailabilityServletFilter(checker, settings)));
    }

    private static RawHttp.Answer get(Container.Running server, String pathAndQuery) throws IOException {
        return RawHttp.send(server.port(), "GET", "/app" + pathAndQuery);
    }

    private static RawHttp.Answer post(Container.Running server, String form) throws IOException {
        return RawHttp.send(
                server.port(),
                "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type:"
                        + " application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n\r\n" + form);
    }

    private static String type(RawHttp.Answer answer) {
        String type = (String) Json.object(answer.body()).get("type");
        return type.substring(type.indexOf(':', 4) + 1);
    }

    @Test
    void aNameThatIsStoredInAnotherSpellingIsTakenAndSaysWhy() throws Exception {
        AvailabilityChecker made =
                ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, new UserTable("Alice", "bob")));
        checker = made;
        try (Container.Running server = serve(made, guarded().build())) {
            assertThat(get(server, "/availability?username=alice").body())
                    .contains("\"status\":\"taken\",\"available\":false", "\"reason\":\"variant\"");
            assertThat(get(server, "/availability?username=bob").body())
                    .contains("\"status\":\"taken\"")
                    .doesNotContain("reason");
        }
    }

    @Test
    void aClientOverItsLimitIsToldWhenToComeBack() throws Exception {
        List<ClientKey> asked = new CopyOnWriteArrayList<>();
        ClientLimiter limiter = client -> {
            asked.add(client);
            return asked.size() <= 2 ? Decision.admit() : Decision.refuse(Duration.ofMillis(2001));
        };
        AvailabilityChecker made = checkerOf(USERNAME);
        try (Container.Running server =
                serve(made, EndpointSettings.builder().limiter(limiter).build())) {
            assertThat(get(server, "/availability?username=bob").status()).isEqualTo(200);
            assertThat(get(server, "/availability?username=%zz").status()).isEqualTo(400);
            long checks = made.stats(USERNAME).answers().checks();
            RawHttp.Answer refused = get(server, "/availability?username=bob");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers()).containsEntry("retry-after", "3").containsEntry("cache-control", "no-store");
            assertThat(type(refused)).isEqualTo("too-many-requests");
            assertThat(made.stats(USERNAME).answers().checks()).isEqualTo(checks);
            RawHttp.send(
                    server.port(),
                    "GET /app/availability?username=bob HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                            + "X-Forwarded-For: 203.0.113.9\r\nForwarded: for=203.0.113.9\r\n\r\n");
            assertThat(asked)
                    .hasSize(4)
                    .containsOnly(new ClientKey("127.0.0.1", List.of(new ClientNetwork("127.0.0.0/24", 8))));
        }
    }

    @Test
    void aLimitThatEndsNowStillSaysOneSecond() throws Exception {
        try (Container.Running server = serve(
                checkerOf(USERNAME),
                EndpointSettings.builder()
                        .limiter(client -> Decision.refuse(Duration.ZERO))
                        .build())) {
            assertThat(get(server, "/availability?username=bob").headers()).containsEntry("retry-after", "1");
        }
    }

    @Test
    void aGateCloses() throws Exception {
        AvailabilityChecker made = checkerOf(USERNAME, PHONE);
        RequestGate gate = (request, kind) -> kind.equals(USERNAME) || request.header("X-Token") != null;
        try (Container.Running server = serve(
                made,
                EndpointSettings.builder()
                        .limiter(ClientLimiter.unlimited())
                        .gate(gate)
                        .build())) {
            assertThat(post(server, "username=bob").status()).isEqualTo(200);
            long checks = made.stats(USERNAME).answers().checks();
            for (String form : List.of("phone=13800138000", "username=bob&phone=13800138000")) {
                RawHttp.Answer refused = post(server, form);
                assertThat(refused.status()).isEqualTo(403);
                assertThat(type(refused)).isEqualTo("refused");
                assertThat(Json.object(refused.body()).get("field")).isEqualTo("phone");
            }
            assertThat(made.stats(USERNAME).answers().checks()).isEqualTo(checks);
            assertThat(made.stats(PHONE).answers().checks()).isZero();
        }
    }

    @Test
    void theDecisionShowsOnlyWhereItIsAskedFor() throws Exception {
        AvailabilityChecker made = checkerOf(USERNAME);
        try (Container.Running server =
                serve(made, guarded().exposeDecision(true).build())) {
            assertThat(get(server, "/availability?username=alice").body()).contains("\"decidedBy\":\"store\"");
            assertThat(get(server, "/availability?username=bob").body()).contains("\"decidedBy\":\"filter\"");
        }
        try (Container.Running server = serve(made, guarded().build())) {
            assertThat(get(server, "/availability?username=alice").body()).doesNotContain("decidedBy");
        }
    }

    @Test
    void whatNobodyKnowsIsNeverAvailable() throws Exception {
        RegisteredIdentifierStore down = new RegisteredIdentifierStore() {
            @Override
            public Presence exists(String key, Duration timeout) {
                throw new StoreException("down");
            }

            @Override
            public void scan(Consumer<String> values) {
                throw new StoreException("down");
            }
        };
        try (AvailabilityChecker made = AvailabilityChecker.builder()
                        .store(USERNAME, down)
                        .store(NICK, new UserTable())
                        .normalizer(NICK, new Digits())
                        .build();
                Container.Running server = serve(made, guarded().build())) {
            RawHttp.Answer unknown = get(server, "/availability?username=bob");
            assertThat(unknown.status()).isEqualTo(503);
            assertThat(unknown.headers())
                    .containsEntry("retry-after", "1")
                    .containsEntry("content-type", "application/problem+json");
            assertThat(type(unknown)).isEqualTo("unknown");
            assertThat(Json.object(unknown.body()).get("availability")).isEqualTo("unknown");
            assertThat(Json.object(unknown.body()).get("field")).isEqualTo("username");

            RawHttp.Answer several = get(server, "/availability?nick=12345&username=bob");
            assertThat(several.status()).isEqualTo(503);
            assertThat(several.headers()).containsEntry("retry-after", "1");
            assertThat(Json.object(several.body()).get("availability")).isEqualTo("unknown");
            assertThat((List<?>) Json.object(several.body()).get("results"))
                    .last()
                    .isEqualTo(Map.of(
                            "field", "username",
                            "value", "bob",
                            "status", "unknown",
                            "available", false,
                            "reason", "store_unavailable"));
            made.close();
            assertThat(get(server, "/availability?nick=12345").status()).isEqualTo(503);
        }
    }

    @Test
    void aDatabaseThatIsDownAtTheStartIsWaitedFor() throws Exception {
        AtomicBoolean up = new AtomicBoolean();
        try (UserTable table = new UserTable("alice");
                AvailabilityChecker made = AvailabilityChecker.builder()
                        .singleWriter(false)
                        .store(USERNAME, new RegisteredIdentifierStore() {
                            @Override
                            public Presence exists(String key, Duration timeout) {
                                return whenUp().exists(key, timeout);
                            }

                            @Override
                            public void scan(Consumer<String> values) {
                                whenUp().scan(values);
                            }

                            private RegisteredIdentifierStore whenUp() {
                                if (!up.get()) {
                                    throw new StoreException("down");
                                }
                                return table;
                            }
                        })
                        .build();
                Container.Running server = serve(made, guarded().build())) {
            for (String name : List.of("alice", "bob")) {
                RawHttp.Answer unknown = get(server, "/availability?username=" + name);
                assertThat(unknown.status()).isEqualTo(503);
                assertThat(unknown.headers()).containsEntry("retry-after", "1");
            }
            assertThat(get(server, "/availability?username=x").body()).contains("invalid");
            up.set(true);
            assertThat(get(server, "/availability?username=alice").body()).contains("taken");
            made.rescan(USERNAME);
            Eventually.holds("the scan has ended", () -> made.state(USERNAME) == KindState.READY);
            assertThat(get(server, "/availability?username=alice").body()).contains("taken");
            assertThat(get(server, "/availability?username=bob").body()).contains("\"status\":\"available\"");
        }
    }

    @Test
    void beforeTheFirstScanHasEndedTheDatabaseAnswers() throws Exception {
        InMemoryIdentifierStore store = new InMemoryIdentifierStore();
        store.add("alice");
        StoreGate scan = store.holdScanAfter(0);
        try (AvailabilityChecker made = AvailabilityChecker.builder()
                        .store(USERNAME, store)
                        .recheckTimeout(Duration.ofSeconds(20))
                        .build();
                Container.Running server = serve(made, guarded().build())) {
            scan.awaitArrival();
            assertThat(get(server, "/availability?username=bob").body()).contains("\"status\":\"available\"");
            assertThat(get(server, "/availability?username=alice").body()).contains("taken");
            scan.open();
        }
    }

    @Test
    void pathKindsAndMethodsAreSettings() throws Exception {
        AvailabilityChecker made = checkerOf(USERNAME, PHONE, NICK);
        try (Container.Running server = serve(
                made,
                guarded()
                        .path("/api/is free")
                        .kinds(PHONE, NICK)
                        .methods(PHONE, CheckMethod.GET)
                        .methods(NICK, CheckMethod.GET)
                        .build())) {
            assertThat(get(server, "/api/is%20free?phone=13800138000").body()).contains("taken");
            assertThat(get(server, "/api/is%20free?nick=12345").body()).contains("available");
            assertThat(type(get(server, "/api/is%20free?username=bob"))).isEqualTo("missing");
            assertThat(get(server, "/availability?phone=13800138000").status()).isEqualTo(404);
            RawHttp.Answer post = RawHttp.send(server.port(), "POST", "/app/api/is%20free");
            assertThat(post.status()).isEqualTo(405);
            assertThat(post.headers()).containsEntry("allow", "GET, HEAD, OPTIONS");
        }
    }

    @Test
    void phoneAndEmailDoNotStartOpen() throws Exception {
        for (IdentifierKind kind : List.of(PHONE, EMAIL)) {
            AvailabilityChecker made = checkerOf(USERNAME, kind);
            for (EndpointSettings settings : List.of(
                    EndpointSettings.defaults(),
                    EndpointSettings.builder()
                            .limiter(ClientLimiter.unlimited())
                            .build(),
                    EndpointSettings.builder().gate(RequestGate.allowAll()).build())) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> new AvailabilityServletFilter(made, settings))
                        .withMessageContaining("'" + kind + "'")
                        .withMessageContaining("limiter(...)")
                        .withMessageContaining("gate(...)");
            }
            assertThat(new AvailabilityServletFilter(
                            made, EndpointSettings.builder().kinds(USERNAME).build()))
                    .isNotNull();
            made.close();
        }
    }

    @Test
    void settingsThatDoNotFitAreRefused() throws Exception {
        AvailabilityChecker made = checkerOf(USERNAME);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AvailabilityServletFilter(
                        made, guarded().kinds(PHONE).build()))
                .withMessageContaining("'phone'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AvailabilityServletFilter(
                        made, guarded().methods(PHONE, CheckMethod.POST).build()))
                .withMessageContaining("'phone'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AvailabilityServletFilter(
                        made,
                        guarded()
                                .watch(WatchRule.on("POST", "/x")
                                        .registers(PHONE)
                                        .fromParameter("p"))
                                .build()))
                .withMessageContaining("'phone'");
        for (String path : List.of("", "availability", "/a?b", "/a;b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> EndpointSettings.builder().path(path));
        }
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> EndpointSettings.builder().exposeDecision(true).exposeDecision(true))
                .withMessage("exposeDecision was already set");
        assertThatIllegalArgumentException().isThrownBy(() -> Decision.refuse(Duration.ofNanos(-1)));
    }

    @Test
    void theCheckerMayStandInTheServletContext() throws Exception {
        AvailabilityChecker made = checkerOf(USERNAME);
        for (Container container : Container.values()) {
            try (Container.Running server = container.start(context -> {
                context.setAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE, made);
                Container.everywhere(context, "availability", new AvailabilityServletFilter());
            })) {
                assertThat(get(server, "/availability?username=alice").body()).contains("taken");
            }
        }
    }

    @Test
    void withoutACheckerItDoesNotStart() {
        assertThat(catchThrowable(() -> Container.JETTY.start(
                        context -> Container.everywhere(context, "availability", new AvailabilityServletFilter()))))
                .hasStackTraceContaining(
                        "the ServletContext attribute io.github.untaken.AvailabilityChecker must hold");
    }
}
