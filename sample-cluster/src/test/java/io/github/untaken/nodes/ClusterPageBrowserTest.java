package io.github.untaken.nodes;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.github.untaken.test.browser.Chromium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of all nodes in a real browser, with real nodes to pause and kill. */
@Tag("browser")
class ClusterPageBrowserTest {
    private static final Duration BOUND = Duration.ofSeconds(1);

    @TempDir
    private static Path folder;

    private static Chromium chromium;
    private static Cluster cluster;
    private static ClusterPage served;

    private final List<String> errors = new ArrayList<>();
    private BrowserContext window;
    private Page page;

    @BeforeAll
    static void start() throws Exception {
        chromium = Chromium.running();
        cluster = Cluster.start(folder, BOUND, 2);
        served = new ClusterPage(cluster, true);
    }

    @AfterAll
    static void end() {
        if (served != null) {
            served.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void open() {
        window = chromium.window();
        page = window.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                errors.add(message.text());
            }
        });
        page.onPageError(errors::add);
        page.navigate(served.address());
    }

    @AfterEach
    void close() {
        window.close();
    }

    private Locator node(int number) {
        return page.locator(".node", new Page.LocatorOptions().setHasText("node" + number));
    }

    private Locator button(int number, String name) {
        return node(number)
                .getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(name).setExact(true));
    }

    private void name(String name) {
        page.getByLabel("User name").fill(name);
    }

    @Test
    void aSignUpOnOneNodeIsTakenOnTheOther() {
        assertThat(page.locator(".node")).hasCount(2);
        assertThat(node(1).locator(".pill")).hasText("answers from memory");
        assertThat(page.getByLabel("User name")).hasValue("alice"); // so that there is something to see
        for (int number : new int[] {1, 2}) {
            assertThat(node(number).locator(".says")).hasText("free");
            assertThat(node(number).locator(".by")).hasText("says its memory");
        }
        button(1, "Sign up here").click();
        assertThat(node(2).locator(".says")).hasText("taken");
        assertThat(node(2).locator(".by")).hasText("says the database");
        assertThat(button(2, "Sign up here")).isDisabled();
        assertThat(page.locator("#status")).hasText("");
        assertThat(node(2).locator("dd").first()).hasText(Pattern.compile("[\\d,]+ of 1,000 ms"));
        name("");
        assertThat(node(1).locator(".says")).hasText("");
        assertThat(button(1, "Sign up here")).isDisabled();
        assertThat(errors).isEmpty();
    }

    @Test
    void aNodeThatStandsStillSaysNothingAndTheOtherGoesOn() {
        name("bob");
        assertThat(node(2).locator(".says")).hasText("free");
        button(2, "Pause").click();
        assertThat(node(2).locator(".pill")).hasText("stands still");
        assertThat(node(2).locator(".says")).hasText("no answer");
        assertThat(node(1).locator(".says")).hasText("free");
        button(1, "Sign up here").click();
        assertThat(node(1).locator(".says")).hasText("taken");
        button(2, "Go on").click();
        assertThat(node(2).locator(".says")).hasText("taken");
        assertThat(node(2).locator(".pill")).hasText("answers from memory");
        assertThat(errors).isEmpty();
    }

    @Test
    void aKilledNodeIsGoneAndComesBack() {
        name("carol");
        assertThat(node(1).locator(".says")).hasText("free");
        button(1, "Kill").click();
        assertThat(node(1).locator(".pill")).hasText("gone");
        assertThat(node(1)).hasAttribute("data-state", "gone");
        assertThat(button(1, "Pause")).isDisabled();
        assertThat(button(1, "Sign up here")).isDisabled();
        Chromium.screenshot(page, "nodes-gone");
        button(2, "Sign up here").click();
        assertThat(node(2).locator(".says")).hasText("taken");
        button(1, "Start").click();
        assertThat(node(1).locator(".pill")).hasText("answers from memory");
        assertThat(node(1).locator(".says")).hasText("taken");
        assertThat(errors).isEmpty();
    }

    @Test
    void saysWhatDidNotWorkAndThatItsServerIsGone() {
        name("dave");
        button(1, "Sign up here").click();
        assertThat(node(2).locator(".says")).hasText("taken");
        // As if somebody had been quicker.
        button(2, "Sign up here").evaluate("button => { button.disabled = false; button.click(); }");
        assertThat(page.locator("#status")).hasText("Not registered: somebody has it, or the database does not answer");
        page.route("**/nodes?*", Route::abort);
        assertThat(page.locator("#status")).hasText("This page's server does not answer.");
        page.unroute("**/nodes?*");
        assertThat(page.locator("#status")).hasText("");
    }

    @Test
    void fitsEveryScreen() {
        name("rather.long.name.of.30.letters1");
        assertThat(node(2).locator(".says")).hasText("free");
        for (int width : new int[] {320, 360, 768, 1280}) {
            for (ColorScheme colours : new ColorScheme[] {ColorScheme.LIGHT, ColorScheme.DARK}) {
                page.setViewportSize(width, 740);
                page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colours));
                assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
                        .isLessThanOrEqualTo(width);
                Chromium.screenshot(page, "nodes-" + width + "-" + colours);
            }
        }
        assertThat(errors).isEmpty();
    }
}
