package io.github.untaken.sample.pages;

import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.experiment.Mix;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The two pages and the few files they use. */
public final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final Map<String, String> PAGES = Map.of("/dashboard", "dashboard.html");
    private static final Map<String, String> FILES = Map.of(
            "/style.css", "text/css;charset=utf-8",
            "/dashboard.css", "text/css;charset=utf-8",
            "/dashboard-charts.js", "text/javascript;charset=utf-8",
            "/signup.js", "text/javascript;charset=utf-8",
            "/dashboard.js", "text/javascript;charset=utf-8",
            "/icon.svg", "image/svg+xml");

    private static final int TAKEN_NAMES = 100;

    private final transient SampleDatabase database;
    private final transient SignUpPage signUpPage;

    public PageServlet(SampleDatabase database, SignUpPage signUpPage) {
        this.database = database;
        this.signUpPage = signUpPage;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
        String page = PAGES.get(path);
        String type = FILES.get(path);
        boolean signUp = path.equals(SignUpPage.PATH);
        if (!signUp && page == null && type == null) {
            Replies.problem(response, 404, "There is nothing here", null, null);
        } else if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            Replies.methodNotAllowed(response, "GET, HEAD");
        } else if (signUp) {
            response.setHeader("Vary", "Accept-Language");
            Replies.html(response, 200, signUpPage.empty(PageLanguage.of(request)));
        } else if (page != null) {
            response.setHeader("Vary", "Accept-Language");
            PageLanguage language = PageLanguage.of(request);
            Map<String, String> values = language.links(path);
            values.putAll(ofThisSite());
            Replies.html(response, 200, language.texts().page(page, values));
        } else {
            try (InputStream in = Texts.resource(path.substring(1))) {
                byte[] file = in.readAllBytes();
                response.setContentType(type);
                response.setHeader("Cache-Control", "no-cache");
                response.setContentLength(file.length);
                response.getOutputStream().write(file);
            }
        }
    }

    /** What the pages say of this site. */
    private Map<String, String> ofThisSite() {
        Mix mix = Mix.DEFAULT;
        return Map.of(
                "cacheMegabytes", String.valueOf(database.pageCacheBytes() >> 20),
                "takenNames", takenNames(),
                "mixFree", String.valueOf(mix.free()),
                "mixTyped", String.valueOf(mix.typed()),
                "mixTaken", String.valueOf(mix.taken()),
                "mixHot", String.valueOf(mix.hot()),
                "mixPhones", String.valueOf(mix.phones()));
    }

    /** A few of the seeded names, for the page to ask for. */
    private String takenNames() {
        return IntStream.range(0, Math.min(TAKEN_NAMES, database.seededUsers()))
                .mapToObj(MadeUpAccounts::username)
                .collect(Collectors.joining(" "));
    }
}
