package io.github.untaken.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A body that comes behind its head, in a packet of its own, and is read as it comes. */
class LateBodyTest {
    private static final String BODY = "username=alice";

    private final CountDownLatch listening = new CountDownLatch(1);
    private final AtomicInteger read = new AtomicInteger();
    private final AtomicInteger askedBehindTheEnd = new AtomicInteger();

    /** The container's own stream. */
    private final class Noted extends ServletInputStream {
        private final ServletInputStream stream;

        Noted(ServletInputStream stream) {
            this.stream = stream;
        }

        @Override
        public int read() throws IOException {
            int one = stream.read();
            read.addAndGet(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] bytes, int from, int most) throws IOException {
            int some = stream.read(bytes, from, most);
            read.addAndGet(Math.max(0, some));
            return some;
        }

        @Override
        public int available() throws IOException {
            return stream.available();
        }

        @Override
        public boolean isFinished() {
            return stream.isFinished();
        }

        @Override
        public boolean isReady() {
            if (read.get() == BODY.length()) {
                askedBehindTheEnd.incrementAndGet();
            }
            return stream.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            stream.setReadListener(listener);
            listening.countDown();
        }
    }

    /**
     * Whoever asks Payara behind the last byte whether there is more is told of the next request of that connection, which then
     * nobody answers.
     */
    @ParameterizedTest
    @EnumSource
    void nobodyAsksForMoreThanWasAnnounced(Container container) throws Exception {
        try (UserTable users = new UserTable("alice");
                AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(IdentifierKind.USERNAME, users));
                Container.Running server = container.start(context -> {
                    Container.everywhere(context, "in front", new HttpFilter() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        protected void doFilter(
                                HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                                throws IOException, ServletException {
                            ServletInputStream noted = new Noted(request.getInputStream());
                            chain.doFilter(
                                    new HttpServletRequestWrapper(request) {
                                        @Override
                                        public ServletInputStream getInputStream() {
                                            return noted;
                                        }
                                    },
                                    response);
                        }
                    });
                    Container.everywhere(context, "availability", new AvailabilityServletFilter(checker));
                });
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            send(
                    socket,
                    "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + BODY.length()
                            + "\r\n\r\n");
            assertThat(listening.await(20, TimeUnit.SECONDS)).isTrue();
            send(socket, BODY);

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200")
                    .contains("\"status\":\"taken\"");
            assertThat(askedBehindTheEnd).hasValue(0);
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
