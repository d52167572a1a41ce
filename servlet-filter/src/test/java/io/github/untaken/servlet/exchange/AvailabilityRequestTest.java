package io.github.untaken.servlet.exchange;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.untaken.IdentifierKind;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class AvailabilityRequestTest {
    private static final Map<String, IdentifierKind> KINDS = Map.of("username", USERNAME);
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - SECOND);

    /** One byte at each read, after so many nanoseconds. */
    private final class Drip extends ServletInputStream {
        private final byte[] body;
        private final long pause;
        private int at;

        Drip(String body, long pause) {
            this.body = body.getBytes(StandardCharsets.US_ASCII);
            this.pause = pause;
        }

        @Override
        public int read() {
            clock.addAndGet(pause);
            return at == body.length ? -1 : body[at++];
        }

        @Override
        public int read(byte[] into, int from, int length) {
            int next = read();
            if (next < 0) {
                return -1;
            }
            into[from] = (byte) next;
            return 1;
        }

        @Override
        public boolean isFinished() {
            return at == body.length;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException();
        }
    }

    private static HttpServletRequest request(ServletInputStream body) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                AvailabilityRequestTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getContentType" -> "application/x-www-form-urlencoded";
                    case "getContentLengthLong" -> -1L;
                    case "getInputStream" -> body;
                    default -> null;
                });
    }

    private AvailabilityRequest ask(String body, long pause) throws Refusal {
        LongSupplier nanoTime = clock::get;
        return AvailabilityRequest.ofForm(request(new Drip(body, pause)), KINDS, nanoTime);
    }

    @Test
    void aBodyMayComeByteByByte() throws Exception {
        assertThat(ask("username=alice", SECOND / 10).fields().get(0).text()).isEqualTo("alice");
    }

    @Test
    void aBodyMayNotTakeForEver() {
        long began = clock.get();
        Refusal refusal = catchThrowableOfType(Refusal.class, () -> ask("username=" + "a".repeat(8000), SECOND / 2));
        assertThat(refusal.problem()).isEqualTo(Problem.TOO_SLOW);
        assertThat(clock.get() - began).isLessThan(6 * SECOND);
    }

    @Test
    void asksForSuggestionsOnlyByTheWholeWord() throws Exception {
        assertThat(AvailabilityRequest.ofQuery("username=a&suggestions=true", KINDS)
                        .suggestions())
                .isTrue();
        for (String no : new String[] {
            "",
            "&suggestions",
            "&suggestions=",
            "&suggestions=TRUE",
            "&suggestions=true1",
            "&suggestions=tru",
            "&suggestions=%74rue",
            "&xsuggestions=true"
        }) {
            assertThat(AvailabilityRequest.ofQuery("username=a" + no, KINDS).suggestions())
                    .as(no)
                    .isFalse();
        }
    }

    @Test
    void saysNothingOfWhatWasAsked() throws Exception {
        assertThat(ask("username=alice", 0)).hasToString("AvailabilityRequest[username]");
    }
}
