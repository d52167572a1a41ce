package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.github.untaken.sample.BrowsedSite;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

    /** The site counts down only while a page asks for that, as OutagesTest shows. */
    @Test
    void leavesTheDatabaseAloneIfItIsAskedTo() {
        Page page = site.open("/");
        page.waitForResponse(
                response -> response.url().endsWith("/race"),
                () -> page.getByLabel("Once a minute this page does so by itself")
                        .uncheck());
        List<String> asked = new CopyOnWriteArrayList<>();
        page.onRequest(request -> asked.add(request.url()));
        page.waitForCondition(
                () -> asked.stream().filter(url -> url.endsWith("/race")).count() >= 5);
        assertThat(asked).noneMatch(url -> url.contains("outages"));
    }
}
