package io.github.untaken.sample.pages;

import io.github.untaken.sample.database.Seeding;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The site before its database is there: each page shows how far that is, {@code GET /starting} tells it to scripts, and
 * everything else is refused for the moment. No name is called available meanwhile.
 */
public final class StartingServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** Where a page asks how far it is; the site that has started answers there too. */
    public static final String PATH = "/starting";

    private static final Set<String> PAGES = Set.of("/", "/dashboard", SignUpPage.PATH);

    private final transient Seeding seeding;

    public StartingServlet(Seeding seeding) {
        this.seeding = seeding;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (reads && path.equals(PATH)) {
            Replies.json(response, HttpServletResponse.SC_OK, progress());
        } else if (reads && PAGES.contains(path)) {
            PageLanguage language = PageLanguage.of(request);
            response.setHeader("Vary", "Accept-Language");
            Replies.html(response, 200, language.texts().page("starting.html", language.links(path)));
        } else if (!reads || !PageServlet.answered(response, path)) {
            response.setIntHeader("Retry-After", 1);
            Replies.problem(response, 503, "The site is starting; try again in some seconds", null, "starting");
        }
    }

    private Map<String, Object> progress() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("started", false);
        body.put("step", seeding.step().name().toLowerCase(Locale.ROOT));
        body.put("rows", seeding.rows());
        body.put("users", seeding.users());
        return body;
    }

    /** What the started site answers to the page that waits for it. */
    public static final class Over extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Replies.json(response, HttpServletResponse.SC_OK, Map.of("started", true));
        }
    }
}
