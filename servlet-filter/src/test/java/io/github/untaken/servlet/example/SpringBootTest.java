package io.github.untaken.servlet.example;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

/** The registration that docs/http.md shows, in Spring Boot with its embedded Tomcat. */
class SpringBootTest {

    @Configuration(proxyBeanMethods = false)
    static class Application {

        @Bean
        TomcatServletWebServerFactory server() {
            TomcatServletWebServerFactory server = new TomcatServletWebServerFactory(0);
            server.setAddress(InetAddress.getLoopbackAddress());
            // Else no Tomcat of this JVM, whichever test starts it, would have names in JMX any more.
            server.setDisableMBeanRegistry(false);
            // Stands in for Spring's DispatcherServlet: without any servlet at / Tomcat answers 404 before the filters.
            server.setRegisterDefaultServlet(true);
            return server;
        }

        @Bean
        AvailabilityChecker checker() {
            return AvailabilityChecker.builder()
                    .store(USERNAME, new RegisteredIdentifierStore() {
                        private final Set<String> names = Set.of("alice");

                        @Override
                        public Presence exists(String key, Duration timeout) {
                            return Presence.of(names.contains(key));
                        }

                        @Override
                        public void scan(Consumer<String> values) {
                            names.forEach(values);
                        }
                    })
                    .singleWriter(false)
                    .recheckTimeout(Duration.ofSeconds(20))
                    .build();
        }
    }

    private static AnnotationConfigServletWebServerApplicationContext start(Map<String, Object> properties) {
        var context = new AnnotationConfigServletWebServerApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        context.register(Application.class, AvailabilityFilterConfiguration.class);
        try {
            context.refresh();
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
        return context;
    }

    @Test
    void theFilterAnswersWithTheSettingsOfTheEnvironment() throws Exception {
        try (var context = start(Map.of("untaken.path", "/free", "untaken.methods.username", "GET"))) {
            String answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                            + context.getWebServer().getPort() + "/free?username=Alice"))
                                    .timeout(Duration.ofMinutes(1))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
            assertThat(answer)
                    .isEqualTo("{\"field\":\"username\",\"value\":\"alice\",\"status\":\"taken\",\"available\":false}");
        }
    }

    @Test
    void anUnknownPropertyStopsTheApplication() {
        assertThatThrownBy(() -> start(Map.of("untaken.pth", "/free")).close())
                .rootCause()
                .hasMessage("there is no setting 'untaken.pth'; the nearest is 'untaken.path'");
    }
}
