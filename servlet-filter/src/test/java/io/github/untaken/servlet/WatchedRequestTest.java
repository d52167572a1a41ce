package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.WatchRule;
import io.github.untaken.testkit.Eventually;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From when on a watch rule sees the identifier of a request, and of how many. */
class WatchedRequestTest {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
    }

    private interface Handler {
        String handle(HttpServletRequest request) throws IOException;
    }

    private void at(ServletContext context, String path, Handler handler) {
        Container.serve(context, path, new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.getOutputStream().print(handler.handle(request));
            }
        });
    }

    private String decidedBy(String name) {
        return checker.check(USERNAME, name).decidedBy().name();
    }

    private String send(Container container, Handler handler, String method, String pathAndQuery, String form)
            throws Exception {
        EndpointSettings settings = EndpointSettings.builder()
                .watch(WatchRule.parse("POST /signup registers username from parameter name"))
                .watch(WatchRule.parse("PUT /accounts/{name} registers username from path variable name"))
                .build();
        try (Container.Running server = container.start(context -> {
            Container.everywhere(context, "availability", new AvailabilityServletFilter(checker, settings));
            at(context, "/signup", handler);
            at(context, "/accounts/*", handler);
        })) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(server.uri(pathAndQuery))
                            .timeout(Duration.ofMinutes(1))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .method(method, BodyPublishers.ofString(form))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            return answer.body();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNameInThePathOrTheQueryIsTakenBeforeTheApplicationRuns(Container container) throws Exception {
        assertThat(send(container, request -> decidedBy("zoe"), "PUT", "/accounts/zoe", ""))
                .isEqualTo(DecidedBy.STORE.name());
        assertThat(send(container, request -> decidedBy("yves"), "POST", "/signup?name=yves", ""))
                .isEqualTo(DecidedBy.STORE.name());
        Eventually.holds("settled", () -> checker.stats(USERNAME).underWay().mentioned() == 0);
        assertThat(checker.check(USERNAME, "zoe").available()).isTrue();
    }

    /** Most frameworks cut off what stands around a parameter, and the row holds the rest. */
    @ParameterizedTest
    @EnumSource
    void aNameThatTheApplicationTrimsIsTaken(Container container) throws Exception {
        int number = 0;
        for (String around : List.of("+%s", "%s%%20", "%%E3%%80%%80%s", "%s%%01")) {
            String name = "zoe" + number++;
            send(
                    container,
                    request -> {
                        insert(request.getParameter("name").strip().trim());
                        return "";
                    },
                    "POST",
                    "/signup?name=" + around.formatted(name),
                    "");
            Eventually.holds("settled", () -> checker.stats(USERNAME).underWay().mentioned() == 0);
            assertThat(checker.check(USERNAME, name).available()).as(around).isFalse();
        }
    }

    /** The window that is left, as documented: until the application asks for any parameter. */
    @ParameterizedTest
    @EnumSource
    void aNameInTheFormIsTakenFromWhenTheApplicationAsksForAnyParameter(Container container) throws Exception {
        assertThat(send(
                        container,
                        request -> {
                            String before = decidedBy("zoe");
                            request.getParameter("other");
                            return before + " " + decidedBy("zoe");
                        },
                        "POST",
                        "/signup",
                        "name=zoe&other=1"))
                .isEqualTo(DecidedBy.FILTER + " " + DecidedBy.STORE);
    }

    @ParameterizedTest
    @EnumSource
    void theCommitCountsWhateverTheStatusSays(Container container) throws Exception {
        EndpointSettings settings = EndpointSettings.builder()
                .watch(WatchRule.parse("POST /signup registers username from parameter name"))
                .build();
        try (Container.Running server = container.start(context -> {
            Container.everywhere(context, "availability", new AvailabilityServletFilter(checker, settings));
            Container.serve(context, "/signup", new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    if (request.getParameter("commit") != null) {
                        insert(request.getParameter("name"));
                    }
                    response.setStatus(Integer.parseInt(request.getParameter("status")));
                }
            });
        })) {
            for (int status : new int[] {200, 302, 409, 500}) {
                String committed = "committed" + status;
                String rolledBack = "rolledback" + status;
                assertThat(post(server, "/signup?commit=1&status=" + status + "&name=" + committed))
                        .isEqualTo(status);
                assertThat(post(server, "/signup?status=" + status + "&name=" + rolledBack))
                        .isEqualTo(status);
                Eventually.holds(
                        "settled", () -> checker.stats(USERNAME).underWay().mentioned() == 0);
                assertThat(checker.check(USERNAME, committed).available()).isFalse();
                assertThat(checker.check(USERNAME, rolledBack).available()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aForwardIsPartOfItsRequest(Container container) throws Exception {
        EndpointSettings settings = EndpointSettings.builder()
                .watch(WatchRule.parse("POST /inner registers username from parameter name"))
                .build();
        try (Container.Running server = container.start(context -> {
            Container.everywhere(context, "availability", new AvailabilityServletFilter(checker, settings));
            at(context, "/inner", request -> decidedBy("zoe"));
            Container.serve(context, "/outer", new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doPost(HttpServletRequest request, HttpServletResponse response)
                        throws IOException, ServletException {
                    request.getRequestDispatcher("/inner?name=zoe").forward(request, response);
                }
            });
        })) {
            assertThat(post(server, "/outer")).isEqualTo(200);
            Eventually.holds("settled", () -> checker.stats(USERNAME).underWay().mentioned() == 0);
            assertThat(checker.check(USERNAME, "zoe").available()).isTrue();
        }
    }

    private void insert(String name) {
        try {
            users.insert(name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private int post(Container.Running server, String pathAndQuery) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(server.uri(pathAndQuery))
                                .timeout(Duration.ofMinutes(1))
                                .POST(BodyPublishers.noBody())
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    /** Not only from the end of the request: the client may have its answer before. */
    @ParameterizedTest
    @EnumSource
    void aNameInAnAttributeIsTakenFromWhenItIsSet(Container container) throws Exception {
        String registered = AvailabilityServletFilter.REGISTERED_ATTRIBUTE + "username";
        assertThat(send(
                        container,
                        request -> {
                            request.setAttribute(registered, "zoe");
                            String one = decidedBy("zoe");
                            request.setAttribute(registered, List.of("yves", "xenia"));
                            request.setAttribute("unrelated", "walter");
                            return one + " " + decidedBy("xenia") + " " + decidedBy("walter");
                        },
                        "GET",
                        "/signup",
                        ""))
                .isEqualTo(DecidedBy.STORE + " " + DecidedBy.STORE + " " + DecidedBy.FILTER);
        Eventually.holds("settled", () -> checker.stats(USERNAME).underWay().mentioned() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatTheApplicationReadsItselfIsItsOwn(Container container) throws Exception {
        assertThat(send(
                        container,
                        request -> {
                            byte[] body = request.getInputStream().readAllBytes();
                            return new String(body, StandardCharsets.UTF_8) + " " + decidedBy("zoe");
                        },
                        "POST",
                        "/signup",
                        "name=zoe"))
                .isEqualTo("name=zoe " + DecidedBy.FILTER);
    }

    /** The client wrote them: none must fill memory. */
    @ParameterizedTest
    @EnumSource
    void manyNamesInOneRequestAreAllReadAtItsEndAndOnlyTheStoredOneIsTold(Container container) throws Exception {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            form.append("name=nobody")
                    .append(i)
                    .append("&name=nobody")
                    .append(i)
                    .append('&');
        }
        assertThat(send(
                        container,
                        request -> {
                            request.getParameterMap();
                            insert("nobody499");
                            return checker.stats(USERNAME).underWay().mentioned() + " " + decidedBy("nobody498");
                        },
                        "POST",
                        "/signup",
                        form.toString()))
                .isEqualTo("500 " + DecidedBy.STORE);
        Eventually.holds("settled", () -> checker.stats(USERNAME).underWay().mentioned() == 0);
        assertThat(checker.stats(USERNAME).memory().told()).isEqualTo(1);
        assertThat(checker.check(USERNAME, "nobody499").available()).isFalse();
    }
}
