package io.github.untaken.servlet.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.spi.EndpointResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a late answer asks of its container, of which there is only what it asks. */
class ServletExchangeTest {
    private static final EndpointResponse TAKEN = new EndpointResponse(
            200, Map.of("Content-Type", "text/plain"), ByteBuffer.wrap("taken".getBytes(StandardCharsets.US_ASCII)));

    private final FaultLog faults = new FaultLog("io.github.untaken.servlet");
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    /** In order, each with its arguments. */
    private final List<String> done = new ArrayList<>();

    private String protocol = "HTTP/1.1";
    private long length = 14;
    private @Nullable RuntimeException refusal;

    private interface Part {
        @Nullable Object answer(String method, Object[] arguments);
    }

    private <T> T stub(Class<T> type, Part part) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            Object[] arguments = given == null ? new Object[0] : given;
            if (method.getReturnType() == void.class) {
                StringBuilder text = new StringBuilder(method.getName());
                for (Object each : arguments) {
                    text.append(' ').append(each instanceof ServletExchange || each instanceof Runnable ? "it" : each);
                }
                done.add(text.toString());
            }
            return part.answer(method.getName(), arguments);
        }));
    }

    private ServletExchange exchange() {
        AsyncContext context = stub(AsyncContext.class, (method, arguments) -> {
            if (method.equals("start")) {
                ((Runnable) arguments[0]).run();
            }
            return null;
        });
        HttpServletRequest request = stub(HttpServletRequest.class, (method, arguments) -> switch (method) {
            case "getMethod" -> "POST";
            case "getProtocol" -> protocol;
            case "getContentLengthLong" -> length;
            case "getHeader" -> null;
            case "startAsync" -> context;
            default -> throw new UnsupportedOperationException(method);
        });
        ServletOutputStream out = new Out();
        HttpServletResponse response =
                stub(HttpServletResponse.class, (method, arguments) -> method.equals("getOutputStream") ? out : null);
        return new ServletExchange(
                new ServletCheckRequest(request, "/availability"),
                response,
                () -> Duration.ofSeconds(2),
                new ContainerBodies(),
                faults);
    }

    private final class Out extends ServletOutputStream {
        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            if (refusal != null) {
                throw refusal;
            }
            try {
                listener.onWritePossible();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void write(int b) {
            sent.write(b);
        }
    }

    @Test
    void theContainerWaitsSomeSecondsLongerAndThenSaysThatNobodyKnows() {
        exchange().waitForAnswer(() -> {});
        assertThat(done).containsExactly("setTimeout 7000", "addListener it", "setStatus 503");
    }

    /** Otherwise its rest would be taken for the next request; and where there is none, the connection is worth keeping. */
    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, 14, true",
        "HTTP/1.0, 14, true",
        "HTTP/1.1, 0, false",
        "HTTP/2.0, 14, false",
        "HTTP/2.0, 0, false"
    })
    void aLateAnswerClosesTheConnectionBehindABodyThatNobodyHasRead(String version, long bytes, boolean closes) {
        protocol = version;
        length = bytes;
        ServletExchange exchange = exchange();
        exchange.waitForAnswer(() -> {});
        exchange.answer(TAKEN);
        assertThat(done.contains("setHeader Connection close")).isEqualTo(closes);
        assertThat(sent).hasToString("taken");
    }

    @Test
    void aLateAnswerKeepsTheConnectionBehindABodyThatWasRead() {
        ServletExchange exchange = exchange();
        exchange.waitForAnswer(() -> {});
        exchange.bodyRead();
        exchange.answer(TAKEN);
        assertThat(done).doesNotContain("setHeader Connection close").endsWith("complete");
        assertThat(sent).hasToString("taken");
    }

    /** As the responses of test kits do: they have no client to wait for. */
    @Test
    void whereNobodyTellsOfRoomALateAnswerIsSentAtOnce() {
        refusal = new UnsupportedOperationException();
        ServletExchange exchange = exchange();
        exchange.waitForAnswer(() -> {});
        exchange.answer(TAKEN);
        assertThat(sent).hasToString("taken");
        assertThat(done).endsWith("complete");
        assertThat(faults.count()).isZero();
    }

    @Test
    void aLateAnswerThatCannotBeginEndsTheRequestAndCountsAsAFault() {
        refusal = new IllegalStateException("there is a listener already");
        ServletExchange exchange = exchange();
        exchange.waitForAnswer(() -> {});
        exchange.answer(TAKEN);
        assertThat(done).endsWith("complete");
        assertThat(sent.size()).isZero();
        assertThat(faults.count()).isEqualTo(1);
    }
}
