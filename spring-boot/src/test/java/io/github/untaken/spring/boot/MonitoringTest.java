package io.github.untaken.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.testkit.Eventually;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** What the documentation watches exists under that name, where an application with several nodes is scraped. */
@Tag("ci")
class MonitoringTest {
    private static final Pattern METER = Pattern.compile("untaken_[a-z_]+");
    private static String scraped = "";

    @BeforeAll
    static void scrape() throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("wal_level", "logical")
                        .start();
                ConfigurableApplicationContext node = new SpringApplicationBuilder(
                                SignUpApplication.class, SignUpTest.Open.class)
                        .run(
                                "--server.port=0",
                                "--server.address=127.0.0.1",
                                "--spring.datasource.url=jdbc:postgresql://localhost:" + server.getPort() + "/postgres",
                                "--spring.datasource.username=postgres",
                                "--spring.jpa.hibernate.ddl-auto=update",
                                "--management.endpoints.web.exposure.include=prometheus",
                                "--untaken.cluster.enabled=true",
                                "--untaken.cluster.create-publication=true",
                                "--untaken.await-ready=60s")) {
            String root = "http://127.0.0.1:" + node.getEnvironment().getProperty("local.server.port");
            assertThat(get(http, root + "/availability?username=alice")).contains("available");
            Eventually.holds("the log was looked at", () -> {
                scraped = get(http, root + "/actuator/prometheus");
                return !scraped.contains("untaken_log_readers_idle{kind=\"username\"} NaN");
            });
        }
    }

    private static String get(HttpClient http, String uri) {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create(uri))
                                    .header("X-Forwarded-For", "192.0.2.1")
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"alerts.yml", "dashboard.json"})
    void watchesNothingThatDoesNotExist(String file) throws Exception {
        Set<String> watched = meters(Files.readString(Path.of("../docs/monitoring", file)));
        Set<String> missing = new TreeSet<>(watched);
        missing.removeAll(meters(scraped));
        missing.remove("untaken_endpoint_sweeps_total"); // there from the first alarm on
        assertThat(watched).hasSizeGreaterThan(10);
        assertThat(missing).isEmpty();
    }

    private static Set<String> meters(String text) {
        return METER.matcher(text).results().map(found -> found.group()).collect(Collectors.toCollection(TreeSet::new));
    }
}
