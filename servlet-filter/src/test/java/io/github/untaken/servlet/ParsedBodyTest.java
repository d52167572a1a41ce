package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.test.log.LoggedLines;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The body was read before the endpoint could, or cannot be read without waiting: then the container's parameters count. */
class ParsedBodyTest {
    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice", "\u5f20\u4e09", "jos\u00e9");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
    }

    private interface Look {
        void at(HttpServletRequest request) throws IOException;
    }

    private Container.Running serve(Container container, boolean asynchronous, Look look) throws Exception {
        return container.start(context -> {
            Container.everywhere(context, "in front", new HttpFilter() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                        throws IOException, ServletException {
                    look.at(request);
                    chain.doFilter(request, response);
                }
            });
            var filter = context.addFilter(
                    "availability",
                    new AvailabilityServletFilter(
                            checker,
                            EndpointSettings.builder()
                                    .limiter(ClientLimiter.unlimited())
                                    .build()));
            filter.setAsyncSupported(asynchronous);
            filter.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
        });
    }

    private static RawHttp.Answer post(Container.Running server, String type, String form) throws IOException {
        return send(server, "application/x-www-form-urlencoded" + type, form);
    }

    private static RawHttp.Answer send(Container.Running server, String type, String body) throws IOException {
        return RawHttp.send(
                server.port(),
                "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: " + type
                        + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** No container makes parameters of it, so whoever asks for them leaves it to the endpoint. */
    private static void assertAnswersJson(Container.Running server) throws IOException {
        assertThat(send(server, "application/json", "{\"username\":\"alice\"}").body())
                .contains("\"status\":\"taken\"");
        assertThat(send(server, "application/json", "{\"username\":\"bob\"}").body())
                .contains("\"available\":true");
        assertThat(send(server, "application/json", "").body()).contains("missing");
        assertThat(send(server, "application/json", "{\"username\":7}").body()).contains("malformed");
        assertThat(send(server, "application/json", "[" + " ".repeat(9000)).status())
                .isEqualTo(413);
    }

    private static void assertAnswers(Container.Running server) throws IOException {
        assertThat(post(server, "", "username=bob").body())
                .isEqualTo("{\"field\":\"username\",\"value\":\"bob\",\"status\":\"available\",\"available\":true}");
        assertThat(post(server, "", "x=1&username=ALICE&suggestions=true").body())
                .contains("\"value\":\"alice\",\"status\":\"taken\"")
                .contains("suggestions");
        assertThat(post(server, ";charset=UTF-8", "username=%E5%BC%A0%E4%B8%89").body())
                .contains("\"value\":\"\u5f20\u4e09\",\"status\":\"taken\"");
        for (String charset : new String[] {"", ";charset=UTF-8"}) {
            // What cannot be told from a wrongly decoded text is refused; never is another text answered.
            for (String taken : new String[] {"%E5%BC%A0%E4%B8%89", "jos%C3%A9", "jos\u00c3\u00a9", "jos%E9"}) {
                RawHttp.Answer answer = post(server, charset, "username=" + taken);
                assertThat(answer.body()).as(taken + charset).doesNotContain("\"available\":true");
                assertThat(answer.status()).as(taken + charset).isIn(200, 400);
            }
            for (String bad : new String[] {
                "",
                "x=1",
                "username=",
                "username=bob&username=bob",
                "username=%zz",
                "username=b%00b",
                "username=" + "b".repeat(257)
            }) {
                RawHttp.Answer answer = post(server, charset, bad);
                assertThat(answer.status()).as(bad).isEqualTo(400);
                assertThat(Json.object(answer.body()).get("availability")).isEqualTo("unknown");
            }
        }
        assertThat(post(server, "", "username=bob&" + "x".repeat(9000)).status())
                .isEqualTo(413);
        assertThat(post(server, ";charset=GBK", "username=bob").status()).isEqualTo(415);
        assertThat(RawHttp.send(server.port(), "GET", "/app/availability?username=alice")
                        .body())
                .contains("\"status\":\"taken\"");
    }

    @ParameterizedTest
    @EnumSource
    void somebodyHasAskedForParameters(Container container) throws Exception {
        try (LoggedLines log = new LoggedLines();
                Container.Running server = serve(container, true, request -> {
                    if (!String.valueOf(request.getContentType()).contains("GBK")) {
                        try {
                            request.getParameter("x");
                        } catch (RuntimeException e) {
                            // As some containers do with parameters that they cannot decode.
                        }
                    }
                })) {
            assertAnswers(server);
            assertAnswersJson(server);
            assertThat(log.warnings("container's parameters")).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void jsonThatSomebodyHasReadCannotBeRead(Container container) throws Exception {
        try (Container.Running server =
                serve(container, true, request -> request.getInputStream().readAllBytes())) {
            assertThat(send(server, "application/json", "{\"username\":\"bob\"}")
                            .body())
                    .contains("unreadable");
            assertThat(send(server, "application/json", "").body()).contains("missing");
        }
    }

    @ParameterizedTest
    @EnumSource
    void somebodyHasTakenTheReader(Container container) throws Exception {
        try (Container.Running server = serve(container, true, HttpServletRequest::getReader)) {
            // One container reads it once more for its parameters.
            assertThat(post(server, "", "username=alice").body()).containsPattern("missing|\"status\":\"taken\"");
            assertThat(post(server, "", "").body()).contains("missing");
            assertThat(send(server, "application/json", "{\"username\":\"bob\"}")
                            .body())
                    .contains("unreadable");
        }
    }

    /** Forms are UTF-8, whatever somebody has told the container, as long as it has decoded nothing. */
    @ParameterizedTest
    @EnumSource
    void somebodyHasNamedAnotherEncoding(Container container) throws Exception {
        try (Container.Running server = serve(container, false, request -> request.setCharacterEncoding("UTF-16"))) {
            assertThat(post(server, "", "username=alice").body()).contains("\"status\":\"taken\"");
            assertThat(post(server, "", "username=bob").body()).contains("\"available\":true");
        }
    }

    @ParameterizedTest
    @EnumSource
    void asynchronousSupportIsOff(Container container) throws Exception {
        try (LoggedLines log = new LoggedLines();
                Container.Running server = serve(container, false, request -> {})) {
            assertAnswersJson(server);
            assertThat(log.warnings("container's parameters")).hasSize(1);
            assertAnswers(server);
            assertThat(log.warnings("container's parameters")).hasSize(1);
        }
    }
}
