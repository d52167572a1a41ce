package io.github.untaken.servlet;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.github.untaken.servlet.WidgetSite.FIELD;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code <untaken-check>} tells, and how it fits into a page. */
@Tag("browser")
class WidgetBrowserTest {
    /** What the normalizers of the library say of user names, e-mail addresses and phone numbers. */
    private static final List<String> REASONS = List.of(
            "too_short",
            "too_long",
            "illegal_character",
            "illegal_edge",
            "mixed_scripts",
            "malformed",
            "not_a_number",
            "invalid_number",
            "no_country_code",
            "has_extension");

    @RegisterExtension
    static final WidgetSite SITE = new WidgetSite();

    private static Locator input(Page page) {
        return page.locator("input").first();
    }

    @Test
    void saysInWordsWhatIsKnown() {
        Page page = SITE.open(FIELD);
        assertThat(SITE.status()).hasText("");
        for (String[] row : new String[][] {
            {"zoe", "available", "Available"},
            {"ZoE", "available", "Available, saved as \u2068zoe\u2069"},
            {"Alice", "taken", "Already taken"},
            {"admin", "reserved", "Reserved"},
            {"\u00e1dm1n", "reserved", "Reserved, looks like \u2068admin\u2069"},
            {" zoe\u3000", "available", "Available"},
            {"\tALICE ", "taken", "Already taken"},
            {"ab", "invalid", "Too short"},
            {"a b c", "invalid", "Has a character that is not allowed"},
            {"-abc", "invalid", "Must begin and end with a letter or digit"},
            {"ali\u0441e", "invalid", "Mixes several scripts"},
        }) {
            page.evaluate("told.length = 0");
            input(page).fill(row[0]);
            assertThat(SITE.status()).hasText(row[2]);
            assertThat(input(page)).hasAttribute("data-untaken-state", row[1]);
            assertThat(input(page)).hasAttribute("aria-invalid", Boolean.toString(!row[1].equals("available")));
            assertThat(input(page)).hasAccessibleDescription(row[2]);
            assertThat(input(page)).hasAccessibleName("Name");
            assertThat(input(page).evaluate("i => i.validity.valid")).isEqualTo(true);
            assertThat(page.evaluate("told.join()")).isEqualTo(",checking," + row[1]);
        }
    }

    @Test
    void aValueThatTheServerFindsTooLongIsTooLong() {
        SITE.open(FIELD);
        SITE.type("a".repeat(300));
        assertThat(SITE.status()).hasText("Too long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "zh-Hans-CN"})
    void everyReasonHasWordsOfItsOwn(String language) {
        Page page = SITE.open(language, "<script src=js/untaken.js defer></script>", FIELD);
        List<String> told = REASONS.stream()
                .map(reason -> {
                    SITE.answer(200, "{\"status\":\"invalid\",\"available\":false,\"reason\":\"" + reason + "\"}");
                    input(page).fill(reason);
                    assertThat(input(page)).hasAttribute("data-untaken-state", "invalid");
                    return SITE.status().textContent();
                })
                .toList();
        assertThat(told).doesNotHaveDuplicates().noneMatch(text -> text.contains("_") || text.isBlank());
        assertThat(told).noneMatch(List.of("Not valid", "\u683c\u5f0f\u4e0d\u6b63\u786e")::contains);
        assertThat(told.get(0)).isEqualTo(language.equals("en") ? "Too short" : "\u592a\u77ed");

        SITE.answer(200, "{\"status\":\"invalid\",\"available\":false,\"reason\":\"own_rule\"}");
        input(page).fill("own");
        assertThat(SITE.status()).hasText(language.equals("en") ? "Not valid" : "\u683c\u5f0f\u4e0d\u6b63\u786e");
        assertThat(page.evaluate("(({en, zh}) => Object.keys(en).join() === Object.keys(zh).join())"
                        + "(customElements.get('untaken-check').texts)"))
                .isEqualTo(true);
    }

    @Test
    void suggestionsAreButtonsForMouseAndKeyboard() throws Exception {
        Page page = SITE.open("<untaken-check suggestions><label>Name <input name=username></label></untaken-check>");
        // What React does to notice changes that nobody typed: it sees none here.
        page.evaluate("""
                (i => Object.defineProperty(i, 'value', {set() { told.push('set'); }, configurable: true,
                    get() { return Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').get.call(this); }}))
                (document.querySelector('input'))""");
        Locator names = page.locator("untaken-check").getByRole(AriaRole.BUTTON);
        page.locator("input").focus();
        page.keyboard().insertText("alice");
        assertThat(SITE.status()).hasText("Already taken. Still free: ");
        assertThat(names).hasCount(5);
        assertThat(page.getByRole(AriaRole.GROUP)).hasAccessibleName("Still free:");
        String second = names.nth(1).textContent();
        page.keyboard().press("Tab");
        page.keyboard().press("Tab");
        page.keyboard().press("Enter");
        assertThat(input(page)).hasValue(second);
        assertThat(input(page)).isFocused();
        assertThat(SITE.status()).hasText("Available");
        assertThat(names).hasCount(0);
        assertThat(page.evaluate("told.includes('set')")).isEqualTo(false);
        assertThat(SITE.nobodySignedUp()).isTrue();

        input(page).fill("alice");
        names.first().click();
        assertThat(SITE.status()).hasText("Available");
        page.keyboard().press("Enter");
        assertThat(SITE.signedUp()).isNotEqualTo("alice").contains("alice");
    }

    @Test
    void aPrefilledValueIsCheckedAndWhatTheServerWroteStays() {
        SITE.open(
                "<untaken-check><input aria-label=A value=alice></untaken-check>"
                        + "<untaken-check><input aria-label=B value=alice><p slot=message>Somebody was quicker</p></untaken-check>");
        assertThat(SITE.status().first()).hasText("Already taken");
        assertThat(SITE.status().last()).hasText("Somebody was quicker");
        SITE.page().locator("input").last().fill("zoe");
        assertThat(SITE.status().last()).hasText("Available");
        assertThat(SITE.page().evaluate("told.join()")).isEqualTo(",checking,taken,,checking,available");
    }

    @Test
    void anEmptyFieldAndAReadOnlyOneAreNotAskedAbout() {
        List<Request> asked = SITE.asked();
        SITE.open(
                "<untaken-check><input aria-label=A></untaken-check>"
                        + "<untaken-check><input aria-label=B value=alice readonly></untaken-check>"
                        + "<untaken-check><input type=hidden name=csrf value=alice><input aria-label=C value=zoe></untaken-check>");
        assertThat(SITE.status().last()).hasText("Available");
        assertThat(asked).hasSize(1);
    }

    @Test
    void typingEndsWhereTheFieldIsTooShort() {
        List<Request> asked = SITE.asked();
        Page page = SITE.open("<untaken-check><input aria-label=Name minlength=4></untaken-check>");
        SITE.type("z");
        assertThat(SITE.status()).hasText("Too short, at least 4 characters");
        // It is not said again with every key.
        page.evaluate("new MutationObserver(r => told.push('spoken')).observe(document.querySelector('[role=status]'),"
                + " {childList: true, characterData: true, subtree: true})");
        page.keyboard().insertText("o");
        page.keyboard().insertText("e");
        assertThat(page.evaluate("told.join()")).isEqualTo(",invalid");
        page.keyboard().insertText("y");
        assertThat(SITE.status()).hasText("Available");
        assertThat(asked).hasSize(1);
        input(page).fill("zoe");
        assertThat(SITE.status()).hasText("Too short, at least 4 characters");
        input(page).fill("");
        assertThat(SITE.status()).hasText("");
    }

    @Test
    void fieldsOfOnePageKnowNothingOfEachOther() {
        List<Request> asked = SITE.asked();
        Page page = SITE.open(
                "<untaken-check><input aria-label=A></untaken-check><untaken-check><input aria-label=B></untaken-check>"
                        + "<input aria-label=C data-untaken=username>");
        page.getByLabel("A").fill("alice");
        page.getByLabel("B").fill("zoe");
        page.getByLabel("C").fill("admin");
        assertThat(SITE.status()).hasText(new String[] {"Already taken", "Available", "Reserved"});
        assertThat(asked).hasSize(3);
        assertThat(page.evaluate("new Set([...document.querySelectorAll('[role=status]')].map(e => e.id)).size"))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "closed"})
    void worksInAShadowTree(String mode) {
        Page page = SITE.open("<div id=host></div>");
        page.evaluate("""
                mode => {
                    const root = document.getElementById('host').attachShadow({mode}), check = document.createElement('untaken-check');
                    check.append(window.field = document.createElement('input'));
                    field.ariaLabel = 'Name';
                    root.append(check);
                    field.focus();
                }""", mode);
        page.keyboard().insertText("alice");
        page.waitForCondition(() -> page.evaluate("field.dataset.untakenState").equals("taken"));
        assertThat(page.evaluate("told.join()")).isEqualTo(",checking,taken");
        assertThat(page.evaluate(
                        "field.getRootNode().getElementById(field.getAttribute('aria-describedby')).textContent"))
                .isEqualTo("Already taken");
    }

    @Test
    void thePlainAttributeWorksInAnOpenShadowTreeToo() {
        Page page = SITE.open("zh", "<script src=js/untaken.js defer></script>", "<div id=host></div>");
        page.evaluate("""
                () => {
                    const root = document.getElementById('host').attachShadow({mode: 'open'}), input = document.createElement('input');
                    input.dataset.untaken = 'username';
                    root.append(input);
                    input.focus();
                }""");
        page.keyboard().insertText("alice");
        // In the language of the page around.
        assertThat(SITE.status()).hasText("\u5df2\u88ab\u4f7f\u7528");
    }

    @Test
    void isAModuleToo() {
        SITE.open("en", "<script src=js/untaken.js type=module></script>", FIELD);
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
    }

    @Test
    void isImportedAndMayBeLoadedTwice() {
        Page page = SITE.open("en", "", FIELD);
        page.evaluate("import('./js/untaken.js')");
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
        page.evaluate("import('./js/untaken.js?again')");
        List<Request> asked = SITE.asked();
        input(page).fill("zoe");
        assertThat(SITE.status()).hasText("Available");
        assertThat(asked).hasSize(1);
    }

    @Test
    void followsItsAttributes() {
        List<Request> asked = SITE.asked();
        Page page = SITE.open(FIELD);
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
        Locator check = page.locator("untaken-check");
        check.evaluate("c => { c.setAttribute('suggestions', ''); c.setAttribute('text-taken', 'Gone'); }");
        assertThat(SITE.status()).hasText("Gone. Still free: ");
        SITE.answer(200, "{\"status\":\"available\",\"available\":true,\"yours\":true}");
        check.evaluate(
                "c => { c.setAttribute('kind', 'nick'); c.setAttribute('header', 'X-Token'); c.setAttribute('token', 't-1'); }");
        assertThat(SITE.status()).hasText("This is yours");
        Request last = asked.get(2);
        assertThat(asked).hasSize(3);
        assertThat(last.postData()).isEqualTo("nick=alice&suggestions=true");
        assertThat(last.headers()).contains(Map.entry("x-token", "t-1"));
    }

    @Test
    void speaksALanguageThatThePageAdds() {
        Page page = SITE.open("de-AT", "<script src=js/untaken.js defer></script>", FIELD);
        page.evaluate("customElements.get('untaken-check').texts.de = {taken: 'Vergeben'}");
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Vergeben");
        input(page).fill("zoe");
        assertThat(SITE.status()).hasText("Available");
    }

    @Test
    void blanksAroundANameAreNeitherAskedAboutNorSent() throws Exception {
        List<Request> asked = SITE.asked();
        Page page = SITE.open("<untaken-check><label>Name <input name=username minlength=3></label></untaken-check>");
        SITE.type("  zoe ");
        assertThat(SITE.status()).hasText("Available");
        page.keyboard().insertText(" ");
        assertThat(input(page)).hasValue("  zoe  ");
        page.keyboard().press("Enter");
        assertThat(SITE.signedUp()).isEqualTo("zoe");
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0).postData()).isEqualTo("username=zoe&suggestions=false");

        SITE.open("<untaken-check><label>Name <input name=username minlength=3></label></untaken-check>");
        SITE.type(" al  ");
        assertThat(SITE.status()).hasText("Too short, at least 3 characters");
        input(page).fill("   ");
        assertThat(SITE.status()).hasText("");
        // Frameworks hear of it as of a key, once the field is left.
        page.evaluate("document.addEventListener('input', e => told.push(e.target.value))");
        input(page).fill(" zoe ");
        assertThat(SITE.status()).hasText("Available");
        input(page).blur();
        assertThat(input(page)).hasValue("zoe");
        assertThat(SITE.status()).hasText("Available");
        assertThat(page.evaluate("told.slice(-5).join('|')")).isEqualTo(" zoe ||checking|available|zoe");
        assertThat(asked).hasSize(2);
    }

    @Test
    void whatItSaysInAnotherLanguageThanThePageSaysSo() {
        Page page = SITE.open("ar dir=rtl", "<script src=js/untaken.js defer></script>", FIELD);
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(SITE.status()).hasAttribute("lang", "en");
        assertThat(SITE.status()).hasAttribute("dir", "ltr");
        page.evaluate("customElements.get('untaken-check').texts.ar = {taken: '\u0645\u0623\u062e\u0648\u0630'}");
        input(page).fill("Alice");
        assertThat(SITE.status()).hasText("\u0645\u0623\u062e\u0648\u0630");
        assertThat(SITE.status()).not().hasAttribute("lang", "en");
        assertThat(SITE.status()).not().hasAttribute("dir", "ltr");
        input(page).fill("zoe");
        assertThat(SITE.status()).hasText("Available");
        assertThat(SITE.status()).hasAttribute("lang", "en");
        // Words of the page's own are in its language, and none in English come behind them.
        page.locator("untaken-check")
                .evaluate("c => c.setAttribute('text-reserved', '\u0645\u062d\u062c\u0648\u0632')");
        input(page).fill("adm1n");
        assertThat(SITE.status()).hasText("\u0645\u062d\u062c\u0648\u0632");
        assertThat(SITE.status()).not().hasAttribute("lang", "en");
    }

    @Test
    void leavesTheLanguageOfThePagesOwnElementAlone() {
        Page page = SITE.open(
                "zh",
                "<script src=js/untaken.js defer></script>",
                "<untaken-check><input aria-label=Name><p slot=message lang=zh-Hans dir=auto></p></untaken-check>");
        SITE.type("alice");
        assertThat(SITE.status()).hasText("\u5df2\u88ab\u4f7f\u7528");
        assertThat(SITE.status()).hasAttribute("lang", "zh-Hans");
        assertThat(SITE.status()).hasAttribute("dir", "auto");
        input(page).fill("adm1n");
        assertThat(SITE.status()).hasText("\u4fdd\u7559\u540d\u79f0\uff0c\u770b\u8d77\u6765\u50cf \u2068admin\u2069");
        assertThat(SITE.status()).hasAttribute("lang", "zh-Hans");
    }

    @Test
    void aBundleOfTextsIsALanguage() {
        Page page = SITE.page();
        page.route(
                "**/untaken-de.json",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody("{\"taken\": \"Schon vergeben\", \"reserved\": \"Nicht zu haben\","
                                + " \"like\": \", sieht aus wie \", \"too_short\": \"Zu kurz\"}")));
        SITE.open("de", "<script src=js/untaken.js type=module></script>", FIELD);
        page.evaluate("""
                async () => {
                    const check = await customElements.whenDefined('untaken-check');
                    check.texts.de = await (await fetch('/app/untaken-de.json')).json();
                }""");
        for (String[] row : new String[][] {
            {"alice", "Schon vergeben"},
            {"adm1n", "Nicht zu haben, sieht aus wie \u2068admin\u2069"},
            {"ab", "Zu kurz"},
        }) {
            input(page).fill(row[0]);
            assertThat(SITE.status()).hasText(row[1]);
            assertThat(SITE.status()).not().hasAttribute("lang", "en");
        }
        input(page).fill("zoe");
        assertThat(SITE.status()).hasText("Available");
        assertThat(SITE.status()).hasAttribute("lang", "en");
    }

    @Test
    void looksLikeThePageAroundIt() {
        Page page = SITE.open("<untaken-check class=own><input aria-label=Name></untaken-check>");
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(SITE.status()).hasCSS("color", "rgb(1, 2, 3)");
        assertThat(SITE.status()).hasCSS("letter-spacing", "3px");
        assertThat(SITE.status()).hasCSS("font-family", "sans-serif");
        assertThat(SITE.status()).hasCSS("font-size", "14px");
        input(page).fill("zoe");
        assertThat(SITE.status()).hasText("Available");
        assertThat(SITE.status()).hasCSS("letter-spacing", "normal");
    }
}
