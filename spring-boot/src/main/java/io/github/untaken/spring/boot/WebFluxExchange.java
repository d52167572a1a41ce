package io.github.untaken.spring.boot;

import io.github.untaken.http.spi.CheckBody;
import io.github.untaken.http.spi.CheckExchange;
import io.github.untaken.http.spi.CheckRequest;
import io.github.untaken.http.spi.EndpointResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.MediaType;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/** A check on its way on WebFlux. Nothing of it waits. */
final class WebFluxExchange implements CheckExchange {
    private final WebFluxCheckRequest request;
    private final Consumer<EndpointResponse> answers;
    private final Disposable.Swap body = Disposables.swap();

    WebFluxExchange(WebFluxCheckRequest request, Consumer<EndpointResponse> answers) {
        this.request = request;
        this.answers = answers;
    }

    @Override
    public CheckRequest request() {
        return request;
    }

    @Override
    public Optional<CheckBody> bodyAtHand() {
        return request.length() == 0 ? Optional.of(CheckBody.of(new byte[0])) : Optional.empty();
    }

    @Override
    public Arrival awaitBody(Consumer<CheckBody> then) {
        Awaited awaited = new Awaited(then);
        body.update(DataBufferUtils.join(request.exchange().getRequest().getBody(), CheckBody.MOST_BYTES)
                .map(WebFluxExchange::bytes)
                .onErrorReturn(DataBufferLimitException.class, CheckBody.TOO_LARGE)
                .onErrorResume(IllegalStateException.class, taken -> Mono.empty())
                .switchIfEmpty(Mono.defer(this::fields)) // a filter in front may have read it
                .onErrorReturn(CheckBody.UNREADABLE)
                .subscribe(awaited::end));
        return awaited;
    }

    private static CheckBody bytes(DataBuffer joined) {
        byte[] bytes = new byte[joined.readableByteCount()];
        joined.read(bytes);
        DataBufferUtils.release(joined);
        return CheckBody.of(bytes);
    }

    /** The fields of a form, which the exchange keeps; it keeps no other body. */
    private Mono<CheckBody> fields() {
        MediaType type = request.exchange().getRequest().getHeaders().getContentType();
        if (!MediaType.APPLICATION_FORM_URLENCODED.isCompatibleWith(type)) {
            return Mono.just(request.length() > 0 ? CheckBody.UNREADABLE : CheckBody.of(new byte[0]));
        }
        return request.exchange().getFormData().map(form -> {
            Map<String, List<String>> fields = new LinkedHashMap<>();
            form.forEach((name, values) ->
                    fields.put(name, values.stream().map(String::valueOf).toList()));
            return CheckBody.decoded(fields, "UTF-8");
        });
    }

    /** Ends once. */
    private static final class Awaited implements Arrival {
        private final Consumer<CheckBody> then;
        private final AtomicBoolean over = new AtomicBoolean();

        Awaited(Consumer<CheckBody> then) {
            this.then = then;
        }

        void end(CheckBody body) {
            if (over.compareAndSet(false, true)) {
                then.accept(body);
            }
        }

        @Override
        public void giveUp() {
            end(CheckBody.TOO_SLOW);
        }

        @Override
        public boolean isOver() {
            return over.get();
        }
    }

    @Override
    public boolean canWait() {
        return true;
    }

    /** Needs no last resort: whatever the endpoint waits for ends by itself. */
    @Override
    public void waitForAnswer(Runnable atLast) {}

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public void answer(EndpointResponse response) {
        answers.accept(response);
        end();
    }

    /** Nobody wants the body any more. */
    void end() {
        body.dispose();
    }
}
