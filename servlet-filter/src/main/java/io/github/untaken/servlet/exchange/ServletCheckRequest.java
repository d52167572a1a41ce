package io.github.untaken.servlet.exchange;

import io.github.untaken.http.spi.CheckRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request as the container has it.
 *
 * @param path as the container mapped it
 */
public record ServletCheckRequest(HttpServletRequest servlet, String path) implements CheckRequest {

    @Override
    public String method() {
        return servlet.getMethod();
    }

    @Override
    public @Nullable String query() {
        return servlet.getQueryString();
    }

    @Override
    public @Nullable String header(String name) {
        return servlet.getHeader(name);
    }

    @Override
    public List<String> headers(String name) {
        Enumeration<String> lines = servlet.getHeaders(name);
        return lines == null ? List.of() : Collections.list(lines);
    }

    @Override
    public String remoteAddress() {
        return String.valueOf(servlet.getRemoteAddr());
    }

    @Override
    public long length() {
        return servlet.getContentLengthLong();
    }

    @Override
    public boolean hasSession() {
        return servlet.getSession(false) != null;
    }

    @Override
    public Optional<Object> sessionAttribute(String name) {
        HttpSession session = servlet.getSession(false);
        return session == null ? Optional.empty() : Optional.ofNullable(session.getAttribute(name));
    }

    @Override
    public Optional<Principal> principal() {
        return Optional.ofNullable(servlet.getUserPrincipal());
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(servlet) ? Optional.of(type.cast(servlet)) : Optional.empty();
    }
}
