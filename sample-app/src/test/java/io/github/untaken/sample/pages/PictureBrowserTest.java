package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.github.untaken.sample.BrowsedSite;
import io.github.untaken.test.browser.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
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
        return SITE.open("/", new NewContextOptions().setViewportSize(width, 1_000));
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
        assertThat(page.locator("#switch")).hasText("Stop the database"); // not in the middle of an outage
        page.getByText("Start over").click();
        page.waitForCondition(() -> queries(page) < CHECKS);
        page.waitForCondition(() -> queries(page) >= CHECKS);
        page.evaluate("scrollTo(0, 0)");
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
        AnimatedGif gif = new AnimatedGif((int) from, (int) (end.y + end.height));
        CDPSession browser = page.context().newCDPSession(page);
        browser.on("Page.screencastFrame", event -> {
            gif.add(Base64.getDecoder().decode(event.get("data").getAsString()), (long)
                    (1_000 * event.getAsJsonObject("metadata").get("timestamp").getAsDouble()));
            JsonObject shown = new JsonObject();
            shown.add("sessionId", event.get("sessionId"));
            browser.send("Page.screencastFrameAck", shown);
        });
        JsonObject form = new JsonObject();
        form.addProperty("format", "png");
        browser.send("Page.startScreencast", form);
        assertThat(page.locator("#race-status")).containsText("The database is stopped.");
        assertThat(page.locator("#race-status")).hasText("");
        page.waitForCondition(() -> gif.lasts() >= ALL_MILLIS);
        browser.send("Page.stopScreencast");
        Path file = Path.of("target", "screenshots", "outage.gif");
        gif.write(file);
        assertThat(page.locator("h1")).containsText("0 wrong");
        assertThat(Files.size(file)).isLessThan(MOST_BYTES);
    }
}
