package io.github.untaken.sample.pages;

import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.experiment.Mix;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The landing page, the dashboard, and the few files the pages use. */
public final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final Map<String, String> PAGES = Map.of("/", "race.html", "/dashboard", "dashboard.html");
    private static final String CSS = "text/css;charset=utf-8";
    private static final String SCRIPT = "text/javascript;charset=utf-8";
    private static final Map<String, String> FILES = Map.ofEntries(
            Map.entry("/style.css", CSS),
            Map.entry("/race.css", CSS),
            Map.entry("/dashboard.css", CSS),
            Map.entry("/starting.js", SCRIPT),
            Map.entry("/race.js", SCRIPT),
            Map.entry("/race-drawing.js", SCRIPT),
            Map.entry("/trace.js", SCRIPT),
            Map.entry("/signup.js", SCRIPT),
            Map.entry("/dashboard-charts.js", SCRIPT),
            Map.entry("/dashboard.js", SCRIPT),
            Map.entry("/icon.svg", "image/svg+xml"));

    private final transient SampleDatabase database;

    public PageServlet(SampleDatabase database) {
        this.database = database;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
        String page = PAGES.get(path);
        String type = FILES.get(path);
        if (page == null && type == null) {
            Replies.problem(response, 404, "There is nothing here", null, null);
        } else if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            Replies.methodNotAllowed(response, "GET, HEAD");
        } else if (page != null) {
            response.setHeader("Vary", "Accept-Language");
            PageLanguage language = PageLanguage.of(request);
            Map<String, String> values = language.links(path);
            values.putAll(ofThisSite(language));
            Replies.html(response, 200, language.texts().page(page, values));
        } else {
            file(response, path, String.valueOf(type));
        }
    }

    /** Whether it is one of the files the pages use, which is then answered. */
    static boolean answered(HttpServletResponse response, String path) throws IOException {
        String type = FILES.get(path);
        if (type != null) {
            file(response, path, type);
        }
        return type != null;
    }

    private static void file(HttpServletResponse response, String path, String type) throws IOException {
        try (InputStream in = Texts.resource(path.substring(1))) {
            byte[] file = in.readAllBytes();
            response.setContentType(type);
            response.setHeader("Cache-Control", "no-cache");
            response.setContentLength(file.length);
            response.getOutputStream().write(file);
        }
    }

    /** What the pages say of this site. */
    private Map<String, String> ofThisSite(PageLanguage language) {
        Mix mix = Mix.DEFAULT;
        Map<String, String> values = new HashMap<>(Map.of(
                "cacheMegabytes", String.valueOf(database.pageCacheBytes() >> 20),
                "try.taken", database.seededUsers() > 0 ? MadeUpAccounts.username(0) : "",
                "mixFree", String.valueOf(mix.free()),
                "mixTyped", String.valueOf(mix.typed()),
                "mixTaken", String.valueOf(mix.taken()),
                "mixHot", String.valueOf(mix.hot()),
                "mixPhones", String.valueOf(mix.phones())));
        values.put(
                "race.lane.databaseText",
                language.texts()
                        .text("race.lane.databaseText")
                        .replace("{users}", String.format(Locale.ROOT, "%,d", database.seededUsers())));
        values.put(
                "race.mix",
                language.texts()
                        .text("race.mix")
                        .replace("{free}", share(mix.free()))
                        .replace("{typed}", share(mix.typed()))
                        .replace("{taken}", share(mix.taken()))
                        .replace("{hot}", share(mix.hot()))
                        .replace("{phones}", share(mix.phones())));
        return values;
    }

    private static String share(int weight) {
        return String.valueOf(100 * weight / Mix.DEFAULT.sum());
    }
}
