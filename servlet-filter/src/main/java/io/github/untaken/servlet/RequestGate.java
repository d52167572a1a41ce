package io.github.untaken.servlet;

import io.github.untaken.spi.IdentifierKind;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Decides whether a request may ask at all: by its session, a token, a solved puzzle. Asked once for each kind a request
 * names, after the request was read and before anything is looked up. A refusal is answered 403.
 *
 * <p>Implementations are thread-safe. They may read headers, cookies, attributes and the session, but not the body or
 * parameters of the request: a form body has been read already. If one throws, the client is told that nobody knows, and no
 * check is made.
 */
@FunctionalInterface
public interface RequestGate {

    /** Whether this request may ask about identifiers of this kind. */
    boolean admits(HttpServletRequest request, IdentifierKind kind);

    /** A gate that is always open, for demonstrations and tests. */
    static RequestGate allowAll() {
        return OpenGate.INSTANCE;
    }
}
