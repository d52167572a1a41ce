package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.github.untaken.sample.BrowsedSite;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.test.browser.Chromium;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dashboard in a real browser: each button, and what the page shows of it. */
@Tag("browser")
class DashboardBrowserTest {
    /** For 50,000 rows on a busy machine. */
    private static final double LONG_MILLIS = 120_000;

    private static final String POINTS = "document.querySelector('#figure-checks .line')"
            + " ? document.querySelector('#figure-checks .line').getAttribute('d').split('L').length : 0";

    @RegisterExtension
    static final BrowsedSite SITE = new BrowsedSite("--audit-seconds", "1");

    @Test
    void chartsAreDrawnAndKeptOverAReload() {
        Page page = SITE.open("/dashboard");
        for (int i = 0; i < 50; i++) {
            SITE.client().check(MadeUpAccounts.username(i));
            SITE.client().check("dashboard.free." + i);
        }
        page.waitForCondition(() -> points(page) >= 3);
        assertThat(page.locator("#figure-share .number")).containsText("%");
        assertThat(page.locator("#figure-avoided .number")).containsText("≈");
        assertThat(page.locator("#figure-avoided .badge")).hasText("estimated");
        assertThat(page.locator("#figure-avoided .detail"))
                .containsText(Pattern.compile("\\d+ answers from memory × [0-9.]+"));
        assertThat(page.locator("#figure-alarms .detail")).containsText("made-up names; declared");
        assertThat(page.locator("#figure-memory .chart"))
                .hasAttribute("aria-label", Pattern.compile("Memory for all names: [0-9.]+ MB"));
        page.reload();
        page.waitForCondition(() -> points(page) > 0);
        assertThat(points(page)).as("at once, not one a second").isGreaterThanOrEqualTo(3);
    }

    @Test
    void chartsShowTheRaceWhereThereIsNoOtherTraffic() {
        Page page = SITE.open("/dashboard");
        page.waitForCondition(() -> SITE.client().get("/stats").number("checks") > 500);
        assertThat(page.locator("#figure-checks .number")).not().hasText("0");
    }

    private static int points(Page page) {
        return (int) page.evaluate(POINTS);
    }

    @Test
    void sendsManyChecksAndTellsTheirAnswers() {
        Page page = SITE.open("/dashboard");
        long before = SITE.client().get("/stats").number("checks");
        press(page, "Send 10,000 checks");
        assertThat(button(page, "Run the experiment")).isDisabled();
        assertThat(status(page))
                .hasText(
                        Pattern.compile("Sent in [\\d.]+ s: 9,000 free, 1,000 taken, 0 could not be answered, 0 refused"
                                + " by the limit\\."));
        assertThat(status(page)).hasAttribute("data-state", "free");
        assertThat(button(page, "Run the experiment")).isEnabled();
        assertThat(SITE.client().get("/stats").number("checks")).isGreaterThanOrEqualTo(before + 10_000);
        Chromium.screenshot(page, "dashboard-burst");
        SITE.client().post("/actions/stop", "");
        press(page, "Send 10,000 checks");
        // Or one or two fewer free, which the filter took for taken.
        assertThat(status(page))
                .hasText(Pattern.compile(
                        "Sent in [\\d.]+ s: (9,000|8,99\\d) free, 0 taken, 1,00\\d could not be answered,"
                                + " 0 refused by the limit\\."));
        assertThat(status(page)).hasAttribute("data-state", "unknown");
        SITE.client().post("/actions/start", "");
    }

    @Test
    void importsBehindTheRegistrysBackAndSeesItNoticed() {
        Page page = SITE.open("/dashboard");
        press(page, "Import 50,000 by SQL");
        assertThat(status(page))
                .hasText(
                        "50,000 accounts were imported. The registry was not told.",
                        new LocatorAssertions.HasTextOptions().setTimeout(LONG_MILLIS));
        assertThat(page.locator("#imported"))
                .hasAttribute(
                        "data-state", "known", new LocatorAssertions.HasAttributeOptions().setTimeout(LONG_MILLIS));
        Locator happened = page.locator("#events");
        assertThat(happened).containsText("User names: Accounts imported by SQL, unannounced");
        assertThat(happened).containsText("User names: A committed name was missing from memory");
        assertThat(happened).containsText("User names: Degraded: the database answers");
        assertThat(page.locator("#imported-count")).hasText("Imported names that memory calls free: 0");
        assertThat(page.locator(".kind").first()).containsText("found missing from memory since the start");
        assertThat(page.locator(".kind .pill").first()).hasText("ready");
        Chromium.screenshot(page, "dashboard-import");
    }

    @Test
    void stopsAndStartsTheDatabase() {
        Page page = SITE.open("/dashboard");
        assertThat(button(page, "Start")).isDisabled();
        press(page, "Stop database");
        assertThat(status(page)).hasText("The database is stopped.");
        assertThat(status(page)).hasAttribute("data-state", "invalid");
        assertThat(page.locator("#down")).isVisible();
        assertThat(page.locator("#database")).containsText("It is stopped.");
        assertThat(button(page, "Stop database")).isDisabled();
        assertThat(SITE.client().check(MadeUpAccounts.username(7))).isEqualTo("HTTP 503");
        assertThat(SITE.client().check("free.while.stopped")).isEqualTo("available");
        Chromium.screenshot(page, "dashboard-stopped");
        press(page, "Start");
        assertThat(status(page)).hasText("The database runs again.");
        assertThat(page.locator("#down")).isHidden();
        assertThat(page.locator("#database")).containsText("It runs.");
        assertThat(SITE.client().check(MadeUpAccounts.username(7))).isEqualTo("taken");
        assertThat(page.locator("#events")).containsText("Database stopped");
        assertThat(page.locator("#events")).containsText("Database started");
    }

    /** They were asked for while it ran, and come when it has ended. */
    @Test
    void lateFiguresDoNotHideWhatBecameOfAnAction() {
        Page page = SITE.open("/dashboard");
        List<Route> held = new ArrayList<>();
        page.route("**/stats?*", held::add);
        page.waitForCondition(() -> held.size() == 1);
        press(page, "Rebuild now");
        assertThat(status(page)).hasText("A rebuild was asked for.");

        String late = held.get(0).fetch().text();
        assertThat(late).contains("\"running\":null");
        held.get(0)
                .fulfill(new FulfillOptions()
                        .setContentType("application/json")
                        .setBody(late.replace(
                                "\"running\":null",
                                "\"running\":{\"what\":\"import\",\"done\":5000,\"total\":50000,\"mode\":null}")));
        page.waitForCondition(() -> held.size() == 2); // so the first was shown
        assertThat(page.evaluate("document.getElementById('status').textContent"))
                .isEqualTo("A rebuild was asked for.");
        page.unroute("**/stats?*");
        held.get(1).resume();
    }

    @Test
    void rebuildsNow() {
        Page page = SITE.open("/dashboard");
        press(page, "Rebuild now");
        assertThat(status(page)).hasText("A rebuild was asked for.");
        assertThat(page.locator("#events")).containsText("Rebuild asked for");
        assertThat(page.locator("#events"))
                .containsText(Pattern.compile("User names: Rebuilt \\(rows / time\\)\\s*[\\d,]+ / "));
    }

    @Test
    void runsTheExperimentAndReportsIt() {
        Page page = SITE.open("/dashboard");
        mix(page, "Seed").fill("5");
        press(page, "Run the experiment");
        assertThat(status(page)).hasText("The experiment is done.");
        assertThat(page.locator(".run")).hasCount(3);
        assertThat(page.locator(".run").nth(0)).containsText("No filter");
        assertThat(page.locator(".run").nth(2)).containsText(Pattern.compile("Free by the filter: [\\d,]+"));
        assertThat(page.locator(".run").nth(2).getByRole(AriaRole.IMG))
                .hasAttribute("aria-label", Pattern.compile("Read, found [\\d,]+"));
        assertThat(page.locator("#facts")).containsText("False positives: ");
        assertThat(page.locator("#facts")).containsText("HashSet of the same names and numbers (estimated)");
        assertThat(page.locator("#facts"))
                .containsText("seed 5, 10,000 checks, mix free=40 taken=10 typed=35 hot=5 phones=10");
        Chromium.screenshot(page, "dashboard-experiment");
        page.reload();
        assertThat(page.locator("#facts")).containsText("seed 5,");
    }

    @Test
    void theMixIsAdjustableAndJudgedByTheSite() {
        SITE.expectComplaint("400");
        Page page = SITE.open("/dashboard");
        mix(page, "Free names").fill("101");
        press(page, "Run the experiment");
        assertThat(page.locator("#mix-hint")).hasText("Free names: a whole number from 0 to 100, please.");
        assertThat(mix(page, "Free names")).isFocused();
        for (String share :
                new String[] {"Free names", "Names typed letter by letter", "Taken names", "Phone numbers"}) {
            mix(page, share).fill("0");
        }
        mix(page, "Popular taken names").fill("0");
        press(page, "Run the experiment");
        assertThat(page.locator("#mix-hint")).hasText("At least one share must be above 0.");
        mix(page, "Popular taken names").fill("1");
        mix(page, "Checks").fill("400");
        press(page, "Run the experiment");
        assertThat(page.locator("#facts")).containsText("400 checks, mix free=0 taken=0 typed=0 hot=1 phones=0");
        assertThat(page.locator(".run").nth(2)).containsText("Read, found: 400");
        assertThat(page.locator("#mix-hint")).hasText("");
    }

    @Test
    void anExperimentIsSeenByEveryPageAndCancelledByAny() {
        SITE.expectComplaint("409");
        Page first = SITE.open("/dashboard");
        mix(first, "Checks").fill("1000000");
        press(first, "Run the experiment");
        assertThat(status(first)).hasText(Pattern.compile("Experiment, [NMF][a-z ]+: [\\d,]+ / 3,000,000"));
        Page second = SITE.open("/dashboard");
        assertThat(status(second)).hasText(Pattern.compile("Experiment, [NMF][a-z ]+: [\\d,]+ / 3,000,000"));
        assertThat(button(second, "Import 50,000 by SQL")).isDisabled();
        press(second, "Cancel");
        assertThat(status(first)).hasText("Cancelled.");
        assertThat(status(second)).hasText("");
        assertThat(button(second, "Import 50,000 by SQL")).isEnabled();
    }

    @Test
    void showsHowFarTheWarmUpIs() {
        Page page = SITE.open("/dashboard");
        page.route("**/stats?*", DashboardBrowserTest::warming);
        Locator names = page.locator(".kind").first();
        assertThat(names.locator(".pill")).hasText("warming up");
        assertThat(names).containsText("250,000 of 1,000,000 rows, 83.3K a second · about 9 s left");
        assertThat(names.getByRole(AriaRole.PROGRESSBAR)).isVisible();
        assertThat((double) names.locator("progress").evaluate("bar => bar.position"))
                .isEqualTo(0.25);
        Chromium.screenshot(page, "dashboard-warming");
    }

    /** The real figures, but for one kind that is made to be a quarter through its first scan. */
    private static void warming(Route route) {
        String figures = route.fetch().text();
        int username = figures.indexOf("\"username\":{\"state\"");
        route.fulfill(new FulfillOptions()
                .setContentType("application/json")
                .setBody(figures.substring(0, username)
                        + figures.substring(username)
                                .replaceFirst(
                                        "\"READY\",\"reason\":\"\"",
                                        "\"WARMING\",\"reason\":\"the first scan has not finished\"")
                                .replaceFirst(
                                        "\"progress\":null",
                                        "\"progress\":{\"rows\":250000,\"expectedRows\":1000000,\"rowsPerSecond\":83333.3,"
                                                + "\"secondsLeft\":8.99}")));
    }

    @Test
    void asksForNothingWhileItIsHidden() {
        Page page = SITE.open("/dashboard");
        assertThat(page.locator("#figure-memory .number")).not().hasText("–");
        AtomicInteger asked = new AtomicInteger();
        page.clock().install();
        page.reload();
        page.onRequest(request -> asked.addAndGet(request.url().contains("/stats") ? 1 : 0));
        page.clock().runFor(3_000);
        page.waitForCondition(() -> asked.get() > 0);
        hide(page, true);
        page.waitForResponse(
                response -> response.url().endsWith("/icon.svg"), () -> page.evaluate("fetch('/icon.svg')"));
        int before = asked.get();
        page.clock().runFor(60_000);
        page.waitForResponse(
                response -> response.url().endsWith("/icon.svg"), () -> page.evaluate("fetch('/icon.svg')"));
        assertThat(asked.get()).isEqualTo(before);
        hide(page, false);
        page.waitForCondition(() -> asked.get() > before);
    }

    private static void hide(Page page, boolean hidden) {
        page.evaluate(
                "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
                        + " document.dispatchEvent(new Event('visibilitychange')); }",
                hidden);
    }

    @ParameterizedTest
    @CsvSource({"en,LIGHT", "zh,DARK"})
    void fitsATelephone(String language, ColorScheme colours) {
        SITE.client().post("/experiment", "seed=1&checks=3000");
        Page page = SITE.open(
                "/dashboard",
                new NewContextOptions()
                        .setViewportSize(360, 740)
                        .setIsMobile(true)
                        .setLocale(language.equals("zh") ? "zh-CN" : "en")
                        .setColorScheme(colours));
        assertThat(page.locator("#burst")).isInViewport(); // what there is to try comes first
        assertThat(page.locator(".run")).hasCount(3);
        assertThat(page.locator("h1")).hasText(language.equals("zh") ? "仪表盘" : "Dashboard");
        page.waitForCondition(() -> points(page) >= 2);
        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(360);
        Chromium.screenshot(page, "dashboard-360-" + language);
    }

    @Test
    void speaksChineseInTheDark() {
        Page page = SITE.open(
                "/dashboard", new NewContextOptions().setLocale("zh-CN").setColorScheme(ColorScheme.DARK));
        assertThat(page.locator(".kind").first()).containsText("用户名");
        assertThat(page.locator(".kind .pill").first()).hasText("就绪");
        assertThat((String) page.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(16, 22, 20)");
        Chromium.screenshot(page, "dashboard-zh-dark");
    }

    private static void press(Page page, String name) {
        button(page, name).click();
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator mix(Page page, String label) {
        return page.locator("#mix").getByLabel(label, new Locator.GetByLabelOptions().setExact(!label.equals("Seed")));
    }

    private static Locator status(Page page) {
        return page.locator("#status");
    }
}
