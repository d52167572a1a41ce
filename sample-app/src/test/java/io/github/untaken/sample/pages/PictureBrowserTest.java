package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.github.untaken.sample.BrowsedSite;
import io.github.untaken.sample.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Sits for docs/pictures/race.png and outage.gif, which show what that machine does; CONTRIBUTING.md has the command. That lets as
 * many accounts in as README.md speaks of; here a few must do.
 */
@Tag("browser")
class PictureBrowserTest {
    private static final int USERS = Integer.getInteger("picture.users", 20_000);
    private static final int CHECKS = 4_000;
    private static final long MOST_BYTES = 1_000_000;
    private static final long ALL_MILLIS = 10_000;

    @RegisterExtension
    static final BrowsedSite SITE =
            new BrowsedSite("--users", String.valueOf(USERS), "--audit-rows", "0", "--outage-seconds", "15");

    private static Page open(int width) {
        return SITE.open("/", new NewContextOptions().setViewportSize(width, 900));
    }

    private static long queries(Page page) {
        return Long.parseLong("0"
                + page.locator("[data-lane=database] [data-figure=queries]")
                        .textContent()
                        .replaceAll("[^0-9]", ""));
    }

    private static String announced(Page page) {
        return page.locator("#outage").textContent();
    }

    @Test
    void sitsForItsPicture() {
        Page page = open(1100);
        page.locator("#outages").uncheck();
        page.getByText("Start over").click();
        page.waitForCondition(() -> queries(page) < CHECKS);
        page.waitForCondition(() -> queries(page) >= CHECKS);
        Chromium.screenshotOfTop(page, page.locator("[data-lane=untaken]"), "race");
    }

    @Test
    void sitsForTheTenSecondsAroundAnOutage() throws Exception {
        Page page = open(900);
        Locator last = page.locator("#while-stopped");
        page.waitForCondition(() -> announced(page).contains("comes back"));
        page.waitForCondition(() -> announced(page).contains("In 2 s"));
        assertThat(last).isVisible(); // of the outage before, so that the picture keeps its height
        double from = page.locator("header").boundingBox().height;
        var end = last.boundingBox();
        Page.ScreenshotOptions frame =
                new Page.ScreenshotOptions().setFullPage(true).setClip(0, from, 900, end.y + end.height - from);
        AnimatedGif gif = new AnimatedGif();
        boolean stopped = false;
        long begun = System.nanoTime();
        for (long now = 0; now < ALL_MILLIS; now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)) {
            stopped |= announced(page).contains("comes back");
            gif.add(page.screenshot(frame), now);
        }
        Path file = Path.of("target", "screenshots", "outage.gif");
        gif.write(file, ALL_MILLIS + 1_500);
        assertThat(stopped).isTrue();
        assertThat(page.locator("h1")).containsText("0 wrong");
        assertThat(Files.size(file)).isLessThan(MOST_BYTES);
    }
}
