package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointListener;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.WatchRule;
import io.github.untaken.testkit.Eventually;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What breaks inside the plugin stays there: the application's answers do not change, its own endpoint says that nobody
 * knows, and the log does not say whom it was about.
 */
class PluginFaultTest {
    private static final String POISON = "Poisonous";
    private static final Formatter SAID = new SimpleFormatter();
    private static final Logger ROOT = Logger.getLogger("");
    private static final Logger OURS = Logger.getLogger("io.github.untaken");

    private final StringBuffer logged = new StringBuffer();
    private final Handler capture = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.append(record.getLoggerName()).append(' ').append(SAID.formatMessage(record));
            for (Throwable t = record.getThrown(); t != null; t = t.getCause()) {
                logged.append(' ').append(t);
            }
            logged.append('\n');
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                .store(USERNAME, users)
                .normalizer(USERNAME, new CountingNormalizer(POISON)));
        ROOT.addHandler(capture);
        OURS.setLevel(Level.FINEST);
        capture.setLevel(Level.ALL);
    }

    @AfterEach
    void close() throws Exception {
        ROOT.removeHandler(capture);
        OURS.setLevel(null);
        checker.close();
        users.close();
    }

    /** What can break. */
    enum Fault {
        NORMALIZER,
        CLOSED_CHECKER,
        WRONG_ATTRIBUTE,
        LIMITER,
        GATE,
        LIMITER_ERROR,
        OWN_IDENTIFIERS,
        SUGGESTIONS,
        LISTENER
    }

    private static final EndpointListener FAILING_LISTENER = new EndpointListener() {
        @Override
        public void answered(IdentifierKind kind, Verdict.Status status) {
            throw new IllegalStateException("answered " + POISON);
        }

        @Override
        public void refused(int status, String problem) {
            throw new IllegalStateException("refused " + POISON);
        }

        @Override
        public void sweepSuspected(IdentifierKind kind, long answers, long taken) {
            throw new IllegalStateException("swept " + POISON);
        }
    };

    private EndpointSettings settings(Fault fault) {
        return EndpointSettings.builder()
                .limiter(client -> {
                    if (fault == Fault.LIMITER) {
                        throw new IllegalStateException("limiter of " + POISON);
                    }
                    if (fault == Fault.LIMITER_ERROR) {
                        throw new StackOverflowError("limiter of " + POISON);
                    }
                    return ClientLimiter.Decision.admit();
                })
                .gate((request, kind) -> {
                    if (fault == Fault.GATE) {
                        throw new IllegalStateException("gate of " + POISON);
                    }
                    return true;
                })
                .ownIdentifiers((request, kind) -> {
                    if (fault == Fault.OWN_IDENTIFIERS) {
                        throw new IllegalStateException("own name of " + POISON);
                    }
                    return Optional.empty();
                })
                .suggestions(USERNAME, key -> {
                    if (fault == Fault.SUGGESTIONS) {
                        throw new StackOverflowError("suggestions of " + POISON);
                    }
                    return List.of();
                })
                .listener(fault == Fault.LISTENER ? FAILING_LISTENER : new EndpointListener() {})
                .sweepAlarm(1, 0.1, Duration.ofNanos(1))
                .watch(WatchRule.on("POST", "/account/*").registers(USERNAME).fromParameter("username"))
                .watch(WatchRule.on("POST", "/account/{name}")
                        .registers(USERNAME)
                        .fromPath("name"))
                .build();
    }

    private void install(ServletContext context, Fault fault, boolean filtered) {
        if (filtered) {
            Container.everywhere(context, "availability", new AvailabilityServletFilter(checker, settings(fault)));
        }
        Container.serve(context, "/account/*", new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                String name = request.getParameter("username");
                request.setAttribute(
                        AvailabilityServletFilter.REGISTERED_ATTRIBUTE + "username",
                        fault == Fault.WRONG_ATTRIBUTE ? Map.of(POISON, POISON) : name);
                if (request.getParameter("fail") != null) {
                    throw new ServletException("the application's own");
                }
                response.setStatus(207);
                response.setHeader("X-Own", "yes");
                response.getOutputStream()
                        .print("done " + request.getParameterMap().size());
            }
        });
    }

    private static RawHttp.Answer post(Container.Running server, String path, String form) throws IOException {
        RawHttp.Answer answer = RawHttp.send(
                server.port(),
                "POST /app" + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type:"
                        + " application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n\r\n" + form);
        answer.headers().remove("date");
        return answer;
    }

    @ParameterizedTest
    @EnumSource
    void theApplicationsAnswersStayTheSame(Fault fault) throws Exception {
        for (Container container : Container.values()) {
            try (Container.Running plain = container.start(context -> install(context, fault, false));
                    Container.Running filtered = container.start(context -> install(context, fault, true))) {
                if (fault == Fault.CLOSED_CHECKER) {
                    checker.close();
                }
                String name = "username=" + POISON;
                for (String path : new String[] {"/account/" + POISON, "/account/x?" + name, "/account"}) {
                    for (String form : new String[] {name, name + "&x=1", name + "&fail=1"}) {
                        RawHttp.Answer expected = post(plain, path, form);
                        RawHttp.Answer actual = post(filtered, path, form);
                        assertThat(actual.status())
                                .isEqualTo(expected.status())
                                .isEqualTo(form.contains("fail") ? 500 : 207);
                        if (actual.status() == 207) {
                            assertThat(actual).isEqualTo(expected);
                        }
                    }
                }
            }
        }
        if (fault == Fault.NORMALIZER) {
            awaitLogged("Recording an identifier of kind username failed with java.lang.IllegalStateException");
        }
        if (fault == Fault.WRONG_ATTRIBUTE) {
            awaitLogged("ClassCastException");
        }
        assertThat(ours()).doesNotContainIgnoringCase(POISON);
    }

    /** All that was given to the log before this call: it is said on a thread of its own. */
    private String ours() {
        String all = "all was said until " + UUID.randomUUID();
        new FaultLog("io.github.untaken.servlet").say(System.Logger.Level.INFO, all);
        Eventually.holds("the log has come so far", () -> logged.indexOf(all) >= 0);
        return logged.toString()
                .lines()
                .filter(line -> line.startsWith("io.github.untaken"))
                .toList()
                .toString();
    }

    /** What becomes of a kind is logged by a thread of its own. */
    private void awaitLogged(String part) {
        Eventually.holds("the log has: " + part, () -> ours().contains(part));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"WRONG_ATTRIBUTE", "OWN_IDENTIFIERS", "SUGGESTIONS", "LISTENER"})
    void ourEndpointSaysThatNobodyKnows(Fault fault) throws Exception {
        for (Container container : Container.values()) {
            try (Container.Running server = container.start(context -> install(context, fault, true))) {
                if (fault == Fault.CLOSED_CHECKER) {
                    checker.close();
                }
                RawHttp.Answer answer = post(server, "/availability", "username=" + POISON);
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.headers())
                        .containsEntry("content-type", "application/problem+json")
                        .containsEntry("cache-control", "no-store")
                        .containsEntry("retry-after", "1");
                assertThat(Json.object(answer.body()).get("availability")).isEqualTo("unknown");
                assertThat(answer.body())
                        .doesNotContain(POISON)
                        .doesNotContain("Exception")
                        .doesNotContain("Error")
                        .doesNotContain("\tat ");
            }
        }
        assertThat(logged.toString()).doesNotContain(POISON);
    }

    /** What only adds to an answer takes nothing from it when it fails. */
    @ParameterizedTest
    @EnumSource(names = {"OWN_IDENTIFIERS", "SUGGESTIONS", "LISTENER"})
    void anAnswerStandsThoughWhatBelongsToItFails(Fault fault) throws Exception {
        for (Container container : Container.values()) {
            try (Container.Running server = container.start(context -> install(context, fault, true))) {
                RawHttp.Answer taken = post(server, "/availability", "username=alice&suggestions=true");
                assertThat(taken.status()).isEqualTo(200);
                assertThat(taken.body()).contains("\"status\":\"taken\"").doesNotContain("suggestions");
                assertThat(post(server, "/availability", "username=bob").body()).contains("\"available\":true");
                assertThat(post(server, "/availability", "username=").status()).isEqualTo(400);
            }
        }
        assertThat(logged.toString()).doesNotContain(POISON).contains("failed with java.lang.");
    }

    /** Takes the writer, as some careless outer filter might. */
    private static final class TakesTheWriter extends HttpFilter {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            response.getWriter();
            chain.doFilter(request, response);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerThatCannotBeSentIsNotAvailable(Container container) throws Exception {
        try (Container.Running server = container.start(context -> {
            Container.everywhere(context, "writer", new TakesTheWriter());
            Container.everywhere(
                    context,
                    "availability",
                    new AvailabilityServletFilter(
                            checker, EndpointSettings.builder().build()));
        })) {
            RawHttp.Answer answer = RawHttp.send(server.port(), "GET", "/app/availability?username=bob");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(Json.object(answer.body()).get("availability")).isEqualTo("unknown");
        }
    }
}
