package io.github.untaken.sample.pages;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Tells browsers to load nothing from elsewhere, and refuses writes that another site's page makes through a visitor's
 * browser. Clients that are no browsers send no {@code Sec-Fetch-Site} and pass.
 */
public final class BrowserGuard extends HttpFilter {
    private static final long serialVersionUID = 1L;

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

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
        chain.doFilter(request, response);
    }
}
