package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.spi.CheckRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Admits requests with exactly one token in a header, if it is good.
 *
 * @param header its name
 * @param good whether the token is good for this request
 */
record HeaderTokenGate(String header, BiPredicate<CheckRequest, String> good) implements RequestGate {

    /** The token must be the one in the session. */
    static HeaderTokenGate ofSession(String header, String attribute) {
        return new HeaderTokenGate(
                header,
                (request, token) -> request.sessionAttribute(attribute).orElse(null) instanceof String expected
                        && !expected.isEmpty()
                        && equalInConstantTime(expected, token));
    }

    @Override
    public boolean admits(CheckRequest request, IdentifierKind kind) {
        List<String> tokens = request.headers(header);
        return tokens.size() == 1 && good.test(request, tokens.get(0));
    }

    /** A comparison that ends early would tell how many characters were right. */
    private static boolean equalInConstantTime(String expected, String token) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
