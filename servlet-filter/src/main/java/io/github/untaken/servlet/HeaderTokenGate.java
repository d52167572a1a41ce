package io.github.untaken.servlet;

import io.github.untaken.IdentifierKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Enumeration;
import java.util.function.BiPredicate;

/**
 * Admits requests with one good token in a header.
 *
 * @param header its name
 * @param good whether the token is good for this request
 */
record HeaderTokenGate(String header, BiPredicate<HttpServletRequest, String> good) implements RequestGate {

    /** The token is the one the session holds. */
    static HeaderTokenGate ofSession(String header, String attribute) {
        return new HeaderTokenGate(header, (request, token) -> {
            HttpSession session = request.getSession(false);
            return session != null
                    && session.getAttribute(attribute) instanceof String expected
                    && !expected.isEmpty()
                    && equalInConstantTime(expected, token);
        });
    }

    @Override
    public boolean admits(HttpServletRequest request, IdentifierKind kind) {
        Enumeration<String> tokens = request.getHeaders(header);
        if (tokens == null || !tokens.hasMoreElements()) {
            return false;
        }
        String token = tokens.nextElement();
        return !tokens.hasMoreElements() && good.test(request, token);
    }

    /** An early end of the comparison would tell how many characters were right. */
    private static boolean equalInConstantTime(String expected, String token) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
