package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.github.untaken.sample.BrowsedSite;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.race.Race;
import io.github.untaken.test.browser.Chromium;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The landing page in a real browser: the race runs by itself, and goes on without the database. */
@Tag("browser")
class RaceBrowserTest {
    private static final Pattern SOME = Pattern.compile("[1-9][\\d,]*");

    /** So many that their index is larger than the database's page cache. */
    @RegisterExtension
    static final BrowsedSite SITE = new BrowsedSite("--users", "60000", "--audit-rows", "0");

    private static Locator figure(Page page, String lane, String name) {
        return page.locator("[data-lane=" + lane + "] [data-figure=" + name + "]");
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    @Test
    void runsByItselfAndSaysWhatItShows() {
        Page page = SITE.open("/");
        assertThat(page.locator("h1"))
                .hasText(Pattern.compile("[\\d,]+ free names checked, \\d+ database quer(y|ies), 0 wrong\\."));
        assertThat(page.locator("#second"))
                .hasText(Pattern.compile("[1-9][\\d,]* taken ones were looked up in the database, to be sure:"
                        + " [\\d.]+\u00a0[µm]s each, [\\d.]+\u00a0[µm]s without Untaken\\."));
        for (String lane : new String[] {"database", "untaken"}) {
            assertThat(figure(page, lane, "perThread")).hasText(SOME);
            for (String sort : new String[] {"free", "taken"}) {
                assertThat(figure(page, lane, sort)).hasText(Pattern.compile("[\\d.]+\u00a0[µm]s"));
                assertThat(figure(page, lane, sort + "Worst")).hasText(Pattern.compile("99 %: [\\d.]+\u00a0[µm]s"));
            }
            assertThat(figure(page, lane, "queries")).hasText(SOME);
            assertThat(figure(page, lane, "pages")).hasText(SOME);
            assertThat(page.locator("[data-lane=" + lane + "] canvas"))
                    .hasAttribute("aria-label", Pattern.compile("[\\d,]+ a second answered by memory, [1-9]"));
        }
        page.waitForCondition(() -> queries(page, "database") > 1_000);
        assertThat(2 * queries(page, "untaken")).isLessThan(queries(page, "database"));
        assertThat(page.locator("#histogram rect.untaken").count()).isPositive();
        button(page, "Start over").click();
        page.waitForCondition(() -> queries(page, "database") < 1_000);
    }

    private static long queries(Page page, String lane) {
        return Long.parseLong("0" + figure(page, lane, "queries").textContent().replaceAll("[^0-9]", ""));
    }

    /** Free names that memory cannot tell from taken ones are asked for, and said to have been. */
    @Test
    void whatAFreeNameCostIsNotHidden() {
        Page page = SITE.open("/");
        page.route("**/race*", route -> {
            APIResponse response = route.fetch();
            route.fulfill(new Route.FulfillOptions()
                    .setBody(response.text()
                            .replaceAll("\"queriesOfFree\":\\d+", "\"queriesOfFree\":1")
                            .replaceAll("\"free\":\\d+", "\"free\":20000")));
        });
        assertThat(page.locator("h1")).hasText("20,000 free names checked, 1 database query, 0 wrong.");
    }

    @Test
    void theWayToTheDatabaseIsChosenAndSaid() {
        Page page = SITE.open("/");
        assertThat(page.locator("#distance")).containsText("waits 0.5\u00a0ms besides, as if it were another machine");
        assertThat(page.getByLabel("0.5 ms")).isChecked();
        page.getByLabel("none").check();
        assertThat(page.locator("#distance")).hasText("The database is a file in this process: as near as it can be.");
        assertThat(SITE.client().get("/race").number("roundTripMicros")).isZero();
        page.getByLabel("1 ms").check();
        assertThat(page.locator("#distance")).containsText("waits 1\u00a0ms besides");
        assertThat(figure(page, "database", "free")).hasText(Pattern.compile("[1-9]\\d*(\\.\\d+)?\u00a0ms"));
        assertThat(figure(page, "untaken", "taken")).hasText(Pattern.compile("[1-9]\\d*(\\.\\d+)?\u00a0ms"));
        assertThat(SITE.client().post("/race", "roundTrip=10001").status()).isEqualTo(400);
        page.getByLabel("0.5 ms").check();
        assertThat(page.locator("#distance")).containsText("0.5\u00a0ms");
    }

    @Test
    void withoutTheDatabaseOneLaneGoesOn() {
        Page page = SITE.open("/");
        assertThat(figure(page, "database", "perThread")).hasText(SOME);
        button(page, "Stop the database").click();
        assertThat(page.locator("#race-status")).containsText("The database is stopped.");
        assertThat(page.locator("#race-status")).hasAttribute("data-state", "bad");
        assertThat(figure(page, "database", "perThread")).hasText("0");
        assertThat(figure(page, "database", "perThread")).hasAttribute("data-bad", "true");
        assertThat(figure(page, "untaken", "perThread")).hasText(SOME);
        assertThat(page.locator("#while-stopped"))
                .hasText(Pattern.compile("[1-9][\\d,]* free names were answered while the database was stopped\\."));
        assertThat(page.locator("h1")).containsText("0 wrong");
        Chromium.screenshot(page, "race-stopped");
        button(page, "Start the database").click();
        assertThat(page.locator("#race-status")).hasText("");
        assertThat(figure(page, "database", "perThread")).hasText(SOME);
    }

    @Test
    void theSliderSetsTheRateOfBoth() {
        Page page = SITE.open("/");
        Locator slider = page.locator("#rate");
        assertThat(page.locator("#rate-text")).hasText("1,000 checks/s each");
        slider.focus();
        page.keyboard().press("End");
        assertThat(page.locator("#rate-text")).hasText("as fast as they can");
        assertThat(slider).hasAttribute("aria-valuetext", "as fast as they can");
        page.waitForCondition(() -> SITE.client().get("/race").number("rate") == Race.MOST_RATE);
        slider.fill("40");
        page.waitForCondition(() -> SITE.client().get("/race").number("rate") == 1_000);
        assertThat(SITE.client().post("/race", "rate=0").status()).isEqualTo(400);
    }

    @Test
    void aNameLightsUpTheWayItTakes() {
        Page page = SITE.open("/");
        page.locator("#username").fill("Nobody.Yet");
        assertThat(page.locator("[data-part=filter]")).hasAttribute("data-step", "answered");
        assertThat(page.locator("#trace-now")).hasText("nobody.yet – free");
        assertThat(page.locator("#trace-queries")).hasText("0");
        page.locator("[data-try]").first().click();
        assertThat(page.locator("[data-part=store]")).hasAttribute("data-step", "answered");
        assertThat(page.locator("#trace-now")).hasText(MadeUpAccounts.username(0) + " – taken");
        assertThat(page.locator("#trace-queries")).hasText("1");
    }

    @Test
    void saysThatTheSiteIsGone() {
        SITE.expectComplaint("ERR_FAILED");
        Page page = SITE.open("/");
        assertThat(figure(page, "database", "perThread")).hasText(SOME);
        page.route("**/race*", Route::abort);
        assertThat(page.locator("#race-status")).hasText("The site does not answer.");
        assertThat(page.locator("#race-status")).hasAttribute("data-state", "bad");
        page.unroute("**/race*");
        assertThat(page.locator("#race-status")).hasText("");
    }

    @ParameterizedTest
    @CsvSource({"320,en,LIGHT", "360,zh,DARK", "768,en,DARK"})
    void fitsEveryScreen(int width, String language, ColorScheme colours) {
        Page page = SITE.open(
                "/",
                new NewContextOptions()
                        .setViewportSize(width, 740)
                        .setLocale(language.equals("zh") ? "zh-CN" : "en")
                        .setColorScheme(colours));
        assertThat(figure(page, "database", "perThread")).hasText(SOME);
        assertThat(width < 640 ? page.locator("#username") : figure(page, "database", "perThread"))
                .isInViewport();
        page.locator("#username").fill(MadeUpAccounts.username(0));
        assertThat(page.locator("#trace-now strong")).hasText(MadeUpAccounts.username(0));
        assertThat(page.locator("#trace-now")).isInViewport();
        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
        assertThat(page.locator("body")).not().containsText("{");
        Chromium.screenshot(page, "race-" + width);
        for (String path : new String[] {"/signup", "/dashboard"}) {
            page.navigate(path);
            assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                    .isLessThanOrEqualTo(width);
        }
    }
}
