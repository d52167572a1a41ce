package io.github.untaken.spring.boot.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.test.log.LoggedLines;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** A controller that has the endpoint's path answers what names no kind. */
@Tag("ci")
class SharedPathTest {

    @Configuration(proxyBeanMethods = false)
    static class Open {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    @RestController
    static class Rooms {
        @GetMapping("/availability")
        String free() {
            return "three rooms";
        }
    }

    @RestController
    static class Anything {
        @GetMapping("/{page}")
        String page() {
            return "index";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class View {
        @Bean
        WebMvcConfigurer rooms() {
            return new WebMvcConfigurer() {
                @Override
                public void addViewControllers(ViewControllerRegistry registry) {
                    registry.addRedirectViewController("/availability", "/elsewhere");
                }
            };
        }
    }

    private static ServletWebServerApplicationContext start(Class<?> more, String... arguments) {
        SpringApplication application = new SpringApplication(SignUpApplication.class, Open.class, more);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.datasource.url", "jdbc:h2:mem:shared" + more.getSimpleName(),
                "spring.jpa.hibernate.ddl-auto", "create-drop"));
        return (ServletWebServerApplicationContext) application.run(arguments);
    }

    private static String get(ServletWebServerApplicationContext context, String path) throws Exception {
        var response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                        + context.getWebServer().getPort() + path))
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    @Test
    void aControllerKeepsItsPath() throws Exception {
        try (LoggedLines log = new LoggedLines("io.github.untaken.servlet");
                var context = start(Rooms.class, "--untaken.await-ready=30s")) {
            assertThat(get(context, "/availability?from=monday")).isEqualTo("200 three rooms");
            assertThat(get(context, "/availability?username=alice")).contains("\"status\":\"available\"");
            assertThat(log.warnings("untaken.path")).hasSize(1);
        }
    }

    @Test
    void soDoesOneBehindAServletWithAPath() throws Exception {
        try (var context = start(Rooms.class, "--spring.mvc.servlet.path=/api", "--untaken.path=/api/availability")) {
            assertThat(get(context, "/api/availability")).isEqualTo("200 three rooms");
        }
    }

    @Test
    void soDoesAViewController() throws Exception {
        try (var context = start(View.class)) {
            assertThat(get(context, "/availability")).startsWith("302");
        }
    }

    @Test
    void aPatternForEveryPageHasNoPathOfItsOwn() throws Exception {
        try (LoggedLines log = new LoggedLines("io.github.untaken.servlet");
                var context = start(Anything.class)) {
            assertThat(get(context, "/else")).isEqualTo("200 index");
            assertThat(get(context, "/availability")).startsWith("400");
            assertThat(log.warnings("untaken.path")).isEmpty();
        }
    }
}
