package io.github.untaken.sample.pages;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;

/**
 * Tells browsers to load nothing from elsewhere, and refuses writes that another site's page makes through a visitor's
 * browser: those that the browser says come from there, and those to a name that is not this machine's, as when the other
 * site lets its own name lead here (DNS rebinding). Clients that are no browsers send no {@code Sec-Fetch-Site} and pass.
 */
public final class BrowserGuard extends HttpFilter {
    private static final long serialVersionUID = 1L;

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    /** The names of the loopback interface, where alone the site listens. */
    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        String origin = request.getHeader("Sec-Fetch-Site");
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (!reads && origin != null && !origin.equals("same-origin") && !origin.equals("none")) {
            Replies.problem(response, 403, "This request came from another site's page", null, "cross_site");
            return;
        }
        if (!reads && !HOSTS.contains(request.getServerName().toLowerCase(Locale.ROOT))) {
            Replies.problem(response, 421, "This site has another name", null, "other_host");
            return;
        }
        chain.doFilter(request, response);
    }
}
