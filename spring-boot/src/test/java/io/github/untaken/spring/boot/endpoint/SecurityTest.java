package io.github.untaken.spring.boot.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.test.log.LoggedLines;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Spring Security stands in front of the endpoint and opens it with one line, as docs/getting-started.md says. */
class SecurityTest {

    @Configuration(proxyBeanMethods = false)
    static class Permits {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(
                            requests -> requests.requestMatchers("/availability", "/untaken.js", "/token")
                                    .permitAll()
                                    .anyRequest()
                                    .authenticated())
                    .build();
        }

        @RestController
        static class Tokens {

            @GetMapping("/token")
            String token(CsrfToken token) {
                return token.getToken();
            }
        }
    }

    private static ServletWebServerApplicationContext start(String database, Class<?>[] sources, String... arguments) {
        SpringApplication application = new SpringApplication(sources);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.datasource.url", "jdbc:h2:mem:" + database,
                "spring.jpa.hibernate.ddl-auto", "create",
                "untaken.await-ready", "30s"));
        return (ServletWebServerApplicationContext) application.run(arguments);
    }

    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    private HttpResponse<String> send(ServletWebServerApplicationContext context, String path, String form)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + context.getWebServer().getPort() + path))
                .timeout(Duration.ofSeconds(30));
        if (!form.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(form));
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void nothingIsOpenedSilently() throws Exception {
        try (var context = start("closed", new Class<?>[] {SignUpApplication.class})) {
            assertThat(send(context, "/availability?username=alice", "").statusCode())
                    .isIn(401, 403);
        }
    }

    @Test
    void onePermitLineOpensTheEndpointAndTheFormTokenIsChecked() throws Exception {
        try (var context = start("permitted", new Class<?>[] {SignUpApplication.class, Permits.class})) {
            assertThat(send(context, "/availability?username=alice", "").body()).contains("\"status\":\"available\"");
            assertThat(send(context, "/availability", "username=alice").statusCode())
                    .isEqualTo(403);

            String token = send(context, "/token", "").body();
            assertThat(send(context, "/availability", "username=alice&_csrf=" + token)
                            .body())
                    .contains("\"status\":\"available\"");
        }
    }

    @Test
    void withoutSpringSecurityTheStartSaysThatEverybodyIsAnswered() {
        String none = "--spring.autoconfigure.exclude="
                + "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration,"
                + "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,"
                + "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
                + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration";
        String words = "it tells everybody which names are taken";
        try (LoggedLines log = new LoggedLines();
                var context = start("open", new Class<?>[] {SignUpApplication.class}, none)) {
            assertThat(context.containsBean("springSecurityFilterChain")).isFalse();
            assertThat(log.about(words)).hasSize(1);
        }
        try (LoggedLines log = new LoggedLines();
                var context = start("behind", new Class<?>[] {SignUpApplication.class})) {
            assertThat(log.about(words)).isEmpty();
        }
        try (LoggedLines log = new LoggedLines();
                var context =
                        start("gated", new Class<?>[] {SignUpApplication.class}, none, "--untaken.gate=session")) {
            assertThat(log.about(words)).isEmpty();
        }
    }
}
