package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.test.browser.Chromium;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A sign-up form with the widget in a real browser, beside the real endpoint, under a policy that allows only what it must.
 * Each test gets a window of its own, and must have broken neither the policy nor the script.
 */
final class WidgetSite implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'self';"
                    + " style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";

    private static final String STYLE = """
            :root { color-scheme: light dark; }
            body { font: 16px/1.5 sans-serif; margin: 1.5rem; max-width: 26rem;
              background: light-dark(#f6f7f5, #101614); color: light-dark(#17211e, #e8efec); }
            label { display: block; font-weight: 600; margin-top: 1rem; }
            input { font: inherit; width: 100%; box-sizing: border-box; padding: .5em .7em; color: inherit; background: none;
              border: 1px solid; border-radius: .4em; }
            form > button { font: inherit; margin-top: 1.25rem; padding: .6em 1.4em; }
            .own::part(taken) { letter-spacing: 3px; }
            .own { --untaken-bad: rgb(1, 2, 3); }
            """;

    /** Notes what breaks the policy and what the script waits for, shortens the wait for the next key, and takes out the chance. */
    private static final String WATCHED = """
            window.violations = [];
            window.delays = [];
            window.shortened = [300, 1000];
            Math.random = () => 0;
            const later = setTimeout;
            window.setTimeout = (task, delay, ...more) => {
                delays.push(delay);
                return later(task, shortened.includes(delay) ? 0 : delay, ...more);
            };
            document.addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective));
            window.told = [];
            document.addEventListener('untaken', e => told.push(e.detail.status));
            """;

    static final String FIELD = "<untaken-check><label>Name <input name=username required></label></untaken-check>";

    private final LinkedBlockingQueue<String> signUps = new LinkedBlockingQueue<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private volatile String html = "";
    private Chromium chromium;
    private UserTable users;
    private AvailabilityChecker checker;
    private Container.Running server;
    private BrowserContext window;
    private Page page;

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        chromium = Chromium.running();
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                .store(USERNAME, users)
                .reserved(USERNAME, ReservedNames.of(Set.of("admin"))));
        server = Container.JETTY.start(this::install);
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (chromium != null) {
            server.close();
            checker.close();
            users.close();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        signUps.clear();
        faults.clear();
        window = chromium.window();
        page = window.newPage();
        page.addInitScript(WATCHED);
        page.onPageError(faults::add);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            assertThat(page.evaluate("window.violations.join()")).isEqualTo("");
            assertThat(faults).isEmpty();
        } finally {
            window.close();
        }
    }

    private void install(ServletContext context) {
        context.setRequestCharacterEncoding("UTF-8");
        Container.everywhere(
                context,
                "availability",
                new AvailabilityServletFilter(
                        checker,
                        EndpointSettings.builder()
                                .limiter(ClientLimiter.unlimited())
                                .path("/api/free")
                                .scriptPath("/js/untaken.js")
                                .build()));
        serve(context, "/style.css", "text/css", () -> STYLE);
        serve(context, "/signup", "text/html", () -> html);
    }

    private void serve(ServletContext context, String path, String type, Supplier<String> text) {
        Container.serve(context, path, new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.setContentType(type + ";charset=UTF-8");
                response.setHeader("Content-Security-Policy", POLICY);
                response.getOutputStream().write(text.get().getBytes(StandardCharsets.UTF_8));
            }

            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                signUps.add(request.getParameter("username"));
                response.setContentType("text/html");
                response.getWriter().print("<!doctype html><title>Signed up</title>");
            }
        });
    }

    /** Opens a page with these fields in its form. */
    Page open(String fields) {
        return open("en", "<script src=js/untaken.js defer></script>", fields);
    }

    Page open(String language, String scripts, String fields) {
        html = "<!doctype html><html lang=" + language + "><meta charset=utf-8><title>Sign up</title>"
                + "<meta name=viewport content='width=device-width'><link rel=stylesheet href=style.css>" + scripts
                + "<main><h1>Sign up</h1><form method=post>" + fields + "<button>Sign up</button></form></main>";
        page.navigate(server.uri("/signup").toString());
        return page;
    }

    /** Answers instead of the endpoint, from now on. */
    void answer(Consumer<Route> instead) {
        answerAsEver();
        page.route("**/api/free", instead);
    }

    void answerAsEver() {
        page.unroute("**/api/free");
    }

    /** A JSON answer instead of the endpoint's. */
    void answer(int status, String json, String... header) {
        answer(route -> {
            var options = new Route.FulfillOptions()
                    .setStatus(status)
                    .setContentType("application/json")
                    .setBody(json);
            if (header.length > 0) {
                options.setHeaders(Map.of(header[0], header[1]));
            }
            route.fulfill(options);
        });
    }

    /** The requests to the endpoint from now on. */
    List<Request> asked() {
        List<Request> asked = new CopyOnWriteArrayList<>();
        page.onRequest(request -> {
            if (request.url().endsWith("/api/free")) {
                asked.add(request);
            }
        });
        return asked;
    }

    Page page() {
        return page;
    }

    /** At once, as from a clipboard. */
    void type(String text) {
        page.locator("input").first().focus();
        page.keyboard().insertText(text);
    }

    Locator status() {
        return page.locator("[role=status]");
    }

    /** The name that was sent, by the button or by the Enter key. */
    String signedUp() throws InterruptedException {
        PlaywrightAssertions.assertThat(page).hasTitle("Signed up");
        return signUps.poll(20, TimeUnit.SECONDS);
    }

    boolean nobodySignedUp() {
        return signUps.isEmpty();
    }

    /** What axe-core finds wrong with the page as it is, by rule. */
    List<?> violations() {
        try (InputStream in = WidgetSite.class.getResourceAsStream("/axe.min.js")) {
            page.evaluate(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return (List<?>) page.evaluate(
                "axe.run().then(r => r.violations.map(v => v.id + ' ' + v.nodes.map(n => n.html + n.failureSummary)))");
    }
}
