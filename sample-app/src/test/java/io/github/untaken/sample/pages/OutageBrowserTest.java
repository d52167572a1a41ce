package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.github.untaken.sample.BrowsedSite;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The landing page takes the database away by itself, having said so, and brings it back. */
@Tag("browser")
class OutageBrowserTest {
    @RegisterExtension
    final BrowsedSite site = new BrowsedSite("--audit-rows", "0", "--outage-seconds", "4");

    private static Locator status(Page page) {
        return page.locator("#race-status");
    }

    @Test
    void announcesWhatItDoesToTheDatabaseAndBringsItBack() {
        Page page = site.open("/");
        assertThat(page.locator("#outage"))
                .hasText(Pattern.compile("In \\d s this page takes the database away, for 5 s\\."));
        assertThat(status(page)).containsText("The database is stopped.");
        assertThat(page.locator("#outage")).hasText(Pattern.compile("It comes back by itself in \\d s\\."));
        assertThat(page.locator("#switch")).hasText("Start the database");
        assertThat(page.locator("#while-stopped"))
                .containsText("free names were answered while the database was stopped");
        assertThat(page.locator("h1")).containsText("0 wrong");
        assertThat(status(page)).hasText("");
        assertThat(page.locator("#switch")).hasText("Stop the database");
        assertThat(page.locator("[data-lane=database] [data-figure=perThread]"))
                .not()
                .hasText("0");
    }

    @Test
    void leavesTheDatabaseAloneIfItIsAskedTo() {
        Page page = site.open("/");
        page.getByLabel("Once a minute this page does so by itself").uncheck();
        assertThat(page.locator("#outage")).hasText("");
        Object announced = page.evaluate("fetch('/race').then(r => r.json()).then(r => r.outages.nextInSeconds)");
        page.waitForCondition(() -> site.client().get("/race").number("asked") > 10_000);
        assertThat(page.evaluate("fetch('/race').then(r => r.json()).then(r => r.outages.nextInSeconds)"))
                .as("nothing has come nearer")
                .isEqualTo(announced);
        assertThat(status(page)).hasText("");
    }
}
