package io.github.untaken.spring.boot3;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.spring.boot.FeedDatabase;
import io.github.untaken.spring.boot.TransactionalRegistrations;
import io.github.untaken.spring.boot3.app.Account;
import io.github.untaken.spring.boot3.app.Accounts;
import io.github.untaken.spring.boot3.app.SignUpApplication;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration;
import org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application on Spring Boot 3 has what one on Spring Boot 4 has, under the same properties. */
class SpringBoot3Test {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    @Configuration(proxyBeanMethods = false)
    static class Open {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
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

    /** Without JPA. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, JpaRepositoriesAutoConfiguration.class})
    static class Plain {}

    private static ServletWebServerApplicationContext start(Class<?>[] sources, String... arguments) {
        SpringApplication application = new SpringApplication(sources);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.datasource.url", "jdbc:h2:mem:three" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1",
                "spring.jpa.hibernate.ddl-auto", "create",
                "spring.jpa.open-in-view", "false",
                "management.endpoints.web.exposure.include", "health,untaken",
                "management.endpoint.health.show-details", "always",
                "untaken.await-ready", "30s"));
        return (ServletWebServerApplicationContext) application.run(arguments);
    }

    private static HttpResponse<String> send(ServletWebServerApplicationContext context, String path, String form)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + context.getWebServer().getPort() + path))
                .timeout(Duration.ofSeconds(30));
        if (!form.isEmpty()) {
            request.header("Content-Type", "application/x-www-form-urlencoded").POST(BodyPublishers.ofString(form));
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }

    private static String check(ServletWebServerApplicationContext context, String name) throws Exception {
        return send(context, "/availability?username=" + name, "").body();
    }

    private static ServletWebServerApplicationContext shared;

    @BeforeAll
    static void start() {
        shared = start(new Class<?>[] {SignUpApplication.class, Open.class});
    }

    @AfterAll
    static void close() {
        shared.close();
    }

    @Test
    void aSignUpIsHeardFreeNamesAreAnsweredFromMemoryAndTheFormNamesItsField() throws Exception {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.");
        AvailabilityChecker checker = shared.getBean(AvailabilityChecker.class);
        assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
        assertThat(check(shared, "alice")).contains("\"status\":\"available\"");
        assertThat(checker.check(USERNAME, "alice").decidedBy()).isEqualTo(DecidedBy.FILTER);

        assertThat(send(shared, "/signup", "username=alice").body()).isEqualTo("welcome");
        assertThat(check(shared, "alice")).contains("\"status\":\"taken\"");
        assertThat(send(shared, "/signup", "username=alice").body()).isEqualTo("refused");
        assertThat(send(shared, "/hasty", "username=alice").body()).isEqualTo("[username]");

        shared.getBean(Accounts.class).deleteAll();
        assertThat(check(shared, "alice")).contains("\"status\":\"available\"");
        assertThat(send(shared, "/untaken.js", "").statusCode()).isEqualTo(200);
    }

    @Test
    void healthFiguresAndMetersAreThere() throws Exception {
        assertThat(send(shared, "/actuator/health", "").body())
                .contains("\"untaken\":{\"status\":\"UP\",\"details\":{\"username\":{\"state\":\"READY\"");
        assertThat(send(shared, "/actuator/untaken", "").body()).contains("\"username\":{\"state\":\"READY\"");
        check(shared, "alice");
        assertThat(shared.getBean(MeterRegistry.class)
                        .get("untaken.endpoint.answers")
                        .counter()
                        .count())
                .isPositive();
    }

    @Test
    void healthCanBeSwitchedOff() throws Exception {
        try (var context = start(
                new Class<?>[] {SignUpApplication.class, Open.class}, "--management.health.untaken.enabled=false")) {
            assertThat(send(context, "/actuator/health", "").body()).doesNotContain("untaken");
        }
    }

    @Test
    void springSecurityStandsInFront() throws Exception {
        try (var context = start(new Class<?>[] {SignUpApplication.class})) {
            assertThat(send(context, "/availability?username=alice", "").statusCode())
                    .isIn(401, 403);
        }
    }

    @Test
    void whatAServiceAnnouncesIsTakenOnceItsTransactionHasCommitted() throws Exception {
        TransactionalRegistrations registrations = shared.getBean(TransactionalRegistrations.class);
        shared.getBean(TransactionTemplate.class).executeWithoutResult(transaction -> {
            registrations.announceInTransaction(USERNAME, "bob");
            shared.getBean(Accounts.class).save(new Account("bob"));
        });
        assertThat(shared.getBean(AvailabilityChecker.class)
                        .check(USERNAME, "bob")
                        .status())
                .isEqualTo(Status.TAKEN);
    }

    @Test
    void namedTablesAreWatchedWithoutJpa() throws Exception {
        try (var context = start(
                new Class<?>[] {Plain.class, Open.class},
                "--untaken.tables.username=people.username",
                "--spring.sql.init.schema-locations=classpath:people.sql",
                "--spring.sql.init.mode=always")) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(check(context, "alice")).contains("\"status\":\"available\"");
            jdbc.update("insert into people (username) values (?)", "alice");
            assertThat(check(context, "alice")).contains("\"status\":\"taken\"");
        }
    }

    @Test
    void aMisspeltPropertyEndsTheStart() {
        assertThatThrownBy(
                        () -> start(new Class<?>[] {SignUpApplication.class, Open.class}, "--untaken.recheck-thread=2"))
                .hasStackTraceContaining("recheck-thread");
    }

    @Test
    void aControllerKeepsThePathOfTheEndpoint() throws Exception {
        try (var context = start(new Class<?>[] {SignUpApplication.class, Open.class, Rooms.class})) {
            assertThat(send(context, "/availability", "").body()).isEqualTo("three rooms");
            assertThat(check(context, "alice")).contains("\"status\":\"available\"");
        }
    }

    @Test
    void theDatabaseOfTheApplicationIsKnown() {
        assertThat(shared.getBean(FeedDatabase.class).url()).startsWith("jdbc:h2:mem:three");
    }
}
