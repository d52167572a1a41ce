package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import io.github.untaken.sample.BrowsedSite;
import io.github.untaken.test.browser.Chromium;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The sign-up page of a site that refuses checks, and of one that is gone. */
@Tag("browser")
class SignUpUnderLimitBrowserTest {

    @RegisterExtension
    static final BrowsedSite SITE = new BrowsedSite("--client-limit", "1");

    @Test
    void neverKeepsAnybodyFromSigningUp() {
        SITE.expectComplaint("status of 429");
        Page page = SITE.open("/signup");
        page.locator("#username").fill("first.check");
        assertThat(page.locator("#username-answer")).hasText("Available");
        page.locator("#username").fill("second.check");
        assertThat(page.locator("#username-answer")).hasText("Could not check; you can still submit");
        assertThat(page.locator("#username")).hasAttribute("aria-invalid", "false");
        assertThat(page.locator("#trace-now")).containsText("HTTP 429");
        assertThat(page.locator("#trace-tally")).hasText("Checks on this page: 2, answered without the database: 1");
        Chromium.screenshot(page, "signup-429");
        page.locator("#username").press("Enter");
        assertThat(page.locator("#outcome")).hasText("You are registered as second.check");

        SITE.expectComplaint("ERR_CONNECTION_REFUSED");
        SITE.site().close();
        page.locator("#username").fill("third.check");
        assertThat(page.locator("#username-answer")).hasText("Could not check; you can still submit");
        page.locator("#username").press("Enter");
        assertThat(page.locator("#outcome")).containsText("The database did not answer");
        assertThat(page.locator("#username")).hasValue("third.check");
        Chromium.screenshot(page, "signup-gone");
    }
}
