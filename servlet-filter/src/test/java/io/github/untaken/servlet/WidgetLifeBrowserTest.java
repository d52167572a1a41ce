package io.github.untaken.servlet;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static io.github.untaken.servlet.WidgetSite.FIELD;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code <untaken-check>} does when things go wrong, change, or are meant badly. */
@Tag("browser")
class WidgetLifeBrowserTest {
    private static final String UNKNOWN = "Could not check; you can still submit";

    private static final String HEAD = "<meta name=_csrf content=t-1><meta name=_csrf_header content=X-CSRF-TOKEN>"
            + "<script src=js/untaken.js defer></script>";

    @RegisterExtension
    static final WidgetSite SITE = new WidgetSite();

    private static Locator input() {
        return SITE.page().locator("input").first();
    }

    private static Object run(String script) {
        return SITE.page().evaluate(script);
    }

    /** Notes each text that a screen reader would read out. */
    private static void listen() {
        run("""
                (region => {
                    window.spoken = [];
                    new MutationObserver(() => spoken.push(region.textContent)).observe(region, {childList: true, subtree: true});
                })(document.querySelector('[role=status]'))""");
    }

    @ParameterizedTest
    @CsvSource({"429, 7, 7000", "408, soon, 3000", "503, soon, 3000", "429, 9999999, 3600000"})
    void asksAgainWhenTheServerSaysAndSaysItOnce(int status, String after, int delay) {
        SITE.open(FIELD);
        listen();
        SITE.answer(status, "{}", "Retry-After", after);
        SITE.type("alice");
        assertThat(SITE.status()).hasText(UNKNOWN);
        SITE.page().waitForCondition(() -> run("delays.includes(" + delay + ")").equals(true));

        // Short waits from here on: five more requests, and no sixth.
        List<Request> asked = SITE.asked();
        run("shortened.push(" + delay + ", 2000, 4000, 8000, 16000)");
        input().fill("bob");
        SITE.page()
                .waitForCondition(
                        () -> run("told.filter(s => s === 'unknown').length").equals(7));
        assertThat(run("spoken.join('|')")).isEqualTo(UNKNOWN + "||" + UNKNOWN);
        SITE.answerAsEver();
        input().fill("alice");
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(run("told.slice(-3).join()")).isEqualTo(",checking,taken");
        assertThat(asked).hasSize(7);
    }

    @Test
    void aRetryThatSucceedsIsTold() {
        SITE.open(FIELD);
        run("shortened.push(3000)");
        List<Request> asked = SITE.asked();
        SITE.answer(route -> {
            if (asked.size() == 1) {
                route.abort();
            } else {
                route.resume();
            }
        });
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(run("told.join()")).isEqualTo(",checking,unknown,taken");
    }

    /** No try is left by then, as after a minute without network. */
    @ParameterizedTest
    @ValueSource(strings = {"online", "visibilitychange"})
    void asksAgainWhenTheNetworkIsBack(String event) {
        Page page = SITE.open(FIELD);
        listen();
        run("shortened.push(3000, 2000, 4000, 8000, 16000)");
        List<Request> asked = SITE.asked();
        page.context().setOffline(true);
        SITE.type("alice");
        page.waitForCondition(
                () -> run("told.filter(s => s === 'unknown').length").equals(6));
        assertThat(asked).hasSize(6);
        if (event.equals("online")) {
            page.context().setOffline(false);
        } else {
            // A page that nobody looks at waits.
            SITE.answer(route -> route.abort());
            run("Object.defineProperty(document, 'hidden', {value: true, configurable: true})");
            page.context().setOffline(false);
            assertThat(run("document.dispatchEvent(new Event('visibilitychange', {bubbles: true})), told.at(-1)"))
                    .isEqualTo("unknown");
            SITE.answerAsEver();
            run("delete document.hidden, document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))");
        }
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(asked).hasSize(7);
        assertThat(run("told.slice(-2).join()")).isEqualTo("unknown,taken");
        assertThat(run("spoken.join('|')")).isEqualTo(UNKNOWN + "|Already taken");
        // It is known now, and not asked for at each glance.
        run(
                "dispatchEvent(new Event('online')), document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))");
        input().fill("zoe");
        assertThat(SITE.status()).hasText("Available");
        assertThat(asked).hasSize(8);
    }

    @Test
    void anAnswerThatSaysWhenIsWaitedForWhateverTheNetworkDoes() {
        SITE.open(FIELD);
        SITE.answer(429, "{}", "Retry-After", "7");
        List<Request> asked = SITE.asked();
        SITE.type("alice");
        SITE.page().waitForCondition(() -> run("delays.includes(7000)").equals(true));
        SITE.answerAsEver();
        run(
                "dispatchEvent(new Event('online')), document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))");
        input().fill("zoe");
        assertThat(SITE.status()).hasText("Available");
        assertThat(asked).hasSize(2);
    }

    @Test
    void holdsTheFormOnlyWhereItIsToldTo() throws Exception {
        Page page = SITE.open("<untaken-check validity><input aria-label=Name name=username></untaken-check>");
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
        page.keyboard().press("Enter");
        assertThat(run("document.querySelector('input').validationMessage")).isEqualTo("Already taken");
        assertThat(SITE.nobodySignedUp()).isTrue();

        // With the next key it is open again, whatever becomes of that check.
        SITE.answer(Route::abort);
        SITE.type("x");
        assertThat(run("document.querySelector('input').validity.valid")).isEqualTo(true);
        assertThat(SITE.status()).hasText(UNKNOWN);
        page.keyboard().press("Enter");
        assertThat(SITE.signedUp()).isEqualTo("alicex");
    }

    @Test
    void letsGoOfTheFormWhenItIsNoLongerAsked() {
        SITE.open("<untaken-check validity><input aria-label=Name name=username value=alice></untaken-check>");
        String valid = "document.querySelector('input').validity.valid";
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(run(valid)).isEqualTo(false);
        run("document.querySelector('untaken-check').removeAttribute('validity')");
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(run(valid)).isEqualTo(true);
        run("document.querySelector('untaken-check').setAttribute('validity', '')");
        SITE.page().waitForCondition(() -> run(valid).equals(false));
        run("(c => c.replaceWith(...c.childNodes))(document.querySelector('untaken-check'))");
        assertThat(run(valid)).isEqualTo(true);

        // What the page itself finds wrong is none of its business.
        run("document.querySelector('input').setCustomValidity('Ours')");
        run(
                "(i => { const c = document.createElement('untaken-check'); i.replaceWith(c); c.append(i); })(document.querySelector('input'))");
        assertThat(run("document.querySelector('input').validationMessage")).isEqualTo("Ours");
    }

    @Test
    void asksForAFreshTokenBeforeEachRequest() {
        List<String> tokens = new ArrayList<>();
        SITE.open(FIELD);
        run("""
                (check => {
                    window.next = 0;
                    check.headers = async ({kind, value, signal}) =>
                        ({'X-Token': [++next, kind, value, signal.aborted].join(' ')});
                })(document.querySelector('untaken-check'))""");
        SITE.answer(route -> {
            tokens.add(route.request().headerValue("X-Token"));
            if (tokens.size() == 1) {
                route.fulfill(new Route.FulfillOptions().setStatus(429).setHeaders(Map.of("Retry-After", "1")));
            } else {
                route.resume();
            }
        });
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(tokens).containsExactly("1 username alice false", "2 username alice false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_csrf", "authenticity_token", "__RequestVerificationToken"})
    void sendsTheTokenThatItsFormHas(String field) {
        List<Request> asked = SITE.asked();
        String hidden = "<input type=hidden name=%s value='%s'>";
        SITE.open(FIELD + hidden.formatted(field, "t-1 +&") + hidden.formatted("id", "7") + "</form><form>"
                + hidden.formatted("_csrf", "of-another-form"));
        SITE.type("zoe");
        assertThat(SITE.status()).hasText("Available");
        assertThat(asked.get(0).postData()).isEqualTo("username=zoe&suggestions=false&" + field + "=t-1+%2B%26");
        assertThat(asked.get(0).headers()).contains(Map.entry("x-csrf-token", "t-1 +&"));
    }

    @Test
    void sendsTheTokenOfTheHeadUnlessThePageSaysAnother() {
        List<Request> asked = SITE.asked();
        SITE.open("en", HEAD, FIELD + "<input type=hidden name=_csrf value=t-0>");
        String check = "document.querySelector('untaken-check')";
        for (String[] row : new String[][] {
            {"0", "t-1"},
            {check + ".setAttribute('header', 'x-csrf-token'), " + check + ".setAttribute('token', 't-2')", "t-2"},
            {check + ".headers = () => ({'X-Csrf-Token': 't-3'}), 0", "t-3"},
            {check + ".headers = () => null, " + check + ".removeAttribute('header')", "t-1"},
            {"document.querySelector('meta[name=_csrf_header]').remove()", "t-0"},
            {"document.querySelector('[name=_csrf][value]').remove()", null},
        }) {
            run(row[0]);
            input().fill("zoe" + row[1]);
            assertThat(SITE.status()).hasText("Available");
            assertThat(asked.get(asked.size() - 1).headers().get("x-csrf-token"))
                    .isEqualTo(row[1]);
        }
    }

    @Test
    void noTokenOfThePageGoesToAnotherOrigin() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            heard.add(exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst("X-CSRF-TOKEN") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.getResponseHeaders().set("Access-Control-Allow-Origin", "*");
            exchange.getResponseHeaders().set("Access-Control-Allow-Headers", "*");
            byte[] answer = "{\"status\":\"available\",\"available\":true}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        other.start();
        try {
            String elsewhere = "http://127.0.0.1:" + other.getAddress().getPort() + "/";
            JsonObject bypass = new JsonObject();
            bypass.addProperty("enabled", true);
            SITE.page().context().newCDPSession(SITE.page()).send("Page.setBypassCSP", bypass);
            SITE.open(
                    "en",
                    HEAD,
                    "<input type=hidden name=_csrf value=t-1>"
                            + FIELD.replace("<untaken-check", "<untaken-check endpoint=" + elsewhere));
            SITE.page().locator("[name=username]").fill("zoe");
            assertThat(SITE.status()).hasText("Available");
            assertThat(heard).containsExactly("POST null username=zoe&suggestions=false");

            // Nor does the page's own server send it there.
            List<String> asked = new ArrayList<>();
            SITE.answer(route -> {
                asked.add(route.request().postData());
                route.fulfill(new Route.FulfillOptions().setStatus(307).setHeaders(Map.of("Location", elsewhere)));
            });
            run("document.querySelector('untaken-check').removeAttribute('endpoint')");
            assertThat(SITE.status()).hasText(UNKNOWN);
            assertThat(asked).containsExactly("username=zoe&suggestions=false&_csrf=t-1");
            assertThat(heard).hasSize(1);
        } finally {
            other.stop(0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void tellsTheDeveloperOnceWhenItIsNotLetIn(int status) {
        List<String> warnings = new ArrayList<>();
        SITE.page().onConsoleMessage(message -> {
            if (message.type().equals("warning")) {
                warnings.add(message.text());
            }
        });
        SITE.open(FIELD + FIELD);
        for (int answer : new int[] {500, status, status}) {
            SITE.answer(answer, "{}");
            input().fill("alice" + warnings.size() + answer);
            assertThat(SITE.status().first()).hasText(UNKNOWN);
        }
        SITE.page().locator("input").last().fill("bob");
        assertThat(SITE.status().last()).hasText(UNKNOWN);
        assertThat(warnings)
                .singleElement()
                .asString()
                .matches("untaken\\.js: " + status + " from http://[^ ]+/api/free\\. .*permit POST.* CSRF token.*");
    }

    @Test
    void aHookThatFailsOrHangsIsAnUnknownAnswer() throws Exception {
        List<Request> asked = SITE.asked();
        SITE.open(FIELD);
        run("document.querySelector('untaken-check').headers = async () => { throw new Error('no token'); }, 0");
        SITE.type("alice");
        assertThat(SITE.status()).hasText(UNKNOWN);
        run(
                "shortened.push(5000), document.querySelector('untaken-check').headers = () => new Promise(go => window.go = go), 0");
        input().fill("alice2");
        assertThat(SITE.status()).hasText(UNKNOWN);
        run("document.querySelector('untaken-check').headers = null");
        input().fill("zoe");
        assertThat(SITE.status()).hasText("Available");
        // The one before comes to life, and is not heard.
        run("go({}), new Promise(done => setTimeout(done, 50))");
        assertThat(SITE.status()).hasText("Available");
        assertThat(run("told.at(-1)")).isEqualTo("available");
        input().press("Enter");
        assertThat(SITE.signedUp()).isEqualTo("zoe");
        assertThat(asked).hasSize(1);
    }

    @Test
    void whatIsNotPlainlyAvailableIsUnknown() {
        SITE.open(FIELD);
        SITE.answer(500, "{\"status\":\"available\",\"available\":true}");
        input().fill("zoe");
        assertThat(SITE.status()).hasText(UNKNOWN);
        for (String body : List.of(
                "null",
                "7",
                "[]",
                "{}",
                "no json",
                "{'status':'available'}",
                "{'status':'available','available':false}",
                "{'status':'available','available':'true'}",
                "{'status':'free','available':true}",
                "{'status':'constructor','available':true}",
                "{'status':'unknown','available':true}")) {
            SITE.answer(200, body.replace('\'', '"'));
            input().fill("bob " + body);
            assertThat(SITE.status()).hasText(UNKNOWN);
            assertThat(input()).hasAttribute("aria-invalid", "false");
        }
    }

    @Test
    void whatTheServerSendsIsTextAndNeverMarkup() {
        String markup = "<img src=x onerror='window.hit=1'>";
        Page page = SITE.open("<untaken-check suggestions><input aria-label=Name></untaken-check>");
        SITE.answer(
                200,
                "{\"status\":\"taken\",\"available\":false,\"reason\":\"" + markup + "\",\"suggestions\":[\"" + markup
                        + "\",null,7,{\"a\":1},[\"\u202ebob\"]]}");
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken. Still free: ");
        assertThat(page.locator("untaken-check button").first()).hasText(markup);
        assertThat(page.locator("untaken-check img")).hasCount(0);
        page.locator("untaken-check button").first().click();
        assertThat(input()).hasValue(markup);
        SITE.answer(200, "{\"status\":\"available\",\"available\":true,\"value\":\"" + markup + "\"}");
        input().fill("bob");
        assertThat(SITE.status()).hasText("Available, saved as \u2068" + markup + "\u2069");
        SITE.answer(200, "{\"status\":\"taken\",\"available\":false,\"suggestions\":\"one\"}");
        input().fill("bob2");
        assertThat(page.locator("untaken-check button")).hasText("one");
        assertThat(run("'hit' in window")).isEqualTo(false);
    }

    @Test
    void neverKeepsTheFormFromBeingSent() throws Exception {
        SITE.open(FIELD);
        // No answer, ever.
        SITE.answer(route -> {});
        SITE.type("bob");
        assertThat(input()).hasAttribute("data-untaken-state", "checking");
        input().press("Enter");
        assertThat(SITE.signedUp()).isEqualTo("bob");

        SITE.answerAsEver();
        SITE.open(FIELD);
        run("addEventListener('untaken', e => { e.stopPropagation(); e.preventDefault(); }, true)");
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
        input().press("Enter");
        assertThat(SITE.signedUp()).isEqualTo("alice");
    }

    /** As some do behind each group of a phone number. */
    @Test
    void doesNotFightAPageThatPutsBlanksBehindWhatIsTyped() {
        SITE.open(FIELD);
        run("""
                window.fills = 0;
                document.querySelector('input').addEventListener('input', ({target}) => {
                    fills++;
                    target.value = target.value.trim() + ' ';
                })""");
        input().fill("alice");
        input().blur();
        assertThat(SITE.status()).hasText("Already taken");
        assertThat((Integer) run("fills")).isBetween(2, 4);
    }

    @Test
    void leavesAnInputMethodAlone() {
        List<Request> asked = SITE.asked();
        Page page = SITE.open("zh", "<script src=js/untaken.js defer></script>", FIELD);
        SITE.type("alice");
        assertThat(SITE.status()).hasText("\u5df2\u88ab\u4f7f\u7528");
        CDPSession keys = page.context().newCDPSession(page);
        for (String syllable : List.of("z", "zh", "zhang")) {
            JsonObject composed = new JsonObject();
            composed.addProperty("text", syllable);
            composed.addProperty("selectionStart", syllable.length());
            composed.addProperty("selectionEnd", syllable.length());
            keys.send("Input.imeSetComposition", composed);
        }
        assertThat(input()).hasValue("alicezhang");
        // What was said of the name before is not left standing.
        assertThat(SITE.status()).hasText("");
        assertThat(run("delays.filter(d => d === 300).length")).isEqualTo(1);
        assertThat(asked).hasSize(1);
        input().fill("");
        JsonObject committed = new JsonObject();
        committed.addProperty("text", "\u5f20\u4e09\u4e30");
        keys.send("Input.insertText", committed);
        assertThat(SITE.status()).hasText("\u53ef\u4ee5\u4f7f\u7528");
        assertThat(input()).hasValue("\u5f20\u4e09\u4e30");
        assertThat(asked).hasSize(2);
    }

    @Test
    void aKeyboardThatComposesEveryWordIsHeard() {
        SITE.page()
                .addInitScript(
                        "Object.defineProperty(navigator, 'userAgent', {value: 'Mozilla/5.0 (Linux; Android 10; K)'})");
        Page page = SITE.open(FIELD);
        input().focus();
        JsonObject composed = new JsonObject();
        composed.addProperty("text", "alice");
        composed.addProperty("selectionStart", 5);
        composed.addProperty("selectionEnd", 5);
        page.context().newCDPSession(page).send("Input.imeSetComposition", composed);
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(input()).hasValue("alice");
    }

    @Test
    void followsItsInputThroughThePage() {
        Page page = SITE.open(FIELD);
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");

        run("(c => { window.check = c; c.remove(); })(document.querySelector('untaken-check'))");
        assertThat(run("told.length + check.querySelector('[role=status]').textContent"))
                .isEqualTo("3");
        run("document.querySelector('form').prepend(check)");
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(input()).hasAccessibleDescription("Already taken");

        // Another input, as when a framework draws anew; then none; then one that comes late.
        run("check.replaceChildren(document.createElement('input'))");
        assertThat(SITE.status()).hasText("");
        input().fill("zoe");
        assertThat(SITE.status()).hasText("Available");
        run("check.querySelector('input').remove()");
        assertThat(SITE.status()).hasText("");
        run("check.prepend(Object.assign(document.createElement('input'), {value: 'alice'}))");
        assertThat(SITE.status()).hasText("Already taken");
        assertThat(page.locator("[role=status]")).hasCount(1);
    }

    /** As Vue and Svelte do in a page that their server has drawn: they come later to the input than the widget. */
    @Test
    void whatIsTypedStaysWhereTheFrameworkDrawsAnewWhenItIsTold() {
        SITE.open(FIELD);
        run("""
                (input => {
                    let model = '';
                    document.addEventListener('untaken', () => queueMicrotask(() => {
                        if (input.value !== model) input.value = model;
                    }));
                    input.addEventListener('input', () => model = input.value);
                })(document.querySelector('input'))""");
        SITE.type("zoe");
        assertThat(SITE.status()).hasText("Available");
        SITE.type("y");
        assertThat(input()).hasValue("zoey");
        assertThat(SITE.status()).hasText("Available");
        assertThat(run("told.join()")).isEqualTo(",checking,available,,checking,available");
    }

    /** Who empties the field and then says "welcome" is not told afterwards that somebody types. */
    @Test
    void whatAScriptTypesIsToldBeforeItGoesOn() {
        SITE.open(FIELD);
        SITE.type("zoe");
        assertThat(SITE.status()).hasText("Available");
        assertThat(run("(i => { i.value = ''; i.dispatchEvent(new Event('input')); return told.join(); })"
                        + "(document.querySelector('input'))"))
                .isEqualTo(",checking,available,");
    }

    @Test
    void aListenerMayTakeItAwayAtAnyMoment() {
        SITE.open(FIELD);
        SITE.answer(503, "{}");
        run("shortened.push(3000)");
        for (String moment : List.of("", "checking", "unknown")) {
            SITE.page().evaluate("""
                    moment => addEventListener('untaken', function at(event) {
                        if (event.detail.status === moment) {
                            removeEventListener('untaken', at);
                            window.check = event.target.closest('untaken-check');
                            check.remove();
                        }
                    })""", moment);
            SITE.type("bob");
            assertThat(input()).hasCount(0);
            // What it still waited for would end in an error, which no test may leave behind.
            run("new Promise(done => setTimeout(done, 100)).then(() => document.querySelector('form').prepend(check))");
            input().fill("");
        }
    }

    @Test
    void anImageOfThatNameIsNotTheScript() {
        SITE.open("en", "<img name=currentScript alt=''><script src=js/untaken.js defer></script>", FIELD);
        assertThat(run("document.currentScript.localName")).isEqualTo("img");
        SITE.type("alice");
        assertThat(SITE.status()).hasText("Already taken");
    }

    @Test
    void followsAResetAndWhatAPasswordManagerFillsIn() {
        SITE.open("<untaken-check><label>Name <input name=username value=zoe></label></untaken-check>");
        assertThat(SITE.status()).hasText("Available");
        input().fill("alice");
        assertThat(SITE.status()).hasText("Already taken");
        run("document.querySelector('form').reset()");
        assertThat(SITE.status()).hasText("Available");
        run("(i => { i.value = 'alice'; i.dispatchEvent(new Event('change')); })(document.querySelector('input'))");
        assertThat(SITE.status()).hasText("Already taken");
        // Without any event, until somebody leaves the field or asks.
        run("document.querySelector('input').value = 'zoe', document.querySelector('untaken-check').check()");
        assertThat(SITE.status()).hasText("Available");
    }
}
