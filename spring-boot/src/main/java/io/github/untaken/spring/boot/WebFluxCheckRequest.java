package io.github.untaken.spring.boot;

import io.github.untaken.http.spi.CheckRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebSession;

/** A request as WebFlux has it, with what would otherwise have to be waited for. */
record WebFluxCheckRequest(
        ServerWebExchange exchange, String path, Optional<Principal> principal, Optional<WebSession> session)
        implements CheckRequest {

    @Override
    public String method() {
        return exchange.getRequest().getMethod().name();
    }

    @Override
    public @Nullable String query() {
        return exchange.getRequest().getURI().getRawQuery();
    }

    @Override
    public @Nullable String header(String name) {
        return exchange.getRequest().getHeaders().getFirst(name);
    }

    @Override
    public List<String> headers(String name) {
        return exchange.getRequest().getHeaders().getOrEmpty(name);
    }

    /** An address that Spring took from a header is not resolved, and may be any text. */
    @Override
    public String remoteAddress() {
        InetSocketAddress remote = exchange.getRequest().getRemoteAddress();
        if (remote == null) {
            return "unknown";
        }
        InetAddress address = remote.getAddress();
        return address == null ? remote.getHostString() : address.getHostAddress();
    }

    @Override
    public long length() {
        return exchange.getRequest().getHeaders().getContentLength();
    }

    @Override
    public boolean hasSession() {
        return session.isPresent();
    }

    @Override
    public Optional<Object> sessionAttribute(String name) {
        return session.map(each -> each.getAttribute(name));
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(exchange) ? Optional.of(type.cast(exchange)) : Optional.empty();
    }
}
