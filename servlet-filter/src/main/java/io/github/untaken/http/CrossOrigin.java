package io.github.untaken.http;

import io.github.untaken.http.spi.CheckRequest;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages of the listed other origins read the answers (CORS), without cookies: who the visitor is here is not that page's business.
 * Immutable.
 */
final class CrossOrigin {
    private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9+.-]*://[^/?#*\\s]+");

    private final Set<String> origins = new LinkedHashSet<>();

    /** @throws IllegalArgumentException if one is not an origin */
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
     * The headers that tell a browser, also in answer to a preflight.
     *
     * @param methods that the endpoint serves, as in {@code Allow}
     */
    Map<String, String> headers(CheckRequest request, String methods) {
        if (origins.isEmpty()) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Vary", "Origin");
        String origin = request.header("Origin");
        if (!isListed(origin)) {
            return headers;
        }
        headers.put("Access-Control-Allow-Origin", origin);
        if ("OPTIONS".equals(request.method()) && request.header("Access-Control-Request-Method") != null) {
            headers.put("Access-Control-Allow-Methods", methods);
            headers.put("Access-Control-Allow-Headers", "*");
            headers.put("Access-Control-Max-Age", "600");
        } else {
            headers.put("Access-Control-Expose-Headers", "Retry-After");
        }
        return headers;
    }

    /**
     * Whether the browser says that a page of another site asks, from none of the listed origins; no page can prevent that. It could not
     * read the answer, but would use up what this visitor may ask here.
     */
    boolean isAnotherSite(CheckRequest request) {
        String site = request.header("Sec-Fetch-Site");
        return ("cross-site".equals(site) || "same-site".equals(site)) && !isListed(request.header("Origin"));
    }

    private boolean isListed(@Nullable String origin) {
        return origin != null && origins.contains(origin);
    }
}
