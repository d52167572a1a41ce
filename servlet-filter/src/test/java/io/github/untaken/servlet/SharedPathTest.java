package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.servlet.RawHttp.Answer;
import io.github.untaken.test.log.LoggedLines;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application that answers at {@code /availability} itself, say for the rooms of a hotel, goes on doing so. */
class SharedPathTest {
    private final LoggedLines log = new LoggedLines();
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
        log.close();
    }

    /** Tells which request it got, with the body read by itself. */
    private static final class Rooms extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            response.setStatus(299);
            response.getWriter()
                    .print(request.getMethod() + " " + request.getQueryString() + " "
                            + new String(body, StandardCharsets.UTF_8));
        }
    }

    private Container.Running serve(Container container, String pattern, Predicate<String> told) throws Exception {
        return container.start(context -> {
            AvailabilityServletFilter filter = new AvailabilityServletFilter(checker, EndpointSettings.defaults());
            Container.everywhere(context, "availability", filter);
            Container.serve(context, pattern, new Rooms());
            filter.shareWith(told);
        });
    }

    private static Answer send(Container.Running server, String method, String query, String body) throws IOException {
        return RawHttp.send(
                server.port(),
                method + " /app/availability" + query + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                        + (body.isEmpty()
                                ? ""
                                : "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + body.length()
                                        + "\r\n")
                        + "\r\n" + body);
    }

    private void assertShared(Container.Running server) throws IOException {
        assertThat(send(server, "GET", "?username=alice", "").body()).contains("\"status\":\"taken\"");
        assertThat(send(server, "GET", "?room=7&username=bob", "").body()).contains("\"status\":\"available\"");
        assertThat(send(server, "POST", "?username=bob", "").status()).isEqualTo(400);
        for (String query : new String[] {"", "?room=7", "?Username=alice", "?%ff=1&room=7"}) {
            Answer rooms = send(server, "GET", query, "");
            assertThat(rooms.status()).as(query).isEqualTo(299);
            assertThat(rooms.body()).isEqualTo("GET " + (query.isEmpty() ? "null" : query.substring(1)) + " ");
        }
        assertThat(send(server, "POST", "", "username=alice&room=7").body())
                .isEqualTo("POST null username=alice&room=7");
        assertThat(send(server, "DELETE", "?room=7", "").status()).isEqualTo(299);
    }

    @ParameterizedTest
    @EnumSource
    void aServletOfThatPathGetsWhatNamesNoKind(Container container) throws Exception {
        for (String pattern : new String[] {"/availability", "/availability/*"}) {
            try (Container.Running server = serve(container, pattern, path -> false)) {
                assertShared(server);
            }
        }
        assertThat(log.warnings("untaken.path")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void soDoesAFrameworkThatWasAsked(Container container) throws Exception {
        try (Container.Running server = serve(container, "/*", "/availability"::equals)) {
            assertShared(server);
            assertThat(log.warnings("untaken.path")).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServletForEverythingIsNone(Container container) throws Exception {
        try (Container.Running server = serve(container, "/*", "/elsewhere"::equals)) {
            assertThat(send(server, "GET", "?room=7", "").status()).isEqualTo(400);
            assertThat(send(server, "GET", "", "").status()).isEqualTo(400);
            assertThat(log.warnings("untaken.path")).isEmpty();
        }
    }
}
