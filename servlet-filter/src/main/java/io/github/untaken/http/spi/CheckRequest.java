package io.github.untaken.http.spi;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint needs of an HTTP request, whatever the framework. Read by one thread at a time, though not always the same one. Nothing
 * here blocks, and nothing reads the body.
 */
@SuppressWarnings("exports") // callers need not see JSpecify's annotations
public interface CheckRequest {

    /** In capitals, such as {@code GET}. */
    String method();

    /** Within the application, decoded, without path parameters. */
    String path();

    /** The query string as it was sent, without its question mark; null if there is none. */
    @Nullable String query();

    /** The first line of a header, whose name may be in any case; null if there is none. */
    @Nullable String header(String name);

    /** All lines of a header, in order. */
    List<String> headers(String name);

    /** The address of the connection's peer, without a port. Whom it speaks for is worked out from this and the headers. */
    String remoteAddress();

    /** The announced length of the body in bytes; below zero if there is none. */
    long length();

    /** Whether the visitor already has a session. Makes none. */
    boolean hasSession();

    /** An attribute of that session, empty if there is none. */
    Optional<Object> sessionAttribute(String name);

    /** Who is logged in, if anybody. */
    Optional<Principal> principal();

    /**
     * The framework's own request, if it is of that type: {@code jakarta.servlet.http.HttpServletRequest} behind the servlet filter,
     * {@code org.springframework.web.server.ServerWebExchange} on WebFlux.
     */
    <T> Optional<T> unwrap(Class<T> type);
}
