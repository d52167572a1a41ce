package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.github.untaken.IdentifierKind;
import io.github.untaken.sample.BrowsedSite;
import io.github.untaken.sample.HeldScan;
import io.github.untaken.sample.Sites;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.test.browser.Chromium;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The dashboard while one kind is a quarter through its first scan, for real. */
@Tag("browser")
class WarmUpBrowserTest {
    private static final HeldScan SCAN = new HeldScan(IdentifierKind.USERNAME, Sites.USERS / 4);

    @RegisterExtension
    static final BrowsedSite SITE = BrowsedSite.warmingUp(SCAN);

    @Test
    void showsHowFarItIsUntilItIsDone() {
        Page page = SITE.open("/dashboard");
        Locator names = page.locator(".kind").first();
        Locator phones = page.locator(".kind").last();
        assertThat(names.locator(".pill")).hasText("warming up");
        assertThat(phones.locator(".pill")).hasText("ready");
        assertThat(names).containsText(Pattern.compile("500 of 2,000 rows, [0-9.,K]+ a second · about [0-9,]+ s left"));
        assertThat(names.getByRole(AriaRole.PROGRESSBAR)).isVisible();
        assertThat((double) names.locator("progress").evaluate("bar => bar.position"))
                .isEqualTo(0.25);
        assertThat(phones.getByRole(AriaRole.PROGRESSBAR)).isHidden();
        assertThat(decider(MadeUpAccounts.username(Sites.USERS - 1))).isEqualTo("taken by store");
        assertThat(decider("free.meanwhile")).isEqualTo("available by store");
        Chromium.screenshot(page, "dashboard-warming-up");

        SCAN.release();
        assertThat(names.locator(".pill")).hasText("ready");
        assertThat(names.getByRole(AriaRole.PROGRESSBAR)).isHidden();
        // A name to which the filter says "maybe" before it is added is no entry of its own.
        assertThat(names).containsText(Pattern.compile("(2,000|1,99[0-9]) entries in"));
        assertThat(names).not().containsText("left");
        assertThat(page.locator("#events")).containsText("User names: Ready: answers come from memory");
        assertThat(decider(MadeUpAccounts.username(Sites.USERS - 1))).isEqualTo("taken by store");
        assertThat(decider("free.afterwards")).isEqualTo("available by filter");
    }

    private static String decider(String name) {
        var reply = SITE.client().get("/availability?username=" + name);
        return reply.member("status") + " by " + reply.member("decidedBy");
    }
}
