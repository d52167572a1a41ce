package io.github.untaken.servlet.exchange;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.exchange.AvailabilityResponse;
import io.github.untaken.http.spi.CheckBody;
import io.github.untaken.http.spi.CheckExchange;
import io.github.untaken.http.spi.CheckRequest;
import io.github.untaken.http.spi.EndpointResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request to the endpoint and its answer, which may be given at once, or later and by another thread. An answer never waits for an
 * unwanted body: it closes the connection behind itself instead.
 */
public final class ServletExchange implements CheckExchange, AsyncListener {
    /** How long a client may take to receive a late answer, at least, in milliseconds. */
    private static final long TO_TAKE_IT = 5_000;

    private final ServletCheckRequest asked;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final ContainerBodies otherwise;
    private final FaultLog faults;
    private final Supplier<Duration> longest;
    private final AtomicBoolean completed = new AtomicBoolean();
    private volatile @Nullable ArrivingBody arriving;
    private volatile @Nullable AsyncContext waiting;
    private volatile Runnable atLast = () -> {};
    private volatile @Nullable Thread ending;
    private volatile boolean gone;
    private volatile boolean bodyRead;

    /**
     * Not answered yet.
     *
     * @param longest how long its body and its answer may be waited for; some seconds later the container ends it
     */
    @SuppressWarnings("exports")
    public ServletExchange(
            ServletCheckRequest asked,
            HttpServletResponse response,
            Supplier<Duration> longest,
            ContainerBodies otherwise,
            FaultLog faults) {
        this.asked = asked;
        this.request = asked.servlet();
        this.response = response;
        this.longest = longest;
        this.otherwise = otherwise;
        this.faults = faults;
    }

    @Override
    public CheckRequest request() {
        return asked;
    }

    HttpServletRequest servletRequest() {
        return request;
    }

    /** Without asynchronous support, or if somebody has the reader, what others have read, or wait for, must do. */
    @Override
    public Optional<CheckBody> bodyAtHand() {
        ServletInputStream in = stream();
        if (in == null) {
            return Optional.of(otherwise.of(request));
        }
        ArrivingBody body = new ArrivingBody(this, in, () -> otherwise.of(request));
        arriving = body;
        return Optional.ofNullable(body.ifThere());
    }

    private @Nullable ServletInputStream stream() {
        try {
            return canWait() ? request.getInputStream() : null;
        } catch (IOException | RuntimeException e) {
            return null; // somebody has the reader, or the container knows no such charset
        }
    }

    @Override
    public Arrival awaitBody(Consumer<CheckBody> then) {
        ArrivingBody body = Objects.requireNonNull(arriving, "asked for what is at hand first");
        body.begin(then);
        return body;
    }

    /** Only if everything in front has asynchronous support. */
    @Override
    public boolean canWait() {
        return waiting != null || request.isAsyncSupported() && !request.isAsyncStarted();
    }

    @Override
    public void waitForAnswer(Runnable unanswered) {
        if (waiting == null) {
            atLast = unanswered;
            waitForAnswer();
        }
    }

    private void waitForAnswer() {
        AsyncContext begun = request.startAsync(request, response);
        waiting = begun;
        begun.setTimeout(longest.get().toMillis() + TO_TAKE_IT);
        begun.addListener(this);
        response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE); // for an end by which no answer has begun
    }

    /** Whether the request announced a body. */
    boolean hasBody() {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    /** Whether it announced a body that we would read. A client that asks first does not send it until we begin to read. */
    @Override
    public boolean readsUnwantedBody() {
        long length = request.getContentLengthLong();
        return length > 0 && length <= CheckBody.MOST_BYTES && !asksFirst();
    }

    /**
     * Whether a wrapper in front has a stream of its own, over a body that was read to its end. Such wrappers seldom tell a listener, and
     * reading from one never waits.
     */
    boolean bodyIsKept(ServletInputStream in) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        try {
            ServletInputStream source = inner.getInputStream();
            return source != in && source.isFinished();
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** The body was read to its end. */
    void bodyRead() {
        bodyRead = true;
    }

    @Override
    public void answer(EndpointResponse answer) {
        if (gone) {
            return;
        }
        try {
            if (waiting == null && !bodyRead && hasBody() && !readWhatIsThere()) {
                leaveBody();
            }
            if (ending == Thread.currentThread()) {
                Sending.all(answer, ofTheContainer(), hasAnswerBody());
            } else if (waiting == null) {
                Sending.all(answer, response, hasAnswerBody());
            } else {
                sendLate(answer, response);
            }
        } catch (IOException e) {
            complete(); // the client has gone
        } catch (RuntimeException | Error fault) {
            note(fault);
            sendInstead();
        }
    }

    /** A filter in front has taken the writer, or else left the response in a useless state. */
    private void sendInstead() {
        EndpointResponse answer = AvailabilityResponse.fault();
        try {
            HttpServletResponse to = waiting == null ? response : ofTheContainer();
            if (to.isCommitted()) {
                complete();
            } else {
                to.reset();
                if (waiting == null) {
                    Sending.all(answer, to, hasAnswerBody());
                } else {
                    sendLate(answer, to);
                }
            }
        } catch (IOException e) {
            complete(); // the client has gone
        } catch (RuntimeException | Error fault) {
            note(fault);
            complete();
        }
    }

    /**
     * Begun on a thread of the container, which may first have to wait until the container is done with the request. A filter in front that
     * has a stream of its own would keep forever what it gets now. So the answer goes through such a filter only if that hands out the
     * container's stream.
     */
    private void sendLate(EndpointResponse answer, HttpServletResponse asked) throws IOException {
        HttpServletResponse own = ofTheContainer();
        ServletOutputStream stream = asked.getOutputStream();
        ServletOutputStream out = own.getOutputStream();
        HttpServletResponse to = stream == out ? asked : own;
        EndpointResponse last =
                bodyRead || !hasBody() || !isHttp1() ? answer : answer.with(Map.of("Connection", "close"));
        LateAnswer late = new LateAnswer(last, to, out, hasAnswerBody(), isHttp1(), this::complete);
        Objects.requireNonNull(waiting).start(() -> {
            try {
                out.setWriteListener(late);
            } catch (UnsupportedOperationException e) {
                late.sendAtOnce(); // a test has no container, and no client to wait for
            } catch (RuntimeException fault) {
                note(fault);
                complete();
            }
        });
    }

    /** What the container has ended because its client has gone cannot be answered any more. */
    private void note(Throwable fault) {
        if (!completed.get()) {
            faults.failed("Sending an availability answer", fault);
        }
    }

    private boolean isHttp1() {
        return request.getProtocol().startsWith("HTTP/1");
    }

    private boolean hasAnswerBody() {
        return !"HEAD".equals(request.getMethod());
    }

    private HttpServletResponse ofTheContainer() {
        HttpServletResponse own = response;
        while (own instanceof ServletResponseWrapper wrapper
                && wrapper.getResponse() instanceof HttpServletResponse inner) {
            own = inner;
        }
        return own;
    }

    /** Reads a small body that has already arrived, so that the connection can be kept. Does not wait for one. */
    private boolean readWhatIsThere() {
        if (!readsUnwantedBody()) {
            return false;
        }
        try {
            BodyBytes body = new BodyBytes(request);
            body.readArrived(request.getInputStream());
            return body.isWhole();
        } catch (IOException | RuntimeException e) {
            return false; // somebody else has read it, or the client has gone
        }
    }

    /** The client sends its body only when asked to. */
    private boolean asksFirst() {
        return request.getHeader("Expect") != null;
    }

    /** Closes the connection after the answer. Otherwise the rest of the body would be waited for, or taken for a request. */
    private void leaveBody() {
        if (isHttp1()) {
            response.setHeader("Connection", "close");
        }
        if (canWait() && !asksFirst()) {
            try {
                // Tomcat swallows the rest on the request's thread, and waits for it unless a listener is set.
                ServletInputStream in = request.getInputStream();
                waitForAnswer();
                in.setReadListener(new Unread());
            } catch (IOException | RuntimeException e) {
                // Then it may wait.
            }
        }
    }

    /** Only once: the container may use the same context for the next request. */
    private void complete() {
        AsyncContext begun = waiting;
        if (begun != null && completed.compareAndSet(false, true)) {
            try {
                begun.complete();
            } catch (IllegalStateException e) {
                // The container was first.
            }
        }
    }

    /** The last resort, on a thread of the container: nobody has answered, or the client does not take the answer. */
    @Override
    public void onTimeout(AsyncEvent event) {
        ending = Thread.currentThread();
        atLast.run();
        complete();
    }

    /** The client has gone, or the container gave up: there is nobody to answer. */
    @Override
    public void onError(AsyncEvent event) {
        gone = true;
        complete();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        completed.set(true);
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}

    /** Hears of an unwanted body. */
    private static final class Unread implements ReadListener {
        @Override
        public void onDataAvailable() {}

        @Override
        public void onAllDataRead() {}

        @Override
        public void onError(Throwable failure) {}
    }
}
