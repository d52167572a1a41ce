package io.github.untaken.spring.boot.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** One request to the servlet filter, and to the web filter. */
@Tag("ci")
class FrontEndsTest {
    private static final int REQUESTS = 1_500;

    /** Of ours, and read by clients. */
    private static final List<String> HEADERS = List.of(
            "content-type",
            "content-language",
            "allow",
            "vary",
            "retry-after",
            "accept",
            "access-control-allow-origin",
            "access-control-allow-methods",
            "access-control-allow-headers",
            "access-control-expose-headers",
            "access-control-max-age");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Names {
        @Bean
        InMemoryIdentifierStore usernameStore() {
            InMemoryIdentifierStore names = new InMemoryIdentifierStore();
            names.add("alice");
            names.add("\u5f20\u4e09");
            return names;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Servlets {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.csrf(each -> each.disable())
                    .authorizeHttpRequests(each -> each.anyRequest().permitAll())
                    .build();
        }
    }

    private record Seen(int status, Map<String, String> headers, String body) {
        static Seen of(byte[] bytes, boolean isHead) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            int end = text.indexOf("\r\n\r\n");
            assertThat(end).as(text).isPositive();
            String[] lines = text.substring(0, end).split("\r\n");
            Map<String, String> headers = new HashMap<>();
            for (int i = 1; i < lines.length; i++) {
                int colon = lines[i].indexOf(':');
                headers.merge(
                        lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                        lines[i].substring(colon + 1).strip(),
                        (one, other) -> one + ", " + other);
            }
            String body = text.substring(end + 4);
            String length = headers.get("content-length");
            if (!isHead && length != null) {
                assertThat(body.getBytes(StandardCharsets.UTF_8)).hasSize(Integer.parseInt(length));
            }
            Map<String, String> ours = new TreeMap<>(headers);
            ours.keySet().retainAll(HEADERS);
            ours.replaceAll((name, value) -> value.replace("; ", ";").toLowerCase(Locale.ROOT));
            ours.computeIfPresent("vary", (name, value) -> value.contains("origin") ? "origin" : null);
            return new Seen(Integer.parseInt(lines[0].split(" ")[1]), ours, body);
        }
    }

    private static ConfigurableApplicationContext start(WebApplicationType type, Class<?>... classes) {
        SpringApplication application = new SpringApplication(classes);
        application.setWebApplicationType(type);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.datasource.url", "jdbc:h2:mem:fronts",
                "untaken.single-writer", "false",
                "untaken.recheck-timeout", "30s",
                "untaken.client-limit", "unlimited",
                "untaken.allowed-origins", "https://www.example.org"));
        ConfigurableApplicationContext context = application.run();
        AvailabilityChecker checker = context.getBean(AvailabilityChecker.class);
        Eventually.holds("ready", () -> checker.state(IdentifierKind.USERNAME) == KindState.READY);
        return context;
    }

    private static Seen ask(ConfigurableApplicationContext of, byte[] request, boolean isHead) throws IOException {
        int port = Integer.parseInt(of.getEnvironment().getRequiredProperty("local.server.port"));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request);
            return Seen.of(socket.getInputStream().readAllBytes(), isHead);
        }
    }

    @Test
    void bothGiveTheSameAnswer() throws IOException {
        long seed = 20261129;
        try (ConfigurableApplicationContext servlets = start(WebApplicationType.SERVLET, Names.class, Servlets.class);
                ConfigurableApplicationContext webFlux = start(
                        WebApplicationType.REACTIVE,
                        Names.class,
                        WebFluxTest.Open.class,
                        WebFluxTest.NoFirewall.class)) {
            Random random = new Random(seed);
            Map<Integer, Integer> statuses = new TreeMap<>();
            List<String> different = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                AnyRequest request = AnyRequest.by(random);
                Seen expected = ask(servlets, request.bytes(), request.isHead());
                Seen seen = ask(webFlux, request.bytes(), request.isHead());
                if (!seen.equals(expected)) {
                    different.add("request %d%n%s%n  %s%n  %s".formatted(i, request, expected, seen));
                }
                statuses.merge(expected.status(), 1, Integer::sum);
            }
            assertThat(different).as("by the seed %d", seed).isEmpty();
            assertThat(statuses).containsKeys(200, 400, 403, 405, 415);
        }
    }
}
