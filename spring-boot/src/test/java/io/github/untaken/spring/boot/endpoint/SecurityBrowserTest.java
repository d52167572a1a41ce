package io.github.untaken.spring.boot.endpoint;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.github.untaken.spring.boot.app.Account;
import io.github.untaken.spring.boot.app.Accounts;
import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.test.browser.Chromium;
import io.github.untaken.test.log.LoggedLines;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The form of docs/widget.md in a real browser, behind Spring Security with its protection against forged requests on. */
@Tag("browser")
class SecurityBrowserTest {

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(
                            requests -> requests.requestMatchers("/availability", "/untaken.js", "/form", "/signup")
                                    .permitAll()
                                    .anyRequest()
                                    .authenticated())
                    .build();
        }

        /** What Thymeleaf makes of a form with {@code th:action}, of the two metas, or of neither. */
        @RestController
        static class Form {

            @GetMapping(path = "/form", produces = "text/html")
            String form(@RequestParam String token, CsrfToken csrf) {
                String head = "<meta name=_csrf content='%s'><meta name=_csrf_header content='%s'>"
                        .formatted(csrf.getToken(), csrf.getHeaderName());
                String field =
                        "<input type=hidden name='%s' value='%s'>".formatted(csrf.getParameterName(), csrf.getToken());
                return """
                        <!doctype html><html lang=en><title>Sign up</title><link rel=icon href=data:,>%s
                        <script src=/untaken.js type=module></script>
                        <form method=post action=/signup>%s
                        <untaken-check kind=username suggestions><label>Name <input name=username required></label></untaken-check>
                        <button>Sign up</button></form>""".formatted(token.equals("meta") ? head : "", token.equals("field") ? field : "");
            }
        }
    }

    /** For pages that a server does not draw. */
    @Configuration(proxyBeanMethods = false)
    static class SinglePage {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.spa())
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }

        @RestController
        static class Plain {

            @GetMapping(path = "/form", produces = "text/html")
            String form(@RequestParam String token) {
                String headers = """
                        <script type=module>document.querySelector("untaken-check").headers =
                          () => ({ "X-XSRF-TOKEN": document.cookie.match(/XSRF-TOKEN=([^;]+)/)?.[1] ?? "" });
                        </script>""";
                return """
                        <!doctype html><html lang=en><title>Sign up</title><link rel=icon href=data:,>
                        <script src=/untaken.js type=module></script>
                        <untaken-check kind=username><label>Name <input name=username></label></untaken-check>""" + (token.equals("cookie") ? headers : "");
            }
        }
    }

    private static Chromium chromium;
    private static ServletWebServerApplicationContext site;

    private final List<String> told = new ArrayList<>();
    private BrowserContext window;
    private Page page;

    @BeforeAll
    static void start() {
        chromium = Chromium.running();
        site = start("browsed", Application.class);
    }

    private static ServletWebServerApplicationContext start(String database, Class<?> more) {
        SpringApplication application = new SpringApplication(SignUpApplication.class, more);
        var started = (ServletWebServerApplicationContext) application.run(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.datasource.url=jdbc:h2:mem:" + database,
                "--spring.jpa.hibernate.ddl-auto=create",
                "--untaken.await-ready=30s");
        started.getBean(Accounts.class).save(new Account("alice"));
        return started;
    }

    @AfterAll
    static void end() {
        if (site != null) {
            site.close();
        }
    }

    @BeforeEach
    void open() {
        window = chromium.window();
        page = window.newPage();
        page.onConsoleMessage(message -> told.add(message.type() + ": " + message.text()));
    }

    @AfterEach
    void close() {
        window.close();
    }

    private void typeInto(String form, String name) {
        typeInto(site, form, name);
    }

    private void typeInto(ServletWebServerApplicationContext site, String form, String name) {
        page.navigate("http://127.0.0.1:" + site.getWebServer().getPort() + "/form?token=" + form);
        page.getByLabel("Name").fill(name);
    }

    private void shows(String text) {
        assertThat(page.locator("[role=status]")).hasText(text);
    }

    @Test
    void theTokenOfTheFormGoesAlong() {
        try (LoggedLines endpoint = new LoggedLines("io.github.untaken.servlet")) {
            typeInto("field", "zoe");
            shows("Available");
            page.getByLabel("Name").fill("alice");
            shows("Already taken. Still free: ");
            Chromium.screenshot(page, "spring-security");
            // Spring Security looks for a token in the head before it reads the body, which is then left to the
            // endpoint.
            assertThat(endpoint.about("takes form bodies")).isEmpty();
        }
        assertThat(told).isEmpty();
        page.getByLabel("Name").fill("zoe");
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign up"))
                .click();
        assertThat(page.locator("body")).hasText("welcome");
    }

    @Test
    void theTokenOfTheHeadGoesAlong() {
        typeInto("meta", "alice");
        shows("Already taken. Still free: ");
        assertThat(told).isEmpty();
    }

    @Test
    void theTokenOfACookieGoesAlongWhereThePageHandsItOn() {
        try (var plain = start("plain", SinglePage.class)) {
            typeInto(plain, "cookie", "alice");
            shows("Already taken");
            assertThat(told).isEmpty();
            typeInto(plain, "none", "alice");
            shows("Could not check; you can still submit");
        }
    }

    @Test
    void withoutATokenTheConsoleSaysOnceWhatToDo() {
        typeInto("none", "alice");
        shows("Could not check; you can still submit");
        page.getByLabel("Name").fill("zoe");
        page.waitForCondition(
                () -> told.stream().filter(line -> line.startsWith("error: ")).count() == 2);
        shows("Could not check; you can still submit");
        assertThat(told.stream().filter(line -> line.startsWith("warning: ")))
                .singleElement()
                .asString()
                .contains("403", "/availability", "permit POST", "CSRF token")
                .doesNotContain("alice")
                .doesNotContain("zoe");
    }
}
