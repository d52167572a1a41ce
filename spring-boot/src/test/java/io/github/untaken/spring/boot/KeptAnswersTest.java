package io.github.untaken.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spring.boot.app.SignUpApplication;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.util.ContentCachingRequestWrapper;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** Filters of Spring that keep requests and answers stand in front, and everybody is answered all the same. */
@Tag("ci")
class KeptAnswersTest {

    /** As it is found in many applications, written for logging: it does not think of answers that come later. */
    private static final class Logging extends OncePerRequestFilter {
        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            ContentCachingResponseWrapper kept = new ContentCachingResponseWrapper(response);
            chain.doFilter(new ContentCachingRequestWrapper(request, 10_000), kept);
            kept.copyBodyToResponse();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Keeping {
        @Bean
        FilterRegistrationBean<Filter> keeping() {
            return first(new Logging());
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Tagging {
        @Bean
        FilterRegistrationBean<Filter> tagging() {
            return first(new ShallowEtagHeaderFilter());
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return new Keeping().chain(http);
        }
    }

    private static FilterRegistrationBean<Filter> first(Filter filter) {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    private static ServletWebServerApplicationContext start(Class<?> filters) {
        SpringApplication application = new SpringApplication(SignUpApplication.class, filters);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.datasource.url", "jdbc:h2:mem:kept" + filters.getSimpleName(),
                "spring.jpa.hibernate.ddl-auto", "create-drop",
                "untaken.mode.username", "blind",
                "untaken.await-ready", "30s"));
        return (ServletWebServerApplicationContext) application.run();
    }

    private static void assertAnswered(ServletWebServerApplicationContext context) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                        + context.getWebServer().getPort() + "/availability"))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(BodyPublishers.ofString("username=alice"))
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).startsWith("{\"field\":\"username\"").endsWith("}");
    }

    @Test
    void aContentCacheLosesNoLateAnswer() throws Exception {
        try (var context = start(Keeping.class)) {
            assertAnswered(context);
        }
    }

    @Test
    void neitherDoesAFilterOfEntityTags() throws Exception {
        try (var context = start(Tagging.class)) {
            assertAnswered(context);
        }
    }
}
