package io.github.untaken.sample;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The sign-up page in a real browser. */
@Tag("browser")
class SignUpBrowserTest {

    @RegisterExtension
    static final BrowsedSite SITE = new BrowsedSite();

    @Test
    void tellsThatANameIsFree() {
        Page page = SITE.open("/");
        page.getByLabel("User name").fill("nobody-has-this");
        assertThat(page.locator("#username-hint")).containsText("Free");
        Chromium.screenshot(page, "signup-free");
    }

    @Test
    void theBrowserTellsOfErrorsViolationsAndOtherOrigins() {
        Page page = SITE.open("/");
        page.evaluate("console.error('an error of its own')");
        page.evaluate("setTimeout(() => { throw new Error('thrown') })");
        page.evaluate("document.body.setAttribute('style', 'color: red')");
        page.evaluate("location.href = 'http://127.0.0.1:9/'");
        for (String kind : List.of("own", "uncaught", "content security policy: style", "asked another origin")) {
            SITE.expectComplaint(kind);
            page.waitForCondition(() -> SITE.complaints().stream().anyMatch(text -> text.contains(kind)));
        }
        SITE.expectComplaint("Content Security Policy");
    }
}
