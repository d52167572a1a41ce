package io.github.untaken.sample;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.github.untaken.test.browser.Chromium;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page of a site whose database is being filled, in a real browser. */
@Tag("browser")
class StartingBrowserTest {
    /** For 200,000 rows on a busy machine. */
    private static final double LONG_MILLIS = 240_000;

    private final HeldConsole console = new HeldConsole();

    /** So many that the page looks several times before all are written. */
    @RegisterExtension
    final BrowsedSite site = BrowsedSite.filling(console, "--users", "200000", "--audit-rows", "0");

    private static Locator step(Page page, String name) {
        return page.locator("[data-step=" + name + "]");
    }

    @Test
    void showsHowFarItIsAndThenTheRaceByItself() {
        site.expectComplaint("ERR_FAILED"); // while the site seems gone
        Page page = site.open("/");
        assertThat(console.text()).doesNotContain("Ready");
        assertThat(step(page, "accounts")).hasAttribute("data-state", "now");
        assertThat(step(page, "accounts").locator("small")).hasText("0 of 200,000");
        assertThat(step(page, "opening")).hasAttribute("data-state", "later");
        Page form = site.open("/signup", new NewContextOptions().setLocale("zh-CN"));
        assertThat(step(form, "accounts").locator("small")).hasText("0 / 200,000");
        for (int width : new int[] {320, 360, 768, 1280}) {
            for (ColorScheme colours : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
                page.setViewportSize(width, 740);
                page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colours));
                assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                        .isLessThanOrEqualTo(width);
                Chromium.screenshot(page, "starting-" + width + "-" + colours);
            }
        }
        page.route("**/starting", Route::abort);
        Locator problem = page.locator("#starting-problem");
        assertThat(problem).hasText("The site does not answer any more. Look at its terminal.");
        assertThat(problem).hasAttribute("data-state", "bad");
        page.unroute("**/starting");
        assertThat(problem).hasText("");

        console.release();
        assertThat(step(page, "accounts").locator("small")).hasText(Pattern.compile("[1-9][\\d,]* of 200,000"));
        assertThat(step(page, "accounts").locator("progress").evaluate("bar => bar.position > 0"))
                .isEqualTo(true);
        assertThat(page.locator("h1"))
                .containsText(
                        "free names checked, ", new LocatorAssertions.ContainsTextOptions().setTimeout(LONG_MILLIS));
        assertThat(form.locator("#signup")).isVisible();
        assertThat(console.text()).contains("Ready: " + console.address());
    }
}
