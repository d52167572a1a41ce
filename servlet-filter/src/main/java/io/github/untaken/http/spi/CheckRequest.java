package io.github.untaken.http.spi;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint asks of an HTTP request, whatever framework it came by. Read by one thread at a time, though not always by the same
 * one. Nothing here blocks, and nothing reads the body.
 */
@SuppressWarnings("exports") // JSpecify's annotations concern no caller
public interface CheckRequest {

    /** In capitals, such as {@code GET}. */
    String method();

    /** Within the application, decoded, without path parameters. */
    String path();

    /** The query string as it was sent, without its question mark; null if there is none. */
    @Nullable String query();

    /** The first line of a header, null if there is none of that name, in any case. */
    @Nullable String header(String name);

    /** All lines of a header, in their order. */
    List<String> headers(String name);

    /** Of the peer of the connection, without a port; whoever it speaks for is found out from it and the headers. */
    String remoteAddress();

    /** How many bytes the body is said to have; below zero if that is not said. */
    long length();

    /** Whether the visitor has a session already. Makes none. */
    boolean hasSession();

    /** An attribute of that session, empty if there is none. */
    Optional<Object> sessionAttribute(String name);

    /** Who is logged in, if somebody is. */
    Optional<Principal> principal();

    /**
     * The request as the framework has it, if it is of that type: {@code jakarta.servlet.http.HttpServletRequest} behind the servlet
     * filter, {@code org.springframework.web.server.ServerWebExchange} on WebFlux.
     */
    <T> Optional<T> unwrap(Class<T> type);
}
