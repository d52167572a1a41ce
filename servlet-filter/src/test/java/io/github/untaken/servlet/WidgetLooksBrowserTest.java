package io.github.untaken.servlet;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every state of {@code <untaken-check>} on one page, light and dark, as axe-core sees it and as a person may look at it. */
@Tag("browser")
class WidgetLooksBrowserTest {
    private static final List<String> NAMES = List.of("zoe", "stra\u00dfe", "alice", "admin", "a b", "zo");

    @RegisterExtension
    static final WidgetSite SITE = new WidgetSite();

    private static String fields() {
        StringBuilder fields = new StringBuilder();
        for (String name : NAMES) {
            fields.append("<untaken-check suggestions><label>The name ")
                    .append(name)
                    .append(" <input minlength=3 value='")
                    .append(name)
                    .append("'></label></untaken-check>");
        }
        return fields
                + "<untaken-check endpoint=/gone><label>Nobody knows <input value=zoe></label></untaken-check>"
                + "<untaken-check endpoint=/slow><label>Not yet known <input value=zoe></label></untaken-check>"
                + "<untaken-check><label>Empty <input></label></untaken-check>"
                + "<label>Plain <input data-untaken=username data-untaken-suggestions value=alice></label>";
    }

    private static void looksRight(String language, ColorScheme scheme, int width) {
        Page page = SITE.page();
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        page.setViewportSize(width, 900);
        page.route("**/slow", route -> {});
        SITE.open(language, "<script src=js/untaken.js defer></script>", fields());
        page.waitForCondition(
                () -> page.evaluate("[...document.querySelectorAll('input')].map(i => i.dataset.untakenState).join()")
                        .equals("available,available,taken,reserved,invalid,invalid,unknown,checking,,taken"));
        assertThat(SITE.violations()).isEmpty();
        assertThat(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
        page.screenshot(new Page.ScreenshotOptions()
                .setFullPage(true)
                .setPath(Path.of("target", "widget-" + language + "-" + width + "-" + scheme + ".png")));
    }

    @Test
    void isFreeOfViolationsOnLight() {
        looksRight("en", ColorScheme.LIGHT, 360);
    }

    @Test
    void isFreeOfViolationsOnDark() {
        looksRight("zh", ColorScheme.DARK, 768);
        looksRight("en", ColorScheme.DARK, 320);
    }
}
