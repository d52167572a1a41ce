package io.github.untaken.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Lets pages of other origins read the answers (CORS), those of the listed ones. Without their cookies: whoever the visitor is
 * here is not that page's affair. Immutable.
 */
final class CrossOrigin {
    private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9+.-]*://[^/?#*\\s]+");

    private final Set<String> origins = new LinkedHashSet<>();

    /** @throws IllegalArgumentException if one is no origin */
    CrossOrigin(String... origins) {
        for (String origin : origins) {
            String lower = origin.toLowerCase(Locale.ROOT);
            if (!FORM.matcher(lower).matches()) {
                throw new IllegalArgumentException(
                        "an origin must be a scheme and a host, with a port if it has one, such as"
                                + " https://www.example.org, without a path or '*', but was '" + origin + "'");
            }
            this.origins.add(lower);
        }
    }

    /**
     * Sets the headers by which a browser knows, of a preflight too.
     *
     * @param methods that the endpoint serves, as in {@code Allow}
     */
    void tell(HttpServletRequest request, HttpServletResponse response, String methods) {
        if (origins.isEmpty()) {
            return;
        }
        response.addHeader("Vary", "Origin");
        if (!isListed(request)) {
            return;
        }
        response.setHeader("Access-Control-Allow-Origin", request.getHeader("Origin"));
        if ("OPTIONS".equals(request.getMethod()) && request.getHeader("Access-Control-Request-Method") != null) {
            response.setHeader("Access-Control-Allow-Methods", methods);
            response.setHeader("Access-Control-Allow-Headers", "*");
            response.setHeader("Access-Control-Max-Age", "600");
        } else {
            response.setHeader("Access-Control-Expose-Headers", "Retry-After");
        }
    }

    /**
     * Whether a page of another site asks, of none of the listed origins, as the browser says, which no page can keep it from. It may not
     * read the answer, but would use up what this visitor may ask here.
     */
    boolean isAnotherSite(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        return ("cross-site".equals(site) || "same-site".equals(site)) && !isListed(request);
    }

    private boolean isListed(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        return origin != null && origins.contains(origin);
    }
}
