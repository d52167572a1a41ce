package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ForcedColors;
import com.microsoft.playwright.options.ReducedMotion;
import io.github.untaken.sample.BrowsedSite;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.test.browser.Chromium;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages as axe-core sees them, and as people do who need other colours, no motion, or read from right to left. */
@Tag("browser")
class LooksBrowserTest {
    private static final String EDGELESS = "[...document.querySelectorAll('button, input')]"
            + ".filter(it => it.checkVisibility() && it.type !== 'range' && it.type !== 'checkbox' && it.type !== 'radio')"
            + ".filter(it => ['top', 'right', 'bottom', 'left'].some(side => {"
            + " const style = getComputedStyle(it);"
            + " const colour = style['border-' + side + '-color'];"
            + " return style['border-' + side + '-style'] === 'none' || parseFloat(style['border-' + side + '-width']) < 1"
            + " || colour === getComputedStyle(document.body).backgroundColor;"
            + " })).map(it => it.id || it.textContent)";

    @RegisterExtension
    static final BrowsedSite SITE = new BrowsedSite("--audit-rows", "0");

    /** A page in which everything is on that can be shown at once. */
    private static Page open(String path, NewContextOptions window) {
        Page page = SITE.open(path, window);
        if (path.equals("/dashboard")) {
            assertThat(page.locator("#figure-checks .number")).not().hasText("\u2013");
        } else {
            page.locator("#username").fill(MadeUpAccounts.username(0));
            assertThat(page.locator("[data-part=store]")).hasAttribute("data-step", "answered");
        }
        return page;
    }

    private static List<?> violations(Page page) {
        try (InputStream in = LooksBrowserTest.class.getResourceAsStream("/axe.min.js")) {
            page.evaluate(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return (List<?>) page.evaluate(
                "axe.run().then(r => r.violations.map(v => v.id + ' ' + v.nodes.map(n => n.html + n.failureSummary)))");
    }

    private static void fits(Page page, int width) {
        assertThat((int) page.evaluate("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
    }

    @ParameterizedTest
    @CsvSource({
        "/,360,LIGHT",
        "/,1280,DARK",
        "/signup,360,DARK",
        "/signup,1280,LIGHT",
        "/dashboard,360,LIGHT",
        "/dashboard,1280,DARK"
    })
    void isFreeOfViolations(String path, int width, ColorScheme colours) {
        Page page =
                open(path, new NewContextOptions().setViewportSize(width, 800).setColorScheme(colours));
        assertThat(violations(page)).isEmpty();
        fits(page, width);
        Chromium.screenshot(page, "looks" + path.replace('/', '-') + "-" + width + "-" + colours);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/signup", "/dashboard"})
    void buttonsAndFieldsKeepAnEdgeInForcedColours(String path) {
        Page page = open(
                path,
                new NewContextOptions()
                        .setViewportSize(1280, 800)
                        .setForcedColors(ForcedColors.ACTIVE)
                        .setColorScheme(ColorScheme.DARK)
                        .setReducedMotion(ReducedMotion.REDUCE));
        assertThat((List<?>) page.evaluate(EDGELESS)).isEmpty();
        Chromium.screenshot(page, "looks" + path.replace('/', '-') + "-forced");
    }

    @ParameterizedTest
    @CsvSource({"/,360", "/,768", "/signup,360", "/dashboard,360", "/dashboard,768"})
    void fitsFromRightToLeft(String path, int width) {
        Page page = open(path, new NewContextOptions().setViewportSize(width, 800));
        page.evaluate("document.documentElement.dir = 'rtl'");
        fits(page, width);
        Chromium.screenshot(page, "looks" + path.replace('/', '-') + "-" + width + "-rtl");
    }
}
