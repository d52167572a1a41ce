package io.github.untaken.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** The two pages and the few files they use. */
final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final Map<String, String> PAGES = Map.of("/dashboard", "dashboard.html");
    private static final Map<String, String> FILES = Map.of(
            "/style.css", "text/css;charset=utf-8",
            "/signup.js", "text/javascript;charset=utf-8",
            "/dashboard.js", "text/javascript;charset=utf-8",
            "/icon.svg", "image/svg+xml");

    private final transient SampleDatabase database;
    private final transient SignUpPage signUpPage;

    PageServlet(SampleDatabase database, SignUpPage signUpPage) {
        this.database = database;
        this.signUpPage = signUpPage;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
        String page = PAGES.get(path);
        String type = FILES.get(path);
        boolean signUp = path.equals("/");
        if (!signUp && page == null && type == null) {
            Replies.problem(response, 404, "There is nothing here", null, null);
        } else if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            Replies.methodNotAllowed(response, "GET, HEAD");
        } else if (signUp) {
            response.setHeader("Vary", "Accept-Language");
            Replies.html(response, 200, signUpPage.empty(Texts.of(request)));
        } else if (page != null) {
            response.setHeader("Vary", "Accept-Language");
            String cache = String.valueOf(database.pageCacheBytes() >> 20);
            Replies.html(response, 200, Texts.of(request).page(page, Map.of("cacheMegabytes", cache)));
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
}
