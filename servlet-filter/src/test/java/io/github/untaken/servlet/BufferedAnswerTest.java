package io.github.untaken.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.http.CheckMethod;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.KindMode;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A filter in front keeps the body of a response until the filters behind have returned, to log it or make a tag of it. An answer
 * that comes later is not lost there.
 */
class BufferedAnswerTest {
    private UserTable users;
    private AvailabilityChecker checker;

    /** Passes on nothing but what it has when it is asked to. */
    private static final class Buffer extends HttpServletResponseWrapper {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

        Buffer(HttpServletResponse response) {
            super(response);
        }

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public void write(int b) {
                    kept.write(b);
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {}
            };
        }

        @Override
        public PrintWriter getWriter() {
            return new PrintWriter(kept, true, StandardCharsets.UTF_8);
        }

        @Override
        public void setContentLength(int length) {}

        void passOn() throws IOException {
            if (kept.size() > 0) {
                getResponse().setContentLength(kept.size());
                kept.writeTo(getResponse().getOutputStream());
            }
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

    private Container.Running serve(Container container, EndpointSettingsBuilder settings) throws Exception {
        return container.start(context -> {
            Container.everywhere(context, "in front", new HttpFilter() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                        throws IOException, ServletException {
                    Buffer buffer = new Buffer(response);
                    chain.doFilter(request, buffer);
                    buffer.passOn();
                }
            });
            Container.everywhere(
                    context,
                    "availability",
                    new AvailabilityServletFilter(
                            checker, settings.limiter(ClientLimiter.unlimited()).build()));
        });
    }

    private static String post(Container.Running server, String form) throws IOException {
        return RawHttp.send(
                        server.port(),
                        "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type:"
                                + " application/x-www-form-urlencoded\r\nContent-Length: " + form.length()
                                + "\r\n\r\n" + form)
                .body();
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerToAFormIsWhole(Container container) throws Exception {
        try (Container.Running server = serve(container, EndpointSettings.builder())) {
            assertThat(post(server, "username=alice")).endsWith("\"status\":\"taken\",\"available\":false}");
            assertThat(post(server, "username=")).endsWith("}");
            assertThat(post(server, "username=" + "x".repeat(9000))).endsWith("}");
            assertThat(RawHttp.send(server.port(), "GET", "/app/availability?username=alice")
                            .body())
                    .endsWith("\"status\":\"taken\",\"available\":false}");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBlindAnswerIsWhole(Container container) throws Exception {
        try (Container.Running server = serve(
                container,
                EndpointSettings.builder()
                        .mode(IdentifierKind.USERNAME, KindMode.BLIND)
                        .methods(IdentifierKind.USERNAME, CheckMethod.GET, CheckMethod.POST))) {
            assertThat(RawHttp.send(server.port(), "GET", "/app/availability?username=alice")
                            .body())
                    .contains("not_disclosed")
                    .endsWith("}");
            assertThat(post(server, "username=alice")).contains("not_disclosed").endsWith("}");
        }
    }
}
