package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientKey;
import io.github.untaken.http.ClientLimiter.Decision;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.test.browser.Chromium;
import io.github.untaken.testkit.Eventually;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sign-up page with untaken.js in a real browser, under a content security policy that allows only what it must. */
@Tag("browser")
class BrowserTest {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'self'; style-src 'self'";

    private static final String STYLE =
            "body{font:18px sans-serif;margin:2em}[data-untaken-state=taken]{border-color:#b00}[role=status]{margin-left:.5em}";

    /** Counts what breaks the policy, and notes and can shorten what the script waits for. */
    private static final String WATCHED = """
            window.violations = 0;
            window.delays = [];
            const later = setTimeout;
            window.setTimeout = (task, delay, ...more) => {
                delays.push(delay);
                return later(task, delay === window.shortened ? 0 : delay, ...more);
            };
            document.addEventListener('securitypolicyviolation', () => window.violations++);
            """;

    private static Chromium chromium;

    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch firstMayGoOn = new CountDownLatch(1);
    private final LinkedBlockingQueue<String> signUps = new LinkedBlockingQueue<>();
    private volatile boolean holdFirst;
    private volatile boolean refuse;
    private volatile boolean wantToken;
    private UserTable users;
    private AvailabilityChecker checker;
    private Container.Running server;
    private BrowserContext window;
    private Page page;

    @BeforeAll
    static void startBrowser() {
        chromium = Chromium.running();
    }

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                .store(USERNAME, users)
                .reserved(USERNAME, ReservedNames.of(Set.of("admin"))));
        server = Container.JETTY.start(this::install);
        window = chromium.window();
    }

    @AfterEach
    void close() throws Exception {
        firstMayGoOn.countDown();
        window.close();
        server.close();
        checker.close();
        users.close();
    }

    private Decision admit(ClientKey client) {
        int number = asked.incrementAndGet();
        if (holdFirst && number == 1) {
            try {
                firstMayGoOn.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return refuse ? Decision.refuse(Duration.ofSeconds(1)) : Decision.admit();
    }

    private void install(ServletContext context) {
        context.setRequestCharacterEncoding("UTF-8");
        Container.everywhere(
                context,
                "availability",
                new AvailabilityServletFilter(
                        checker,
                        EndpointSettings.builder()
                                .limiter(this::admit)
                                .gate((request, kind) -> !wantToken || "t-1".equals(request.header("X-CSRF-Token")))
                                .path("/api/free")
                                .scriptPath("/js/untaken.js")
                                .build()));
        Container.serve(context, "/signup", new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                String with = String.valueOf(request.getParameter("with"));
                String language = with.equals("zh") ? "zh-CN" : "en";
                String attributes = switch (with) {
                    case "suggest" -> " data-untaken-suggestions";
                    case "own" ->
                        " data-untaken-status=own data-untaken-suggestions data-untaken-text-taken=Gone"
                                + " aria-describedby='hint own'"
                                + " data-untaken-header=X-CSRF-Token data-untaken-token=t-1 minlength=3";
                    default -> "";
                };
                send(
                        response,
                        "text/html",
                        "<!doctype html><html lang=" + language + "><title>Sign up</title>"
                                + "<link rel=stylesheet href=style.css><script src=js/untaken.js defer></script>"
                                + "<form method=post><label>Name <input name=username autofocus required data-untaken=username"
                                + attributes
                                + "></label> <button>Sign up</button></form><p id=hint>Be brief.</p><p id=own></p>");
            }

            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                signUps.add(request.getParameter("username"));
                send(response, "text/html", "<!doctype html><title>Signed up</title>");
            }
        });
        Container.serve(context, "/style.css", new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                send(response, "text/css", STYLE);
            }
        });
    }

    private static void send(HttpServletResponse response, String type, String text) throws IOException {
        response.setContentType(type + ";charset=UTF-8");
        response.setHeader("Content-Security-Policy", POLICY);
        response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private Locator status() {
        return page.locator("[role=status]");
    }

    private void shows(String text) {
        PlaywrightAssertions.assertThat(status()).hasText(text);
    }

    private Locator input() {
        return page.locator("input");
    }

    private void openPage(String pathAndQuery) {
        page = window.newPage();
        page.addInitScript(WATCHED);
        page.navigate(server.uri(pathAndQuery).toString());
        input().focus();
    }

    /** At once, as from a clipboard. */
    private void type(String text) {
        page.keyboard().insertText(text);
    }

    @ParameterizedTest
    @CsvSource({
        "alice, Already taken, taken, true",
        "Alice, Already taken, taken, true",
        "zoe, Available, available, false",
        "admin, Reserved, reserved, true",
        "a b c, Has a character that is not allowed, invalid, true",
    })
    void tellsWhileOneTypes(String name, String text, String state, String invalid) {
        openPage("/signup");
        assertThat(status().textContent()).isEmpty();
        assertThat(input().getAttribute("aria-describedby")).isEqualTo(status().getAttribute("id"));
        type(name);
        PlaywrightAssertions.assertThat(input()).hasAttribute("data-untaken-state", state);
        assertThat(status().textContent()).startsWith(text);
        assertThat(input().getAttribute("aria-invalid")).isEqualTo(invalid);
        assertThat(input().evaluate("input => input.validity.valid")).isEqualTo(true);
        assertThat(page.evaluate("window.violations")).isEqualTo(0);
        if (name.equals("alice")) {
            page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target", "untaken-js.png")));
        }
    }

    @Test
    void speaksChineseAndSuggestsWhereThePageDoes() {
        openPage("/signup?with=zh");
        type("alice");
        shows("\u5df2\u88ab\u4f7f\u7528");
        openPage("/signup?with=suggest");
        type("alice");
        shows("Already taken. Still free: ");
        for (String name : page.locator("untaken-check button").allTextContents()) {
            assertThat(checker.check(USERNAME, name).available()).isTrue();
        }
        // Beside the label: what stands in it is a part of the field's name.
        PlaywrightAssertions.assertThat(input()).hasAccessibleName("Name");
    }

    @Test
    void usesTheTextsTheElementAndTheTokenOfThePage() {
        wantToken = true;
        openPage("/signup?with=own");
        assertThat(input().getAttribute("aria-describedby")).isEqualTo("hint own");
        type("al");
        type("ice");
        PlaywrightAssertions.assertThat(page.locator("#own")).containsText("Gone. Still free: alice");
        PlaywrightAssertions.assertThat(page.locator("untaken-check")).isHidden();
        assertThat(status().count()).isEqualTo(1);
        assertThat(asked).hasValue(1);
    }

    @Test
    void asksOnceForKeysInQuickSuccession() {
        openPage("/signup");
        page.evaluate("""
                [...'alicealice'].forEach(c => {
                    const i = document.querySelector('input');
                    i.value += c;
                    i.dispatchEvent(new InputEvent('input', {bubbles: true}));
                })""");
        shows("Available");
        assertThat(asked).hasValue(1);
        assertThat(page.evaluate("[...new Set(window.delays.filter(Boolean))].join()"))
                .isEqualTo("300,5000");
    }

    @Test
    void dropsAReplyToWhatStoodThereBefore() {
        holdFirst = true;
        openPage("/signup");
        page.evaluate("window.told = [], document.addEventListener('untaken', e => window.told.push(e.detail.status))");
        type("alice");
        Eventually.holds("asked about alice", () -> asked.get() == 1);
        type("x");
        shows("Available");
        firstMayGoOn.countDown();
        // The page hears nothing of the first, whatever arrives: what comes next is told next.
        type("y");
        Eventually.holds(
                "all told",
                () -> page.evaluate("window.told.join()").equals(",checking,,checking,available,,checking,available"));
        assertThat(asked).hasValue(3);
    }

    @Test
    void waitsNotForEverAndTellsAnAnswerThatComesAfterAll() {
        holdFirst = true;
        openPage("/signup");
        page.evaluate(
                "window.shortened = 5000, window.told = [],"
                        + " document.addEventListener('untaken', e => window.told.push(e.detail.status + e.detail.response?.status))");
        type("alice");
        shows("Could not check; you can still submit");
        assertThat(input().getAttribute("aria-invalid")).isEqualTo("false");
        firstMayGoOn.countDown();
        shows("Already taken");
        assertThat(page.evaluate("window.told.join()"))
                .isEqualTo("undefined,checkingundefined,unknownundefined,taken200");
    }

    @Test
    void neverBlocksTheSignUp() throws Exception {
        openPage("/signup");
        type("alice");
        shows("Already taken");
        page.keyboard().press("Enter");
        assertThat(signUps.poll(20, TimeUnit.SECONDS)).isEqualTo("alice");

        refuse = true;
        openPage("/signup");
        type("bob");
        shows("Could not check; you can still submit");
        assertThat(input().getAttribute("aria-invalid")).isEqualTo("false");
        page.keyboard().press("Enter");
        assertThat(signUps.poll(20, TimeUnit.SECONDS)).isEqualTo("bob");
    }

    @Test
    void isNotNeededToSignUp() throws Exception {
        window.close();
        window = chromium.window(new NewContextOptions().setJavaScriptEnabled(false));
        openPage("/signup");
        assertThat(status().count()).isZero();
        type("alice");
        page.keyboard().press("Enter");
        assertThat(signUps.poll(20, TimeUnit.SECONDS)).isEqualTo("alice");
        assertThat(asked).hasValue(0);
    }
}
