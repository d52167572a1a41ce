package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.ClientLimiter.Decision;
import io.github.untaken.http.EndpointListener;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.ForwardingHeader;
import io.github.untaken.http.KindMode;
import io.github.untaken.http.OwnIdentifiers;
import io.github.untaken.http.RequestGate;
import io.github.untaken.http.SettingKeys;
import io.github.untaken.http.SuggestionPolicy;
import io.github.untaken.servlet.RawHttp.Answer;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.test.log.LoggedLines;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may ask, how often, and how much is told. */
class EndpointProtectionTest {
    private UserTable users;
    private UserTable mailboxes;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable(Stream.concat(
                        Stream.of("alice", "anna.smith", "annasmith", "thealice", "alice2026"),
                        IntStream.range(0, 500).mapToObj(i -> "taken" + i))
                .toArray(String[]::new));
        mailboxes = new UserTable(IntStream.range(0, 500)
                .mapToObj(i -> "taken" + i + "@example.org")
                .toArray(String[]::new));
        checker = ready(AvailabilityChecker.builder());
    }

    private AvailabilityChecker ready(AvailabilityCheckerBuilder builder) {
        return ReadyCheckers.ready(
                builder.store(USERNAME, users).store(EMAIL, mailboxes).normalizer(EMAIL, new Mailboxes()));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
        mailboxes.close();
    }

    private static EndpointSettingsBuilder blindMail() {
        return EndpointSettings.builder().mode(EMAIL, KindMode.BLIND);
    }

    private static EndpointSettingsBuilder unlimited() {
        return blindMail().limiter(ClientLimiter.unlimited());
    }

    private Container.Running serve(EndpointSettingsBuilder settings) throws Exception {
        return Container.JETTY.start(context -> {
            Container.everywhere(context, "availability", new AvailabilityServletFilter(checker, settings.build()));
            Container.serve(context, "/login", new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response)
                        throws ServletException, IOException {
                    request.getSession(true).setAttribute("token", request.getParameter("token"));
                }
            });
        });
    }

    private static Answer get(Container.Running server, String query, String... headers) throws IOException {
        return send(server, "GET /app/availability?" + query, "", headers);
    }

    private static Answer post(Container.Running server, String form, String... headers) throws IOException {
        return send(server, "POST /app/availability", form, headers);
    }

    private static Answer send(Container.Running server, String line, String form, String... headers)
            throws IOException {
        String more = form.isEmpty()
                ? ""
                : "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n";
        StringBuilder head = new StringBuilder();
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        Answer answer = RawHttp.send(
                server.port(), line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + head + more + "\r\n" + form);
        answer.headers().remove("date");
        return answer;
    }

    private static String mail(String name) {
        return "email=" + URLEncoder.encode(name + "@example.org", StandardCharsets.UTF_8);
    }

    // ---------------------------------------------------------------- limits

    @Test
    void byDefaultAClientMayAskTwentyTimesAtOnce() throws Exception {
        try (Container.Running server = serve(blindMail())) {
            for (int i = 0; i < 20; i++) {
                assertThat(get(server, "username=bob").status())
                        .as("request " + i)
                        .isEqualTo(200);
            }
            // A token comes back each second, so however slow the machine, it takes few more to have used them all.
            Answer answer = get(server, "username=bob");
            for (int i = 0; i < 2000 && answer.status() == 200; i++) {
                answer = get(server, "username=bob");
            }
            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.headers()).containsEntry("retry-after", "1");
            assertThat(Json.object(answer.body()).get("availability")).isEqualTo("unknown");
        }
    }

    @Test
    void onlyAConfiguredProxySaysWhoAsks() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        ClientLimiter limiter = client -> {
            asked.add(client.value());
            return Decision.admit();
        };
        String[] lies = {"X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 203.0.113.9, 10.0.0.1", "Forwarded: for=6.6.6.7"
        };
        try (Container.Running server = serve(blindMail().limiter(limiter))) {
            get(server, "username=bob", lies);
        }
        try (Container.Running server =
                serve(blindMail().limiter(limiter).proxies(ForwardingHeader.X_FORWARDED_FOR, "192.0.2.0/24"))) {
            get(server, "username=bob", lies);
        }
        try (Container.Running server = serve(
                blindMail().limiter(limiter).proxies(ForwardingHeader.X_FORWARDED_FOR, "127.0.0.1", "10.0.0.0/8"))) {
            get(server, "username=bob", lies);
            get(server, "username=bob", "X-Forwarded-For: 2001:db8:1:2:3:4:5:6");
            get(server, "username=bob", "X-Forwarded-For: nonsense");
            get(server, "username=bob", "Forwarded: for=6.6.6.7");
            get(server, "username=bob");
        }
        try (Container.Running server = serve(
                blindMail().limiter(limiter).ipv6PrefixLength(48).proxies(ForwardingHeader.FORWARDED, "127.0.0.0/8"))) {
            get(server, "username=bob", lies);
            get(server, "username=bob", "Forwarded: for=6.6.6.6, for=\"[2001:db8:1:2::1]:80\"");
        }
        assertThat(asked)
                .containsExactly(
                        "127.0.0.1",
                        "127.0.0.1",
                        "203.0.113.9",
                        "2001:db8:1:2:0:0:0:0/64",
                        "127.0.0.1",
                        "127.0.0.1",
                        "127.0.0.1",
                        "6.6.6.7",
                        "2001:db8:1:0:0:0:0:0/48");
    }

    @Test
    void allClientsTogetherMakeOnlySoManyStoreReads() throws Exception {
        int most = 50;
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            requests.append("GET /app/availability?username=taken")
                    .append(i % 500)
                    .append(" HTTP/1.1\r\nHost: x\r\n")
                    .append(i == 1999 ? "Connection: close\r\n\r\n" : "\r\n");
        }
        try (Container.Running server = serve(unlimited().recheckLimit(1, most));
                LoggedLines log = new LoggedLines()) {
            long before = checker.stats(USERNAME).reads().made();
            String answers = RawHttp.sendMany(server.port(), requests.toString());
            assertThat(answers.split("HTTP/1.1 200", -1)).hasSize(most + 1);
            assertThat(answers.split("HTTP/1.1 503", -1)).hasSize(2000 - most + 1);
            assertThat(answers).doesNotContain("\"available\":true");
            assertThat(checker.stats(USERNAME).reads().made() - before).isEqualTo(most);
            // What memory knows is answered all the same.
            assertThat(get(server, "username=bob").body()).contains("\"available\":true");
            Answer refused = get(server, "username=taken0");
            assertThat(refused.headers()).containsEntry("retry-after", "1");
            assertThat(refused.body()).contains("\"reason\":\"recheck_limit\"");
            assertThat(log.warnings(SettingKeys.RECHECK_LIMIT + ", 1 a minute, is used up"))
                    .hasSize(1);
        }
    }

    @Test
    void aSweepIsNoticed() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        EndpointListener listener = new EndpointListener() {
            @Override
            public void answered(IdentifierKind kind, Verdict.Status status) {
                told.add(kind + " " + status);
            }

            @Override
            public void refused(int status, String problem) {
                told.add(status + " " + problem);
            }

            @Override
            public void sweepSuspected(IdentifierKind kind, long answers, long taken) {
                told.add(kind + ": " + taken + " of " + answers);
            }
        };
        try (Container.Running server = serve(unlimited().listener(listener).sweepAlarm(5, 0.75, Duration.ofDays(1)))) {
            for (String name : List.of("bob", "taken1", "taken2", "taken3", "taken4", "taken5")) {
                get(server, "username=" + name);
            }
            get(server, "username=%zz");
            post(server, mail("taken1"));
        }
        assertThat(told)
                .containsExactly(
                        "username AVAILABLE",
                        "username TAKEN",
                        "username TAKEN",
                        "username TAKEN",
                        "username TAKEN",
                        "username: 4 of 5",
                        "username TAKEN",
                        "400 malformed",
                        "email UNKNOWN");
    }

    @Test
    void byDefaultASweepIsNoticedThoughAQuarterOfItMisses() throws Exception {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            requests.append("GET /app/availability?username=")
                    .append(i % 4 == 0 ? "nobody" : "taken")
                    .append(i)
                    .append(" HTTP/1.1\r\nHost: x\r\n")
                    .append(i == 399 ? "Connection: close\r\n\r\n" : "\r\n");
        }
        try (Container.Running server = serve(unlimited());
                LoggedLines log = new LoggedLines()) {
            RawHttp.sendMany(server.port(), requests.toString());
            assertThat(log.warnings("somebody may be trying a list")).hasSize(1);
        }
    }

    // ---------------------------------------------------------------- gates

    private static String session(Container.Running server, String token) throws IOException {
        String cookie = RawHttp.send(server.port(), "GET", "/app/login?token=" + token)
                .headers()
                .get("set-cookie");
        return "Cookie: " + cookie.substring(0, cookie.indexOf(';'));
    }

    private Map<String, Integer> statuses(RequestGate gate) throws Exception {
        try (Container.Running server = serve(
                EndpointSettings.builder().limiter(ClientLimiter.unlimited()).gate(gate))) {
            String form = mail("taken1");
            String session = session(server, "sesame");
            return Map.of(
                    "nothing", post(server, form).status(),
                    "a made-up session",
                            post(server, form, "Cookie: JSESSIONID=node0x").status(),
                    "a session", post(server, form, session).status(),
                    "a token", post(server, form, "X-Token: sesame").status(),
                    "both", post(server, form, session, "X-Token: sesame").status(),
                    "a wrong token",
                            post(server, form, session, "X-Token: Sesame").status(),
                    "no token", post(server, form, session, "X-Token:").status(),
                    "two tokens",
                            post(server, form, session, "X-Token: sesame", "X-Token: sesame")
                                    .status());
        }
    }

    private static Set<String> admitted(Map<String, Integer> statuses) {
        assertThat(new HashSet<>(statuses.values())).isSubsetOf(200, 403);
        Set<String> admitted = new HashSet<>(statuses.keySet());
        admitted.removeIf(who -> statuses.get(who) != 200);
        return admitted;
    }

    @Test
    void gatesOpenForTheirOwn() throws Exception {
        Set<String> withSession = Set.of("a session", "both", "a wrong token", "no token", "two tokens");
        assertThat(admitted(statuses(RequestGate.session()))).isEqualTo(withSession);
        assertThat(admitted(statuses(RequestGate.sessionAttribute("token")))).isEqualTo(withSession);
        assertThat(admitted(statuses(RequestGate.sessionAttribute("other")))).isEmpty();
        assertThat(admitted(statuses(RequestGate.headerToken("X-Token", "token"))))
                .containsExactly("both");
        assertThat(admitted(statuses(RequestGate.headerToken("X-Token", "other"))))
                .isEmpty();
        assertThat(admitted(statuses(RequestGate.headerToken("X-Token", "sesame"::equals))))
                .containsExactlyInAnyOrder("a token", "both");
        assertThat(admitted(statuses(RequestGate.session().and(RequestGate.headerToken("X-Token", "sesame"::equals)))))
                .containsExactly("both");
    }

    // ---------------------------------------------------------------- modes

    @Test
    void phoneAndMailAreNeverOpen() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new AvailabilityServletFilter(
                        checker,
                        EndpointSettings.builder()
                                .limiter(ClientLimiter.unlimited())
                                .gate(RequestGate.allowAll())
                                .mode(EMAIL, KindMode.OPEN)
                                .build()))
                .withMessageContaining("'email'")
                .withMessageContaining("BLIND");
        assertThatIllegalStateException()
                .isThrownBy(() -> new AvailabilityServletFilter(
                        checker, blindMail().mode(USERNAME, KindMode.LIMITED).build()))
                .withMessageContaining("'username'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AvailabilityServletFilter(
                        checker,
                        blindMail().suggestions(EMAIL, key -> List.of()).build()))
                .withMessageContaining("'email'");
        assertThat(new AvailabilityServletFilter(checker, blindMail().build())).isNotNull();
    }

    @Test
    void aBlindKindTellsNothing() throws Exception {
        try (Container.Running server = serve(unlimited().exposeDecision(true).blindStep(Duration.ofMillis(1)))) {
            long reads = checker.stats(EMAIL).reads().made();
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                String form = mail((i % 2 == 0 ? "taken" : "nobody") + i);
                requests.append("POST /app/availability HTTP/1.1\r\nHost: x\r\nContent-Type:"
                                + " application/x-www-form-urlencoded\r\nContent-Length: ")
                        .append(form.length())
                        .append(i == 199 ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
                        .append(form);
            }
            String[] answers = RawHttp.sendMany(server.port(), requests.toString())
                    .replaceAll("Date:[^\r]*\r\n", "")
                    .replace("Connection: close\r\n", "")
                    .split("(?=HTTP/1.1 )");
            assertThat(answers).hasSize(200);
            assertThat(Set.of(answers[0])).isEqualTo(new HashSet<>(List.of(answers)));
            Answer only = post(server, mail("taken1"));
            assertThat(post(server, mail("nobody1"))).isEqualTo(only);
            assertThat(only.status()).isEqualTo(200);
            assertThat(only.body())
                    .isEqualTo(
                            "{\"field\":\"email\",\"status\":\"unknown\",\"available\":false,\"reason\":\"not_disclosed\"}");
            // Rules are no secret, and beside an open kind nothing changes.
            assertThat(post(server, "email=x").body()).contains("no_at_sign");
            assertThat(post(server, mail("taken1") + "&username=bob").body())
                    .isEqualTo(post(server, mail("nobody1") + "&username=bob").body())
                    .contains("\"value\":\"bob\",\"status\":\"available\"");
            assertThat(checker.stats(EMAIL).reads().made()).isEqualTo(reads);
            assertThat(get(server, mail("taken1")).status()).isEqualTo(405);
            // Nor does the state of the database show.
            checker.close();
            assertThat(post(server, mail("taken1"))).isEqualTo(only);
        }
    }

    @Test
    void aBlindAnswerWaitsForItsStep() throws Exception {
        Duration step = Duration.ofMillis(100);
        try (Container.Running server = serve(unlimited().blindStep(step))) {
            for (String form : List.of(mail("taken1"), mail("nobody1"), "email=x", "username=bob&" + mail("nobody1"))) {
                // How much longer than its step it takes is the machine's affair; less it can never be.
                for (int i = 0; i < 3; i++) {
                    assertThat(timeOf(server, form)).as(form).isGreaterThanOrEqualTo(step);
                }
            }
            // The others do not wait, so it is no slow machine that kept those.
            assertThat(Stream.generate(() -> timeOf(server, "username=bob"))
                            .limit(1000)
                            .anyMatch(time -> time.compareTo(step) < 0))
                    .isTrue();
        }
    }

    private static Duration timeOf(Container.Running server, String form) {
        long began = System.nanoTime();
        try {
            assertThat(post(server, form).status()).isEqualTo(200);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Duration.ofNanos(System.nanoTime() - began);
    }

    // ---------------------------------------------------------------- suggestions, own names, languages

    private static List<Object> suggestions(Answer answer) {
        Object shown = Json.object(answer.body()).get("suggestions");
        return shown == null ? List.of() : List.copyOf((List<?>) shown);
    }

    @Test
    void suggestionsAreFreeAndCostNoRead() throws Exception {
        SuggestionPolicy in2026 =
                SuggestionPolicy.variants(Clock.fixed(Instant.parse("2026-07-01T00:00:00Z"), ZoneOffset.UTC));
        try (Container.Running server = serve(unlimited().suggestions(USERNAME, in2026))) {
            for (String name : List.of("alice", "anna.smith")) {
                long before = checker.stats(USERNAME).reads().made();
                List<Object> free = suggestions(get(server, "suggestions=true&username=" + name));
                assertThat(checker.stats(USERNAME).reads().made() - before)
                        .as("the name itself")
                        .isEqualTo(1);
                assertThat(free).hasSize(5).doesNotHaveDuplicates();
                for (Object suggestion : free) {
                    Verdict verdict = checker.check(USERNAME, (String) suggestion);
                    assertThat(verdict.available()).isTrue();
                    assertThat(verdict.key()).isEqualTo(suggestion);
                    assertThat(users.exists(verdict.key(), Duration.ofSeconds(1)))
                            .isEqualTo(Presence.ABSENT);
                }
            }
            assertThat(suggestions(get(server, "suggestions=true&username=anna.smith")))
                    .contains("smith.anna", "anna_smith")
                    .doesNotContain("annasmith");
            for (String query : List.of(
                    "username=alice",
                    "username=alice&suggestions=1",
                    "username=alice&suggestions=",
                    "username=bob&suggestions=true",
                    "username=admin&suggestions=true",
                    "username=x&suggestions=true")) {
                assertThat(get(server, query).body()).doesNotContain("suggestions");
            }
        }
    }

    @Test
    void aPolicyMayBringAnything() throws Exception {
        Iterable<String> endless = () -> Stream.generate(() -> "alice").iterator();
        Map<SuggestionPolicy, List<String>> policies = Map.of(
                key -> List.of("admin", "x", "alice", "a b", key, "Free1", "free1", "thealice"), List.of("free1"),
                key -> endless, List.of(),
                key -> List.of(), List.of());
        for (Map.Entry<SuggestionPolicy, List<String>> policy : policies.entrySet()) {
            try (Container.Running server = serve(unlimited().suggestions(USERNAME, policy.getKey()))) {
                assertThat(suggestions(get(server, "username=alice&suggestions=true")))
                        .isEqualTo(policy.getValue());
            }
        }
    }

    @Test
    void yourOwnNameIsNotTakenForYou() throws Exception {
        OwnIdentifiers own = (request, kind) -> Optional.ofNullable(request.header("X-Me"));
        try (Container.Running server = serve(unlimited().ownIdentifiers(own))) {
            assertThat(get(server, "username=ALICE", "X-Me: Alice").body())
                    .isEqualTo(
                            "{\"field\":\"username\",\"value\":\"alice\",\"status\":\"available\",\"available\":true,\"yours\":true}");
            assertThat(get(server, "username=alice", "X-Me: bob").body()).contains("\"status\":\"taken\"");
            assertThat(get(server, "username=alice").body()).contains("\"status\":\"taken\"");
            assertThat(get(server, "username=admin", "X-Me: admin").body()).contains("\"status\":\"reserved\"");
            assertThat(get(server, "username=bob", "X-Me: bob").body()).doesNotContain("yours");
        }
    }

    @Test
    void problemsAreDescribedInTheClientsLanguage() throws Exception {
        try (Container.Running server = serve(unlimited())) {
            for (String language :
                    List.of("zh-CN", "zh", "zh-TW,en;q=0.5", "fr, zh-Hans-CN;q=0.9, en;q=0.8", "ZH-sg")) {
                Answer answer = get(server, "username=", "Accept-Language: " + language);
                assertThat(answer.headers()).as(language).containsEntry("content-language", "zh-CN");
                assertThat(Json.object(answer.body()).get("title")).isEqualTo("\u503c\u4e3a\u7a7a");
                assertThat(answer.headers()).containsEntry("content-type", "application/problem+json");
            }
            for (String language :
                    List.of("en", "fr", "*", "en, zh;q=0.9", ";;;", "zh;q=x", "zh-CN" + ",xx".repeat(100))) {
                Answer answer = get(server, "username=", "Accept-Language: " + language);
                assertThat(answer.headers()).as(language).containsEntry("content-language", "en");
                assertThat(Json.object(answer.body()).get("title")).isEqualTo("Empty value");
            }
        }
    }
}
