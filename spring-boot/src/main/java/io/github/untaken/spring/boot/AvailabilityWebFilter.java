package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.AvailabilityEndpoint;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointStats;
import io.github.untaken.http.spi.EndpointResponse;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Predicate;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Mono;

/**
 * The availability endpoint on WebFlux. Answers what the servlet filter answers, and passes every other request on. What memory knows is
 * answered on the thread of the request, which must not wait; a name for which the store has to be read waits on a
 * thread of the endpoint, of which there are {@code maxWaitingChecks} at most. So gates and limiters must not block here.
 * Rules by which requests are watched for registrations need servlets, and are refused. Thread-safe. Does not close the checker.
 */
public final class AvailabilityWebFilter implements WebFilter, Ordered, AutoCloseable {
    private final AvailabilityEndpoint endpoint;
    private final int order;

    /**
     * With everything given.
     *
     * @param order among web filters; -99 is right behind Spring Security
     * @throws IllegalStateException if a kind would be served with less protection than its mode needs
     * @throws IllegalArgumentException if the settings name a kind the checker does not know, do not fit each other, or have watch rules
     */
    public AvailabilityWebFilter(AvailabilityChecker checker, EndpointSettings settings, int order) {
        if (!settings.watchRules().isEmpty()) {
            throw new IllegalArgumentException(
                    "watch rules (untaken.watch) need servlets and do not work in a WebFlux application: announce"
                            + " what it registers by checker.registrations()");
        }
        this.endpoint = new AvailabilityEndpoint(checker, settings);
        this.order = order;
    }

    /** What was done so far. Blocks nobody. */
    public EndpointStats stats() {
        return endpoint.stats();
    }

    /**
     * Tells at which paths the application itself answers.
     *
     * @param applicationPaths asked at once, for a path within the application
     */
    public void shareWith(Predicate<String> applicationPaths) {
        endpoint.shareWith(applicationPaths);
    }

    @Override
    public int getOrder() {
        return order;
    }

    /** Does not close the checker. What is waiting is still answered on time. */
    @Override
    public void close() {
        endpoint.close();
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        String path = path(exchange);
        if (!endpoint.answers(path, exchange.getRequest().getURI().getRawQuery())) {
            return chain.filter(exchange);
        }
        Mono<Optional<Principal>> principal =
                exchange.<Principal>getPrincipal().map(Optional::of).defaultIfEmpty(Optional.empty());
        return Mono.zip(principal, session(exchange))
                .flatMap(who -> answer(new WebFluxCheckRequest(exchange, path, who.getT1(), who.getT2())))
                .flatMap(answer -> send(answer, exchange));
    }

    /**
     * Within the application, decoded, without parameters. A segment with an encoded slash stays as it was sent, so that no path of ours
     * matches it: path guards take it for one segment.
     */
    private static String path(ServerWebExchange exchange) {
        StringBuilder path = new StringBuilder();
        for (PathContainer.Element element :
                exchange.getRequest().getPath().pathWithinApplication().elements()) {
            String decoded = element instanceof PathContainer.PathSegment segment ? segment.valueToMatch() : "/";
            path.append(decoded.indexOf('/') < 0 ? decoded : element.value());
        }
        return path.toString();
    }

    /** The session of a request that brings cookies: for any other, a new one would be made. */
    private static Mono<Optional<WebSession>> session(ServerWebExchange exchange) {
        return exchange.getRequest().getCookies().isEmpty()
                ? Mono.just(Optional.empty())
                : exchange.getSession()
                        .map(session -> Optional.of(session).filter(WebSession::isStarted))
                        .defaultIfEmpty(Optional.empty());
    }

    private Mono<EndpointResponse> answer(WebFluxCheckRequest request) {
        return Mono.create(sink -> {
            WebFluxExchange asked = new WebFluxExchange(request, sink::success);
            sink.onDispose(asked::end);
            endpoint.handle(asked);
        });
    }

    private static Mono<Void> send(EndpointResponse answer, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
        HttpHeaders headers = response.getHeaders();
        answer.headers().forEach((name, value) -> {
            if (name.equals(HttpHeaders.VARY)) {
                headers.add(name, value);
            } else {
                headers.set(name, value);
            }
        });
        if (!answer.hasBody()) {
            return response.setComplete();
        }
        headers.setContentLength(answer.body().remaining());
        if (exchange.getRequest().getMethod().equals(HttpMethod.HEAD)) {
            return response.setComplete();
        }
        DataBuffer body = response.bufferFactory().wrap(answer.body());
        return response.writeWith(Mono.just(body));
    }
}
