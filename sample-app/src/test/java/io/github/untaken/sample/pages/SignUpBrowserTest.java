package io.github.untaken.sample.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.sample.BrowsedSite;
import io.github.untaken.sample.Client;
import io.github.untaken.sample.HeldInserts;
import io.github.untaken.sample.Sites;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.test.browser.Chromium;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sign-up page in a real browser. */
@Tag("browser")
class SignUpBrowserTest {
    private static final String TAKEN = MadeUpAccounts.username(0);
    private static final Pattern ENDPOINT = Pattern.compile(".*/availability");

    /** So many that their index is larger than the database's page cache: a recheck really reads. */
    private static final String USERS = "60000";

    @RegisterExtension
    static final BrowsedSite SITE = new BrowsedSite("--users", USERS, "--audit-rows", "0");

    private static Locator username(Page page) {
        return page.locator("#username");
    }

    private static Locator answer(Page page) {
        return page.locator("#username-answer");
    }

    private static void says(Page page, String state, String text) {
        assertThat(answer(page)).hasText(text);
        assertThat(username(page)).hasAttribute("data-untaken-state", state);
    }

    private static Locator suggestions(Page page) {
        return page.locator("untaken-check button");
    }

    private static Locator step(Page page, String part) {
        return page.locator("[data-part=" + part + "]");
    }

    private static long figure(Page page, String name) {
        return Long.parseLong(page.locator("#trace-" + name).textContent().replaceAll("[^0-9]", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "nobody-has-this, available, Available, false, filter",
        "admin, reserved, Reserved, true, reserved_list",
        "a b c, invalid, Has a character that is not allowed, true, normalizer",
        "ab, invalid, Too short, true, normalizer",
        "-abc, invalid, Must begin and end with a letter or digit, true, normalizer",
    })
    void answersFromMemoryWithTheReasonAndNotOneRead(String name, String state, String text, String bad, String by) {
        Page page = SITE.open("/signup");
        long before = SITE.client().get("/stats").number("databaseQueries");
        username(page).fill(name);
        says(page, state, text);
        assertThat(page.locator("untaken-check").first().locator("[part=mark]"))
                .hasText(
                        state.equals("available")
                                ? "\u2713"
                                : state.equals("invalid") && name.equals("ab") ? "\u2026" : "\u2717");
        assertThat(username(page)).hasAttribute("aria-invalid", bad);
        assertThat(step(page, by)).hasAttribute("data-step", "answered");
        assertThat(step(page, "store")).hasAttribute("data-step", "unneeded");
        assertThat(figure(page, "queries")).isZero();
        assertThat(figure(page, "reads")).isZero();
        assertThat(figure(page, "server")).isPositive();
        assertThat(SITE.client().get("/stats").number("databaseQueries")).isEqualTo(before);
        Chromium.screenshot(page, "signup-" + state);
    }

    @Test
    void aTakenNameShowsWhatItReadAndNamesThatAreFree() {
        Page page = SITE.open("/signup");
        Client.Reply before = SITE.client().get("/stats");
        username(page).fill(TAKEN);
        says(page, "taken", "Already taken. Still free:");
        assertThat(username(page)).hasAttribute("aria-invalid", "true");
        assertThat(step(page, "filter")).hasAttribute("data-step", "passed");
        assertThat(step(page, "store")).hasAttribute("data-step", "answered");
        Client.Reply after = SITE.client().get("/stats");
        assertThat(figure(page, "queries")).isEqualTo(1);
        assertThat(figure(page, "reads")).isEqualTo(after.number("pageReads") - before.number("pageReads"));
        assertThat(suggestions(page)).hasCount(5);
        Chromium.screenshot(page, "signup-taken");

        String free = suggestions(page).first().textContent();
        assertThat(SITE.client().check(free)).isEqualTo("available");
        suggestions(page).first().click();
        assertThat(username(page)).hasValue(free);
        assertThat(username(page)).isFocused();
        says(page, "available", "Available");
        assertThat(suggestions(page)).hasCount(0);
        assertThat(page.locator("#trace-tally")).hasText("Checks on this page: 2, answered without the database: 1");
    }

    @Test
    void theReadsOfEachCheckAreItsOwn() {
        Page page = SITE.open("/signup");
        long reads = 0;
        Client.Reply before = SITE.client().get("/stats");
        for (int i = 1; i <= 10; i++) {
            username(page).fill(MadeUpAccounts.username(i * 5_900));
            assertThat(page.locator("#trace-now strong")).hasText(MadeUpAccounts.username(i * 5_900));
            assertThat(figure(page, "queries")).isEqualTo(1);
            reads += figure(page, "reads");
        }
        assertThat(reads)
                .isPositive()
                .isEqualTo(SITE.client().get("/stats").number("pageReads") - before.number("pageReads"));
        assertThat(page.locator("#trace-list li")).hasCount(4);
        Chromium.screenshot(page, "signup-before");
    }

    @Test
    void aFalseAlarmIsReadOnceAndAnsweredByTheWhitelistThen() {
        String name = falseAlarm();
        Page page = SITE.open("/signup");
        username(page).fill(name);
        assertThat(step(page, "store")).hasAttribute("data-step", "answered");
        says(page, "available", "Available");
        assertThat(step(page, "filter")).hasAttribute("data-step", "passed");
        assertThat(step(page, "whitelist")).hasAttribute("data-step", "passed");
        assertThat(figure(page, "queries")).isEqualTo(1);

        username(page).fill("");
        username(page).fill(name);
        assertThat(step(page, "whitelist")).hasAttribute("data-step", "answered");
        says(page, "available", "Available");
        assertThat(step(page, "filter")).hasAttribute("data-step", "passed");
        assertThat(step(page, "store")).hasAttribute("data-step", "unneeded");
        assertThat(figure(page, "queries")).isZero();
        assertThat(figure(page, "reads")).isZero();
        assertThat(page.locator("#trace-tally")).hasText("Checks on this page: 2, answered without the database: 1");
        Chromium.screenshot(page, "signup-whitelist");
    }

    /** A name that nobody has although the membership filter says maybe: about one in some ten thousand. */
    private static String falseAlarm() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000_000; i++) {
            String name = "alarm." + Long.toUnsignedString(random.nextLong(), 36);
            if (SITE.checker().checkInMemory(IdentifierKind.USERNAME, name).decidedBy() == DecidedBy.STORE) {
                return name;
            }
        }
        throw new AssertionError("no false alarm among ten million names");
    }

    @Test
    void aNameThatIsBeingRegisteredIsTheDatabasesToTell() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (HeldInserts inserts = HeldInserts.after(0, SITE.data())) {
            Future<Client.Reply> signUp = threads.submit(() -> SITE.client().signUp("under.way"));
            inserts.awaitOne();
            Page page = SITE.open("/signup");
            username(page).fill("Under.Way");
            assertThat(step(page, "store")).hasAttribute("data-step", "answered");
            assertThat(answer(page)).containsText("Available");
            assertThat(step(page, "filter")).hasAttribute("data-step", "passed");
            assertThat(step(page, "whitelist")).hasAttribute("data-step", "passed");
            Chromium.screenshot(page, "signup-under-way");
            assertThat(signUp.isDone()).isFalse();

            inserts.release();
            assertThat(signUp.get(20, TimeUnit.SECONDS).status()).isEqualTo(201);
            username(page).fill("");
            username(page).fill("under.way");
            assertThat(step(page, "store")).hasAttribute("data-step", "answered");
            assertThat(answer(page)).containsText("Already taken");
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "username, Nobody.Yet, saved as nobody.yet",
        "username, \uff2eobody.\uff39et, saved as nobody.yet",
        "phone, 139 0013 9999, saved as +8613900139999",
        "phone, +44 20 7946 0018, saved as +442079460018",
    })
    void showsTheNormalFormWhereItDiffers(String field, String typed, String text) {
        Page page = SITE.open("/signup");
        page.locator("#" + field).fill(typed);
        assertThat(page.locator("#" + field + "-answer"))
                .containsText(Pattern.compile(text.replace("+", "\\+").replace("as ", "as \u2068?")));
    }

    @Test
    void phonesAreAskedAboutByPostAndOnlyWhenLongEnough() {
        Page page = SITE.open("/signup");
        List<String> asked = new ArrayList<>();
        page.onRequest(request -> {
            if (request.url().contains("availability")) {
                asked.add(request.method() + " " + request.url());
            }
        });
        page.locator("#phone").pressSequentially("139001");
        username(page).fill("nobody-has-this");
        says(page, "available", "Available");
        assertThat(asked).containsExactly("POST " + SITE.site().address() + "availability");
        page.locator("#phone").fill("1390013");
        assertThat(page.locator("#phone-answer")).hasText("No such phone number");
    }

    @Test
    void asksOnceAPauseIsLongEnoughAndSaysWhatItDoes() {
        Page page = withHeldTime();
        List<Route> held = hold(page);
        username(page).fill("ali");
        says(page, "", "");
        page.clock().runFor(299);
        username(page).fill("alice");
        page.clock().runFor(299);
        says(page, "", "");
        assertThat(held).isEmpty();
        page.clock().runFor(1);
        says(page, "checking", "");
        page.waitForCondition(() -> held.size() == 1);
        assertThat(held.get(0).request().postData()).contains("username=alice&");
        held.get(0).resume();
        says(page, "available", "Available");
    }

    @Test
    void whatIsTooShortToAskIsSaidAfterAPause() {
        Page page = withHeldTime();
        username(page).fill("a");
        says(page, "", "");
        page.clock().runFor(999);
        says(page, "", "");
        page.clock().runFor(1);
        says(page, "invalid", "Too short"); // the rule beside it says how long, which depends on the script
        username(page).fill("");
        says(page, "", "");
    }

    @Test
    void doesNotWaitForEverButShowsALateReply() {
        Page page = withHeldTime();
        List<Route> held = hold(page);
        username(page).fill(TAKEN);
        page.clock().runFor(300);
        page.waitForCondition(() -> held.size() == 1);
        page.clock().runFor(4_999);
        says(page, "checking", "");
        page.clock().runFor(1);
        says(page, "unknown", "Could not check; you can still submit");
        assertThat(username(page)).hasAttribute("aria-invalid", "false");
        assertThat(page.locator("#trace-now")).containsText("No answer");
        Chromium.screenshot(page, "signup-late");
        held.get(0).resume();
        assertThat(answer(page)).containsText("Already taken");
        assertThat(page.locator("#trace-tally")).hasText("Checks on this page: 1, answered without the database: 0");
    }

    @Test
    void aReplyToWhatStoodThereBeforeIsDropped() {
        Page page = withHeldTime();
        List<Route> held = hold(page);
        username(page).fill(TAKEN);
        page.clock().runFor(300);
        page.waitForCondition(() -> held.size() == 1);
        username(page).fill("nobody-has-this");
        page.clock().runFor(300);
        page.waitForCondition(() -> held.size() == 2);
        page.evaluate("window.told = [], document.addEventListener('untaken', e => told.push(e.detail.status))");
        resume(held.get(0));
        held.get(1).resume();
        says(page, "available", "Available");
        assertThat(page.evaluate("told.join()")).isEqualTo("available");
        assertThat(page.locator("#trace-tally")).hasText("Checks on this page: 1, answered without the database: 1");
    }

    @Test
    void whatIsBeingComposedIsNotAsked() {
        Page page = SITE.open("/signup", new NewContextOptions().setLocale("zh-CN"));
        List<Route> held = hold(page);
        username(page).focus();
        page.evaluate("window.told = [], document.addEventListener('untaken', e => told.push(e.detail.status))");
        var devTools = page.context().newCDPSession(page);
        for (String part : List.of("z", "zh", "zhang", "\u5f20\u4f1f")) {
            com.google.gson.JsonObject text = new com.google.gson.JsonObject();
            text.addProperty("text", part);
            text.addProperty("selectionStart", part.length());
            text.addProperty("selectionEnd", part.length());
            devTools.send("Input.imeSetComposition", text);
        }
        assertThat(page.evaluate("told.join()")).isEqualTo("");
        com.google.gson.JsonObject text = new com.google.gson.JsonObject();
        text.addProperty("text", "\u5f20\u4f1f");
        devTools.send("Input.insertText", text);
        page.waitForCondition(() -> held.size() == 1);
        held.get(0).resume();
        says(page, "available", "\u53ef\u4ee5\u4f7f\u7528");
        assertThat(held).hasSize(1);
    }

    @Test
    void speaksChinese() {
        Page page = SITE.open("/signup", new NewContextOptions().setLocale("zh-CN"));
        assertThat(page.locator("html")).hasAttribute("lang", "zh");
        username(page).fill("Nobody.Yet");
        assertThat(answer(page)).containsText("\u53ef\u4ee5\u4f7f\u7528\uff0c\u5c06\u4fdd\u5b58\u4e3a");
        username(page).fill(TAKEN);
        assertThat(suggestions(page)).hasCount(5);
        assertThat(page.locator("main")).not().containsText(Pattern.compile("\\{\\{|[A-Z][a-z]+ [a-z]+"));
        Chromium.screenshot(page, "signup-zh");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLanguageIsOneClickAwayAndKept(boolean scripted) {
        SITE.expectComplaint("status of (400|409)");
        Page page = SITE.open(
                "/signup?from=mail", new NewContextOptions().setLocale("zh-CN").setJavaScriptEnabled(scripted));
        assertThat(page.locator("h1")).hasText("\u521b\u5efa\u8d26\u53f7");
        language(page, "English").click();
        assertThat(page).hasURL(SITE.site().address() + "signup?from=mail&lang=en");
        assertThat(page.locator("h1")).hasText("Create an account");
        assertThat(language(page, "English")).hasAttribute("aria-current", "true");
        assertThat(language(page, "\u4e2d\u6587")).hasAttribute("aria-current", "false");
        username(page).fill(TAKEN);
        page.locator("#phone").press("Enter");
        assertThat(answer(page)).containsText("Already taken");
        Chromium.screenshot(page, "signup-language-" + (scripted ? "script" : "noscript"));
        username(page).fill("kept.language." + scripted);
        page.locator("#phone").press("Enter");
        assertThat(page.locator("main")).containsText("You are registered as kept.language." + scripted);
        if (!scripted) {
            page.getByText("Back to the form").click();
        }
        page.getByText("Dashboard").click();
        assertThat(page).hasURL(SITE.site().address() + "dashboard?lang=en");
        assertThat(page.locator("h1")).hasText("Dashboard");
        language(page, "\u4e2d\u6587").click();
        assertThat(page.locator("html")).hasAttribute("lang", "zh");
        Chromium.screenshot(page.locator("header"), "dashboard-language");
        page.locator("nav > a").click();
        assertThat(page).hasURL(SITE.site().address() + "signup?lang=zh");
        assertThat(page.locator("h1")).hasText("\u521b\u5efa\u8d26\u53f7");
    }

    @Test
    void whatWasTypedComesAlongIntoAnotherLanguage() {
        Page page = SITE.open("/signup?lang=en");
        username(page).fill(TAKEN);
        page.locator("#phone").fill("+49 30 1");
        language(page, "\u4e2d\u6587").click();
        assertThat(page.locator("html")).hasAttribute("lang", "zh");
        assertThat(username(page)).hasValue(TAKEN);
        assertThat(page.locator("#phone")).hasValue("+49 30 1");
        assertThat(answer(page)).containsText("\u5df2\u88ab\u4f7f\u7528");
        page.reload();
        assertThat(username(page)).hasValue("");
    }

    private static Locator language(Page page, String name) {
        return page.locator(".languages").getByText(name);
    }

    @Test
    void signsUpByKeyboardAlone() {
        Page page = SITE.open("/signup");
        for (String passed : List.of("Untaken", "Dashboard", "English", "\u4e2d\u6587")) {
            page.keyboard().press("Tab");
            assertThat(page.locator(":focus")).hasText(passed);
        }
        page.keyboard().press("Tab");
        assertThat(username(page)).isFocused();
        assertThat(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
                .isEqualTo("solid");
        page.keyboard().type(TAKEN);
        assertThat(suggestions(page)).hasCount(5);
        page.keyboard().press("Tab");
        assertThat(suggestions(page).first()).isFocused();
        assertThat(suggestions(page).first().evaluate("button => getComputedStyle(button).outlineStyle"))
                .isEqualTo("solid");
        String chosen = suggestions(page).first().textContent();
        page.keyboard().press("Enter");
        says(page, "available", "Available");
        page.keyboard().press("Tab");
        assertThat(page.locator("#phone")).isFocused();
        page.keyboard().type("137 0013 7001");
        assertThat(page.locator("#phone-answer")).containsText("saved as");
        page.keyboard().press("Tab");
        page.keyboard().press("Enter");
        assertThat(page.locator("#outcome")).hasText("You are registered as " + chosen);
        assertThat(page.locator("#outcome")).isFocused();
        assertThat(username(page)).hasValue("");
        assertThat(SITE.client().check(chosen)).isEqualTo("taken");
        assertThat(SITE.client().checkPhone("13700137001")).isEqualTo("taken");
        Chromium.screenshot(page, "signup-registered");
    }

    @Test
    void putsARefusalBesideTheFieldAndMovesThere() {
        SITE.expectComplaint("status of (400|409)");
        Page page = SITE.open("/signup");
        username(page).press("Enter"); // which the browser refuses
        assertThat(username(page)).isFocused();
        username(page).fill("refused.by.phone");
        page.locator("#phone").fill("130 0000 0");
        page.locator("#phone").press("Enter");
        assertThat(page.locator("#outcome")).hasText("That did not work");
        assertThat(page.locator("#phone")).isFocused();
        assertThat(page.locator("#phone-answer")).hasText("No such phone number");
        assertThat(page.locator("#phone")).hasAttribute("aria-invalid", "true");
        SITE.client().signUp("taken.meanwhile");
        page.locator("#phone").fill("");
        assertThat(page.locator("#outcome")).hasText("");
        List<Route> held = hold(page);
        username(page).fill("Taken.Meanwhile");
        username(page).press("Enter"); // before any answer
        assertThat(page.locator("#outcome")).hasText("That did not work");
        assertThat(username(page)).isFocused();
        page.waitForCondition(() -> {
            held.forEach(SignUpBrowserTest::resume);
            held.clear();
            return answer(page).textContent().startsWith("Already taken. Still free:");
        });
    }

    @Test
    void fitsATelephone() {
        int width = 360;
        for (String language : List.of("en-US", "zh-CN")) {
            Page page = SITE.open(
                    "/signup",
                    new NewContextOptions().setViewportSize(width, 640).setLocale(language));
            username(page).fill("a-very-long-name-that-is-just-ok");
            assertThat(username(page)).hasAttribute("data-untaken-state", "available");
            username(page).fill(TAKEN);
            assertThat(suggestions(page)).hasCount(5);
            assertThat(page.locator("#trace-brief")).isInViewport();
            fits(page, width);
            Chromium.screenshot(page, "signup-360-" + language);
            username(page).fill("w".repeat(64));
            assertThat(page.locator("#trace-now strong")).hasText("w".repeat(64));
            fits(page, width);
        }
    }

    private static void fits(Page page, int width) {
        assertThat((int) page.evaluate("document.scrollingElement.scrollWidth")).isLessThanOrEqualTo(width);
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void canBeReadInLightAndInTheDark(ColorScheme scheme) {
        Page page = SITE.open("/signup", new NewContextOptions().setColorScheme(scheme));
        assertThat(tooFaint(page)).isEmpty();
        username(page).fill("Nobody.Yet");
        assertThat(username(page)).hasAttribute("data-untaken-state", "available");
        assertThat(tooFaint(page)).isEmpty();
        username(page).fill(TAKEN);
        assertThat(suggestions(page)).hasCount(5);
        assertThat(tooFaint(page)).isEmpty();
        Chromium.screenshot(page, "signup-" + scheme.name().toLowerCase(java.util.Locale.ROOT));
        suggestions(page).first().hover();
        assertThat(tooFaint(page)).isEmpty();
        page.route(ENDPOINT, Route::abort);
        SITE.expectComplaint("ERR_FAILED");
        username(page).fill("nobody-has-this");
        assertThat(username(page)).hasAttribute("data-untaken-state", "unknown");
        assertThat(tooFaint(page)).isEmpty();
    }

    /** The texts of a page whose contrast is below 4.5 to 1, and the fields whose border is below 3 to 1. */
    @SuppressWarnings("unchecked")
    private static List<String> tooFaint(Page page) {
        return (List<String>) page.evaluate("""
                () => {
                  const rgb = text => (text.match(/[0-9.]+/g) || []).map(Number);
                  const light = ([r, g, b]) => {
                    const [x, y, z] = [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
                  };
                  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
                  const ground = element => {
                    for (let e = element; e; e = e.parentElement) {
                      const color = rgb(getComputedStyle(e).backgroundColor);
                      if (color.length === 3) return color;
                      if (color[3] !== 0) throw new Error('half transparent');
                    }
                    throw new Error('no ground');
                  };
                  document.getAnimations().forEach(a => a.finish());
                  const faint = [];
                  for (const e of document.querySelectorAll('body *')) {
                    const seen = e.checkVisibility() && getComputedStyle(e);
                    const says = e.matches('input') || [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== '');
                    if (!seen || !says || e.matches('script, noscript')) continue;
                    const text = ratio(rgb(seen.color), ground(e));
                    if (text < 4.5) faint.push(text.toFixed(2) + ' ' + e.outerHTML);
                    const border = e.matches('input') ? ratio(rgb(seen.borderTopColor), ground(e.parentElement)) : 21;
                    if (border < 3) faint.push('border ' + border.toFixed(2) + ' ' + e.outerHTML);
                  }
                  return faint;
                }
                """);
    }

    @Test
    void needsNoScript() {
        NewContextOptions without = new NewContextOptions().setJavaScriptEnabled(false);
        Page page = SITE.open("/signup", without);
        SITE.expectComplaint("status of (400|409)");
        assertThat(page.getByText("Without JavaScript")).isVisible();
        assertThat(page.locator("#trace")).isHidden();
        username(page).fill("Without.Script");
        page.getByRole(com.microsoft.playwright.options.AriaRole.BUTTON).first().click();
        assertThat(page.locator("h1")).hasText("Welcome");
        assertThat(page.locator("main")).containsText("You are registered as without.script");
        Chromium.screenshot(page, "signup-noscript-welcome");

        page.getByText("Back to the form").click();
        username(page).fill("WITHOUT.script");
        page.locator("#phone").fill("137 0013 7002");
        page.locator("#phone").press("Enter");
        assertThat(answer(page)).containsText("Already taken");
        assertThat(username(page)).hasValue("WITHOUT.script");
        assertThat(page.locator("#phone")).hasValue("137 0013 7002");
        assertThat(username(page)).isFocused();
        assertThat(username(page)).hasAttribute("aria-invalid", "true");
        assertThat(username(page)).hasAttribute("aria-describedby", Pattern.compile("\\busername-answer\\b"));
        assertThat(page).hasTitle(Pattern.compile("^That did not work"));
        Chromium.screenshot(page, "signup-noscript-taken");

        username(page).fill("another.name");
        page.locator("#phone").fill("1234567\"><b>");
        page.locator("#phone").press("Enter");
        assertThat(page.locator("#phone")).isFocused();
        assertThat(page.locator("#phone")).hasValue("1234567\"><b>");
        assertThat(page.locator("#phone-answer")).not().isEmpty();
        assertThat(answer(page)).isEmpty();
    }

    @Test
    void labelsAndDescribesItsFields() {
        Page page = SITE.open("/signup");
        for (String field : List.of("username", "phone")) {
            Locator input = page.locator("#" + field);
            assertThat(input).hasAttribute("aria-describedby", field + "-rule " + field + "-answer");
            assertThat(page.locator("#" + field + "-answer")).hasAttribute("role", "status");
        }
        assertThat(page.locator("[role=status], [role=alert], [aria-live]")).hasCount(2);
        username(page).fill(TAKEN);
        assertThat(username(page)).hasAccessibleName("User name");
        assertThat(username(page)).hasAccessibleDescription(Pattern.compile("between them Already taken"));
    }

    /** The database takes no connection; what memory knows is still answered. */
    @Test
    void saysThatNobodyCouldLook() throws Exception {
        SITE.expectComplaint("status of 503");
        Page page = SITE.open("/signup");
        try (Connection connection = Sites.connect(SITE.data());
                Statement statement = connection.createStatement()) {
            statement.execute("set exclusive 2");
            try {
                username(page).fill(MadeUpAccounts.username(7));
                says(page, "unknown", "Could not check; you can still submit");
                assertThat(step(page, "store")).hasAttribute("data-step", "failed");
                assertThat(page.locator("#trace-now")).containsText("HTTP 503");
                assertThat(username(page)).hasAttribute("aria-invalid", "false");
                Chromium.screenshot(page, "signup-unknown");
                username(page).fill("nobody-has-this");
                says(page, "available", "Available");
            } finally {
                statement.execute("set exclusive 0");
            }
        }
        username(page).fill(MadeUpAccounts.username(7));
        assertThat(answer(page)).containsText("Already taken");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "zh-CN"})
    void namesToTryAreOneClickAway(String language) {
        Page page = SITE.open("/signup", new NewContextOptions().setLocale(language));
        for (String part : List.of("store", "reserved_list", "filter")) {
            page.locator("[data-try]")
                    .nth(List.of("store", "reserved_list", "filter").indexOf(part))
                    .click();
            assertThat(step(page, part)).hasAttribute("data-step", "answered");
        }
    }

    /**
     * Sits for docs/pictures/signup.png, with figures of a server that has been running for a while; CONTRIBUTING.md has the
     * command.
     */
    @Test
    void sitsForItsPicture() {
        for (int i = 0; i < 3_000; i++) {
            SITE.client().post("/availability", "suggestions=true&username=" + MadeUpAccounts.username(i));
            SITE.client().check("nobody-has-this-" + i);
        }
        for (int i = 0; i < 3_000; i++) {
            SITE.client().checkPhone(MadeUpAccounts.phone(i)); // so that the page cache is full of something else
        }
        Page page = SITE.open("/signup", new NewContextOptions().setViewportSize(900, 700));
        for (String name : List.of("admin", "zoe", "Zoe.Fischer")) {
            username(page).fill(name);
            assertThat(page.locator("#trace-now strong")).hasText(name.toLowerCase(java.util.Locale.ROOT));
        }
        username(page).fill(MadeUpAccounts.username(47_000));
        assertThat(suggestions(page)).hasCount(5);
        Chromium.screenshot(page.locator("main"), "signup");
    }

    @Test
    void theBrowserTellsOfErrorsViolationsAndOtherOrigins() {
        Page page = SITE.open("/signup");
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

    /** The page's timers go on only as told. */
    private static Page withHeldTime() {
        Page page = SITE.open("/signup");
        page.clock().install();
        page.reload();
        page.clock().pauseAt(System.currentTimeMillis() + 1_000_000);
        return page;
    }

    private static void resume(Route route) {
        try {
            route.resume();
        } catch (PlaywrightException e) {
            // The page has given this request up, which is as good.
        }
    }

    /** Keeps requests to the endpoint waiting until they are told to go on. */
    private static List<Route> hold(Page page) {
        List<Route> held = new ArrayList<>();
        page.route(ENDPOINT, held::add);
        return held;
    }
}
