package io.github.untaken.nodes;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.Optional;

/**
 * Keeps other sites' pages from doing anything through a visitor's browser: writes that the browser says come from there, and writes
 * to a name that is not this machine's, as when the other site lets its own name lead here (DNS rebinding). Clients that are no
 * browsers send no {@code Sec-Fetch-Site} and pass.
 */
final class BrowserGuard {

    /** A write that is not done, and why. */
    record Refusal(int status, String why) {}

    private BrowserGuard() {}

    static Optional<Refusal> refusal(HttpExchange write) {
        Headers headers = write.getRequestHeaders();
        String site = headers.getFirst("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return Optional.of(new Refusal(403, "This request came from another site's page"));
        }
        String host = String.valueOf(headers.getFirst("Host"));
        return host.matches("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?")
                ? Optional.empty()
                : Optional.of(new Refusal(421, "This site has another name"));
    }

    /** Of an answer: what it is, and that it loads nothing but what the policy names. */
    static void describe(HttpExchange exchange, String type, String policy) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cache-Control", "no-store");
        headers.set(
                "Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; " + policy);
    }
}
