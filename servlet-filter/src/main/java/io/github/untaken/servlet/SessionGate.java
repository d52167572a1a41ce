package io.github.untaken.servlet;

import io.github.untaken.IdentifierKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * Admits requests of a session that exists, and holds the attribute if one is named. Makes no session.
 *
 * @param attribute of the session, or null if any session will do
 */
record SessionGate(@Nullable String attribute) implements RequestGate {

    @Override
    public boolean admits(HttpServletRequest request, IdentifierKind kind) {
        HttpSession session = request.getSession(false);
        return session != null && (attribute == null || session.getAttribute(attribute) != null);
    }
}
