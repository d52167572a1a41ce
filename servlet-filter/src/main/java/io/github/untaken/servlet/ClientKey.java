package io.github.untaken.servlet;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Whom a {@link ClientLimiter} holds responsible for a request.
 *
 * @param value the address of the socket's other end, as the container states it. Headers that name another client are
 *     not read: anybody can send them. Behind a proxy all clients share its address, unless the container itself is set up
 *     to trust that proxy
 */
public record ClientKey(String value) {

    static ClientKey of(HttpServletRequest request) {
        return new ClientKey(String.valueOf(request.getRemoteAddr()));
    }
}
