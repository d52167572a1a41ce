package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.spi.CheckRequest;
import java.util.function.Predicate;

/**
 * Decides whether a request may ask at all: by its session, a token, a solved puzzle. Asked once for each kind a request names, after the
 * request was read and before anything is looked up. A refusal is answered 403.
 *
 * <p>Implementations are thread-safe. They may read headers, cookies, attributes and the session, but not the body or parameters of the
 * request: a form body has been read already. For a POST they are asked after the filters in front have returned, mostly on another thread,
 * so thread-locals of those filters are not there. If one throws, the client is told that nobody knows, and no check is made.
 */
@FunctionalInterface
public interface RequestGate {

    /** Whether this request may ask about identifiers of this kind. */
    boolean admits(CheckRequest request, IdentifierKind kind);

    /** A gate that admits only what both this one and another admit. */
    default RequestGate and(RequestGate other) {
        return (request, kind) -> admits(request, kind) && other.admits(request, kind);
    }

    /** A gate that is always open, for demonstrations and tests. */
    static RequestGate allowAll() {
        return OpenGate.INSTANCE;
    }

    /** A gate for those who have a session, as anybody who has loaded the sign-up page may have. Makes none itself. */
    static RequestGate session() {
        return new SessionGate(null);
    }

    /** A gate for those whose session holds this attribute, whatever its value. */
    static RequestGate sessionAttribute(String name) {
        return new SessionGate(name);
    }

    /**
     * A gate for requests with a header that holds the token of their session, against requests from other sites (CSRF).
     *
     * @param header its name, such as {@code X-CSRF-Token}; it must be there once
     * @param sessionAttribute the session attribute in which the application put the token, a string that is not empty
     */
    static RequestGate headerToken(String header, String sessionAttribute) {
        return HeaderTokenGate.ofSession(header, sessionAttribute);
    }

    /**
     * A gate for requests with a header that holds a token the application accepts, such as a solved captcha or proof of work.
     *
     * @param header its name; it must be there once
     * @param valid must be thread-safe
     */
    static RequestGate headerToken(String header, Predicate<String> valid) {
        return new HeaderTokenGate(header, (request, token) -> valid.test(token));
    }
}
