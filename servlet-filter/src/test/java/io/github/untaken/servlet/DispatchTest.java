package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.WatchRule;
import io.github.untaken.testkit.Eventually;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However a request travels through the application, each identifier in it has one effect, at its end. */
class DispatchTest {
    /** Jetty forgets a time-out that is over before its thread has noted the timer; a busy machine may keep it for so long. */
    private static final int ASYNC_MILLIS = 2_000;

    /** The ways through an application, by their path; each registers the name that came in the parameter. */
    private static final Map<String, Handler> WAYS = Map.ofEntries(
            entry("/sync", DispatchTest::register),
            entry("/forward", (request, response) -> toSync(request).forward(request, response)),
            entry("/include", (request, response) -> toSync(request).include(request, response)),
            entry("/error", (request, response) -> {
                register(request, response);
                response.sendError(Container.STATUS_WITH_PAGE); // whose page registers it once more
            }),
            entry("/throws", (request, response) -> {
                register(request, response);
                throw new ServletException("on purpose");
            }),
            entry("/async-dispatch", (request, response) -> request.startAsync().dispatch("/sync")),
            entry("/async-complete", DispatchTest::registerAndCompleteElsewhere),
            entry("/async-twice", (request, response) -> {
                if (request.getAttribute("again") == null) {
                    request.setAttribute("again", true);
                    request.startAsync().dispatch();
                } else {
                    registerAndCompleteElsewhere(request, response);
                }
            }),
            entry("/async-throws", (request, response) -> {
                register(request, response);
                request.startAsync().setTimeout(ASYNC_MILLIS);
                throw new ServletException("on purpose");
            }),
            entry("/async-hangs", (request, response) -> {
                register(request, response);
                request.startAsync().setTimeout(ASYNC_MILLIS);
            }));

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final CountingNormalizer normalizer = new CountingNormalizer("");
    private final CountDownLatch chainReturned = new CountDownLatch(1);
    private final CountDownLatch commitNow = new CountDownLatch(1);
    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws SQLException {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                .store(USERNAME, users)
                .normalizer(USERNAME, normalizer)
                .recheckThreads(1)); // so that a read that has come back tells that all before it have
    }

    @AfterEach
    void close() throws SQLException {
        commitNow.countDown();
        checker.close();
        users.close();
    }

    private interface Handler {
        void handle(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    private static void at(ServletContext context, String path, Handler handler) {
        Container.serve(context, path, new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                handler.handle(request, response);
            }
        });
    }

    private static void register(HttpServletRequest request, HttpServletResponse response) {
        String name = request.getParameter("username");
        if (name != null) {
            request.setAttribute(AvailabilityServletFilter.REGISTERED_ATTRIBUTE + "username", name);
        }
    }

    private static void registerAndCompleteElsewhere(HttpServletRequest request, HttpServletResponse response) {
        register(request, response);
        AsyncContext async = request.startAsync();
        async.start(async::complete);
    }

    private static RequestDispatcher toSync(HttpServletRequest request) {
        return request.getRequestDispatcher("/sync");
    }

    /**
     * How the filter is installed.
     *
     * @param filters how many of it there are, one too many by mistake
     * @param rule whether a rule watches for the names too, which are told of by an attribute in any case
     */
    private record Installation(int filters, boolean rule) {

        void into(ServletContext context, AvailabilityChecker checker) {
            EndpointSettingsBuilder settings = EndpointSettings.builder();
            if (rule) {
                settings.watch(WatchRule.on("POST", "/*").registers(USERNAME).fromParameter("username"));
            }
            for (int i = 0; i < filters; i++) {
                AvailabilityServletFilter filter = new AvailabilityServletFilter(checker, settings.build());
                Container.everywhere(context, "availability " + i, filter);
            }
            WAYS.forEach((path, way) -> at(context, path, way));
            at(context, Container.ERROR_PAGE, DispatchTest::register);
        }
    }

    /** A sign-up by one of the ways, with a name that no other has. */
    private record SignUp(Installation installation, String path, boolean inQuery) {

        /** Not its own key, for its capital letter; so the normalizer counts how often it was brought. */
        String name() {
            return (inQuery ? "Q" : "F") + installation.filters() + installation.rule() + path.substring(1);
        }
    }

    private void send(Container.Running server, SignUp signUp) throws Exception {
        String field = "username=" + signUp.name();
        try {
            client.send(
                    HttpRequest.newBuilder(server.uri(signUp.path() + (signUp.inQuery() ? "?" + field : "")))
                            .timeout(Duration.ofMinutes(1))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString(signUp.inQuery() ? "" : field))
                            .build(),
                    BodyHandlers.discarding());
        } catch (IOException e) {
            // Tomcat, with this filter or without, hangs up on an asynchronous request that threw.
            assertThat(signUp.path()).isEqualTo("/async-throws");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anIdentifierHasOneEffectPerRequest(Container container) throws Exception {
        sideBySide(
                List.of(
                        new Installation(1, true),
                        new Installation(1, false),
                        new Installation(2, true),
                        new Installation(2, false)),
                installation -> oneEffectByEachWay(container, installation));
    }

    private void oneEffectByEachWay(Container container, Installation installation) throws Exception {
        List<SignUp> signUps = WAYS.keySet().stream()
                .flatMap(path -> Stream.of(new SignUp(installation, path, false), new SignUp(installation, path, true)))
                .toList();
        try (Container.Running server = container.start(context -> installation.into(context, checker))) {
            sideBySide(signUps, signUp -> {
                send(server, signUp);
                Eventually.holds(
                        signUp + " is settled",
                        () -> normalizer.asked(signUp.name()) > 0
                                && checker.stats(USERNAME).underWay().mentioned() == 0);
            });
        }
        // The container has ended, so whatever a request still had to do when its first effect was seen, it has done
        // now.
        for (SignUp signUp : signUps) {
            assertThat(normalizer.asked(signUp.name()))
                    .as(signUp.toString())
                    .isEqualTo(CountingNormalizer.EACH_MENTION);
        }
    }

    private interface Task<T> {
        void run(T subject) throws Exception;
    }

    /** Not one after the other, since Tomcat looks only once a second which asynchronous requests are over their time. */
    private static <T> void sideBySide(List<T> subjects, Task<T> task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(subjects.size());
        try {
            List<Callable<Void>> calls = new ArrayList<>();
            for (T subject : subjects) {
                calls.add(() -> {
                    task.run(subject);
                    return null;
                });
            }
            for (Future<Void> call : threads.invokeAll(calls)) {
                call.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Outside all others: tells when the container's thread has left the application. */
    private final class Outermost extends HttpFilter {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
            chainReturned.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anAsynchronousSignUpIsTakenUntilItCompletesAndAfterwards(Container container) throws Exception {
        EndpointSettings settings = EndpointSettings.builder()
                .watch(WatchRule.on("POST", "/signup").registers(USERNAME).fromParameter("username"))
                .build();
        try (Container.Running server = container.start(context -> {
            Container.everywhere(context, "outermost", new Outermost());
            Container.everywhere(context, "availability", new AvailabilityServletFilter(checker, settings));
            at(context, "/signup", (request, response) -> {
                AsyncContext async = request.startAsync();
                async.start(() -> {
                    try {
                        String name = request.getParameter("username");
                        String read = "nobody";
                        if (chainReturned.await(20, TimeUnit.SECONDS)) {
                            // One that settled zoe too early would be done when this has come back.
                            read = checker.check(USERNAME, "alice").decidedBy().name();
                        }
                        response.setHeader("Read", read);
                        response.setHeader(
                                "During",
                                checker.check(USERNAME, name).decidedBy().name());
                        users.insert(name);
                        async.complete();
                    } catch (InterruptedException | SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
            });
        })) {
            HttpHeaders headers = client.send(
                            HttpRequest.newBuilder(server.uri("/signup"))
                                    .timeout(Duration.ofMinutes(1))
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(BodyPublishers.ofString("username=zoe"))
                                    .build(),
                            BodyHandlers.discarding())
                    .headers();
            assertThat(headers.firstValue("Read")).contains(DecidedBy.STORE.name());
            assertThat(headers.firstValue("During")).contains(DecidedBy.STORE.name());
            for (int i = 0; i < 100; i++) {
                assertThat(checker.check(USERNAME, "zoe").available()).isFalse();
            }
            Eventually.holds(
                    "it is settled", () -> checker.stats(USERNAME).underWay().mentioned() == 0);
            assertThat(checker.check(USERNAME, "zoe").available()).isFalse();
        }
    }
}
