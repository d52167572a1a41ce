package io.github.untaken.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter in front has read the body and gives it out again, as those do that log requests; few of them tell a listener. */
class KeptBodyTest {
    private UserTable users;
    private AvailabilityChecker checker;

    private static final class Kept extends HttpServletRequestWrapper {
        private final ByteArrayInputStream body;
        private final Consumer<ReadListener> heard;

        Kept(HttpServletRequest request, Consumer<ReadListener> heard) throws IOException {
            super(request);
            this.body = new ByteArrayInputStream(request.getInputStream().readAllBytes());
            this.heard = heard;
        }

        @Override
        public ServletInputStream getInputStream() {
            return new ServletInputStream() {
                @Override
                public int read() {
                    return body.read();
                }

                @Override
                public boolean isFinished() {
                    return body.available() == 0;
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setReadListener(ReadListener listener) {
                    heard.accept(listener);
                }
            };
        }
    }

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder().store(IdentifierKind.USERNAME, users));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
    }

    private void assertAnswers(Container container, Consumer<ReadListener> heard) throws Exception {
        try (Container.Running server = container.start(context -> {
            Container.everywhere(context, "in front", new HttpFilter() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                        throws IOException, ServletException {
                    chain.doFilter(new Kept(request, heard), response);
                }
            });
            Container.everywhere(
                    context,
                    "availability",
                    new AvailabilityServletFilter(
                            checker,
                            EndpointSettings.builder()
                                    .limiter(ClientLimiter.unlimited())
                                    .build()));
        })) {
            assertThat(post(server, "username=alice")).contains("\"status\":\"taken\"");
            assertThat(post(server, "username=bob")).contains("\"status\":\"available\"");
            assertThat(post(server, "x=1")).contains("missing");
            assertThat(post(server, "")).contains("missing");
            assertThat(post(server, "username=" + "x".repeat(9000))).contains("too-large");
            assertThat(post(server, "application/json", "{\"username\":\"alice\"}"))
                    .contains("\"status\":\"taken\"");
            assertThat(post(server, "application/json", "")).contains("missing");
        }
    }

    private static String post(Container.Running server, String form) throws IOException {
        return post(server, "application/x-www-form-urlencoded", form);
    }

    private static String post(Container.Running server, String type, String form) throws IOException {
        return RawHttp.send(
                        server.port(),
                        "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: "
                                + type + "\r\nContent-Length: " + form.length()
                                + "\r\n\r\n" + form)
                .body();
    }

    @ParameterizedTest
    @EnumSource
    void oneThatTellsNobodyIsReadAllTheSame(Container container) throws Exception {
        assertAnswers(container, listener -> {});
    }

    @ParameterizedTest
    @EnumSource
    void oneThatTakesNoListenerIsReadAllTheSame(Container container) throws Exception {
        assertAnswers(container, listener -> {
            throw new UnsupportedOperationException();
        });
    }
}
