package io.github.untaken.spring.boot3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** The web filter that was compiled against Spring 7 runs on Spring 6. */
class WebFluxOnBoot3Test {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, JpaRepositoriesAutoConfiguration.class})
    static class Names {
        @Bean
        InMemoryIdentifierStore usernameStore() {
            InMemoryIdentifierStore names = new InMemoryIdentifierStore();
            names.add("alice");
            return names;
        }

        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .authorizeExchange(each -> each.anyExchange().permitAll())
                    .build();
        }
    }

    @Test
    void answersOverGetAndPost() throws Exception {
        SpringApplication application = new SpringApplication(Names.class);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.datasource.url", "jdbc:h2:mem:webflux",
                "untaken.await-ready", "30s"));
        try (ConfigurableApplicationContext context = application.run()) {
            String endpoint = "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port")
                    + "/availability";
            assertThat(body(HttpRequest.newBuilder(URI.create(endpoint + "?username=bob"))))
                    .isEqualTo(
                            "{\"field\":\"username\",\"value\":\"bob\",\"status\":\"available\",\"available\":true}");
            assertThat(body(HttpRequest.newBuilder(URI.create(endpoint))
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString("username=Alice"))))
                    .contains("\"status\":\"taken\"");
        }
    }

    private static String body(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient()
                .send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString())
                .body();
    }
}
