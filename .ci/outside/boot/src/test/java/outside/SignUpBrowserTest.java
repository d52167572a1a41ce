package outside;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.github.untaken.test.browser.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The form of the documentation, in a real browser, behind Spring Security with its protection against forged requests on. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "untaken.await-ready=60s",
            "server.address=127.0.0.1",
            "spring.datasource.url=jdbc:h2:mem:browsed",
            "untaken.client-limit=unlimited"
        })
class SignUpBrowserTest {
    /** What a page that signs up by JSON does; the token is that of the page's form. */
    private static final String SEND = """
            ([name, token]) => fetch('/signup', {
                method: 'POST',
                headers: {'Content-Type': 'application/json', ...token && {'X-CSRF-TOKEN': document.forms[0]._csrf.value}},
                body: JSON.stringify({username: name})
            }).then(async answer => answer.status + ' ' + await answer.text())""";

    private static Chromium chromium;

    private final List<String> told = new ArrayList<>();
    private BrowserContext window;
    private Page page;

    @LocalServerPort
    private int port;

    @Autowired
    private Accounts accounts;

    @BeforeAll
    static void start() {
        chromium = Chromium.running();
    }

    @BeforeEach
    void open() {
        accounts.deleteAll();
        window = chromium.window(new Browser.NewContextOptions().setLocale("en-GB"));
        page = window.newPage();
        page.onConsoleMessage(message -> {
            if (!message.location().contains("favicon")) {
                told.add(message.text());
            }
        });
        visit();
    }

    @AfterEach
    void close() {
        window.close();
    }

    private void visit() {
        page.navigate("http://127.0.0.1:" + port + "/signup");
    }

    private void type(String name) {
        page.getByLabel("Name").fill(name);
    }

    private void shows(String text) {
        assertThat(page.locator("[role=status]")).hasText(text);
    }

    private void signUp() {
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign up"))
                .click();
    }

    private void isWelcome(String name) {
        assertThat(page.getByRole(AriaRole.HEADING)).hasText("Welcome, " + name);
    }

    @Test
    void tellsWhileOneTypesAndSignsUp() {
        assertThat(page).hasTitle("Sign up");
        type("Alice");
        shows("Available, saved as \u2068alice\u2069");
        signUp();
        isWelcome("Alice");
        visit();
        type("alice");
        shows("Already taken. Still free: ");
        page.locator("untaken-check button").first().click();
        shows("Available");
        assertThat(told).isEmpty();
        assertThat(accounts.count()).isEqualTo(1);
    }

    @Test
    void theServerSaysOfTheFieldWhatItRefuses() {
        type("alice");
        signUp();
        isWelcome("alice");
        visit();
        type("alice");
        signUp();
        shows("is already taken");
        assertThat(page.getByLabel("Name")).hasValue("alice");
        type("zoe");
        shows("Available");
        signUp();
        isWelcome("zoe");
        assertThat(accounts.count()).isEqualTo(2);
    }

    @Test
    void blanksAroundANameAreIgnored() {
        type(" zoe ");
        signUp();
        isWelcome("zoe");
        visit();
        type("zoe\u3000");
        shows("Already taken. Still free: ");
    }

    @Test
    void signsUpByJson() throws Exception {
        assertThat(page.evaluate(SEND, List.of("Alice", true))).isEqualTo("200 {\"username\":\"alice\"}");
        List<String> written = Files.readAllLines(Path.of("posted.txt"));
        assertThat(written.get(0)).isEqualTo("POST /signup {\"username\":\"alice\"}");
        assertThat(page.evaluate(SEND, List.of("alice", true))).isEqualTo("400 " + written.get(1));
        assertThat(page.evaluate(SEND, List.of("", true)).toString()).startsWith("400 ").contains("\"invalid\"");
        assertThat(page.evaluate(SEND, List.of("zoe", false)).toString()).startsWith("403 ");
        type("alice");
        shows("Already taken. Still free: ");
        assertThat(accounts.count()).isEqualTo(1);
    }

    /** The script of the documentation, in the page of the documentation. */
    @Test
    void sendsItsFormByAScript() throws Exception {
        page.addScriptTag(new Page.AddScriptTagOptions()
                .setType("module")
                .setContent(Files.readString(Path.of("scripts.js"))));
        type(" Alice ");
        signUp();
        assertThat(page.locator("body")).containsText("Welcome, alice");
        visit();
        page.addScriptTag(new Page.AddScriptTagOptions()
                .setType("module")
                .setContent(Files.readString(Path.of("scripts.js"))));
        type("alice");
        signUp();
        shows("Already taken. Still free: ");
        type("zoe");
        signUp();
        assertThat(page.locator("body")).containsText("Welcome, zoe");
        assertThat(accounts.count()).isEqualTo(2);
    }

    @Test
    void isAFormWithoutTheScript() {
        window.close();
        window = chromium.window(new Browser.NewContextOptions().setJavaScriptEnabled(false));
        page = window.newPage();
        visit();
        type("alice");
        signUp();
        isWelcome("alice");
        visit();
        type("ALICE");
        signUp();
        assertThat(page.locator("untaken-check")).containsText("is already taken");
        assertThat(accounts.count()).isEqualTo(1);
    }
}
