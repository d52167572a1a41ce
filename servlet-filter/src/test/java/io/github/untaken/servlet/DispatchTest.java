package io.github.untaken.servlet;

import static io.github.untaken.spi.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.testkit.Eventually;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
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
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However a request travels through the application, each identifier in it has one effect, at its end. */
class DispatchTest {
    private static final String[] PATHS = {
        "/sync",
        "/forward",
        "/include",
        "/error",
        "/throws",
        "/async-dispatch",
        "/async-complete",
        "/async-twice",
        "/async-throws",
        "/async-hangs"
    };

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

    private static void mark(HttpServletRequest request) {
        String name = request.getParameter("username");
        if (name != null) {
            request.setAttribute(AvailabilityServletFilter.REGISTERED_ATTRIBUTE + "username", name);
        }
    }

    private void install(ServletContext context, int filters, boolean rule) {
        ServletFilterSettings.Builder settings = ServletFilterSettings.builder();
        if (rule) {
            settings.watch(WatchRule.on("POST", "/*").registers(USERNAME).fromParameter("username"));
        }
        ServletFilterSettings built = settings.build();
        for (int i = 0; i < filters; i++) {
            Container.everywhere(context, "availability " + i, new AvailabilityServletFilter(checker, built));
        }
        at(context, "/sync", (request, response) -> mark(request));
        at(
                context,
                "/forward",
                (request, response) -> request.getRequestDispatcher("/sync").forward(request, response));
        at(
                context,
                "/include",
                (request, response) -> request.getRequestDispatcher("/sync").include(request, response));
        at(context, "/error", (request, response) -> {
            mark(request);
            response.sendError(Container.STATUS_WITH_PAGE);
        });
        at(context, "/throws", (request, response) -> {
            mark(request);
            throw new ServletException("on purpose");
        });
        at(context, Container.ERROR_PAGE, (request, response) -> mark(request));
        at(
                context,
                "/async-dispatch",
                (request, response) -> request.startAsync().dispatch("/sync"));
        at(context, "/async-complete", (request, response) -> {
            mark(request);
            AsyncContext async = request.startAsync();
            async.start(async::complete);
        });
        at(context, "/async-twice", (request, response) -> {
            if (request.getAttribute("again") == null) {
                request.setAttribute("again", true);
                request.startAsync().dispatch();
            } else {
                mark(request);
                AsyncContext async = request.startAsync();
                async.start(async::complete);
            }
        });
        at(context, "/async-throws", (request, response) -> {
            mark(request);
            request.startAsync().setTimeout(50);
            throw new ServletException("on purpose");
        });
        at(context, "/async-hangs", (request, response) -> {
            mark(request);
            request.startAsync().setTimeout(50);
        });
    }

    private void post(Container.Running server, String pathAndQuery, String form) throws Exception {
        try {
            client.send(
                    HttpRequest.newBuilder(server.uri(pathAndQuery))
                            .timeout(Duration.ofSeconds(20))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString(form))
                            .build(),
                    BodyHandlers.discarding());
        } catch (IOException e) {
            // Tomcat, with this filter or without, hangs up on an asynchronous request that threw.
            assertThat(pathAndQuery).startsWith("/async-throws");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anIdentifierHasOneEffectPerRequest(Container container) throws Exception {
        List<Callable<Void>> servers = new ArrayList<>();
        for (int filters = 1; filters <= 2; filters++) {
            for (boolean rule : new boolean[] {true, false}) {
                int count = filters;
                servers.add(() -> oneEffectEach(container, count, rule));
            }
        }
        sideBySide(servers);
    }

    private Void oneEffectEach(Container container, int filters, boolean rule) throws Exception {
        String variant = filters + "" + rule;
        try (Container.Running server = container.start(context -> install(context, filters, rule))) {
            List<Callable<Void>> requests = new ArrayList<>();
            for (String path : PATHS) {
                requests.add(() -> oneEffect(server, path, "", "F" + variant));
                requests.add(() -> oneEffect(server, path, "?username=", "Q" + variant));
            }
            sideBySide(requests);
        }
        // Whatever a request still had to do when its first effect was seen, it has done now.
        for (String path : PATHS) {
            assertOneEffect(path, "F" + variant);
            assertOneEffect(path, "Q" + variant);
        }
        return null;
    }

    private void assertOneEffect(String path, String variant) {
        assertThat(normalizer.asked(variant + path.substring(1)))
                .as(path + " " + variant)
                .isEqualTo(1);
    }

    /** Tomcat looks once a second which asynchronous requests are over their time. */
    private static void sideBySide(List<Callable<Void>> tasks) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<Void> task : clients.invokeAll(tasks)) {
                task.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private Void oneEffect(Container.Running server, String path, String query, String variant) throws Exception {
        String name = variant + path.substring(1);
        if (query.isEmpty()) {
            post(server, path, "username=" + name);
        } else {
            post(server, path + query + name, "");
        }
        Eventually.holds(
                path + " " + variant + " is settled",
                () -> normalizer.asked(name) > 0 && checker.stats(USERNAME).pending() == 0);
        assertOneEffect(path, variant);
        return null;
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
        ServletFilterSettings settings = ServletFilterSettings.builder()
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
                                    .timeout(Duration.ofSeconds(20))
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(BodyPublishers.ofString("username=zoe"))
                                    .build(),
                            BodyHandlers.discarding())
                    .headers();
            assertThat(headers.firstValue("Read")).contains(DecidedBy.STORE.name());
            assertThat(headers.firstValue("During")).contains(DecidedBy.PENDING.name());
            for (int i = 0; i < 100; i++) {
                assertThat(checker.check(USERNAME, "zoe").available()).isFalse();
            }
            Eventually.holds("it is settled", () -> checker.stats(USERNAME).pending() == 0);
            assertThat(checker.check(USERNAME, "zoe").available()).isFalse();
        }
    }
}
