package io.github.untaken.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.spring.boot.app.Account;
import io.github.untaken.spring.boot.app.Accounts;
import io.github.untaken.spring.boot.app.SignUpApplication;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.support.TransactionTemplate;

/** The starter and an annotation, in a real application, asked over HTTP. */
@SpringBootTest(
        classes = {SignUpApplication.class, SignUpTest.Open.class},
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "server.address=127.0.0.1",
            "spring.datasource.url=jdbc:h2:mem:signup",
            "spring.jpa.hibernate.ddl-auto=create",
            "spring.jpa.defer-datasource-initialization=true",
            "spring.sql.init.data-locations=classpath:untaken-data.sql",
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.health.show-details=always",
            "untaken.await-ready=30s"
        })
class SignUpTest {

    /** {@link SecurityTest} has the other way. */
    @Configuration(proxyBeanMethods = false)
    static class Open {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable()).build();
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();

    @Autowired
    AvailabilityChecker checker;

    @Autowired
    Accounts accounts;

    @Autowired
    TransactionalRegistrations registrations;

    @Autowired
    TransactionTemplate transactions;

    @Autowired
    JdbcClient jdbc;

    @Autowired
    MeterRegistry meters;

    @Value("${local.server.port}")
    int port;

    private String get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path))).body();
    }

    private String post(String path, String type, String body) throws Exception {
        return send(HttpRequest.newBuilder(uri(path))
                        .header("Content-Type", type)
                        .POST(HttpRequest.BodyPublishers.ofString(body)))
                .body();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
    }

    private static final String FORM = "application/x-www-form-urlencoded";

    /** The row was written by data.sql, of which no entity event tells. */
    @Test
    void aRowOfDataSqlIsTakenFromTheStart() throws Exception {
        assertThat(checker.state(IdentifierKind.USERNAME)).isEqualTo(KindState.READY);
        assertThat(get("/availability?username=Carol"))
                .startsWith("{\"field\":\"username\",\"value\":\"carol\",\"status\":\"taken\",\"available\":false");
    }

    @Test
    void aFreeNameIsAvailableUntilSomebodyRegistersIt() throws Exception {
        assertThat(get("/availability?username=dave"))
                .isEqualTo("{\"field\":\"username\",\"value\":\"dave\",\"status\":\"available\",\"available\":true}");
        accounts.save(new Account("dave"));
        assertThat(get("/availability?username=dave")).contains("\"status\":\"taken\"");
        assertThat(post("/availability", FORM, "username=dave")).contains("\"status\":\"taken\"");
    }

    /** SQL of the application's own, to the table of an entity: no event tells of it. */
    @Test
    void whatIsWrittenBesideTheEntitiesIsTakenOnceItIsCommittedIfItWasAnnounced() {
        assertThat(status("heidi")).isEqualTo(Verdict.Status.AVAILABLE);
        transactions.executeWithoutResult(transaction -> {
            registrations.announceInTransaction(IdentifierKind.USERNAME, "heidi");
            jdbc.sql("insert into account (id, username) values (-7, 'heidi')").update();
            assertThat(checker.check(IdentifierKind.USERNAME, "heidi").decidedBy())
                    .isEqualTo(Verdict.DecidedBy.STORE);
        });
        assertThat(status("heidi")).isEqualTo(Verdict.Status.TAKEN);
    }

    private Verdict.Status status(String name) {
        return checker.check(IdentifierKind.USERNAME, name).status();
    }

    @Test
    void aTakenNameIsAFieldErrorOfTheForm() throws Exception {
        assertThat(post("/signup", FORM, "username=erin")).isEqualTo("welcome");
        assertThat(post("/signup", FORM, "username=erin")).isEqualTo("is already taken");
    }

    @Test
    void theOneWhoWasSlowerLearnsWhichFieldIsTaken() throws Exception {
        assertThat(post("/hasty", FORM, "username=frank")).isEqualTo("welcome");
        assertThat(post("/hasty", FORM, "username=frank")).contains("field 'username'", "is already taken");
    }

    @Test
    void nobodyIsWelcomedWhoseNameIsTooLongForItsColumn() throws Exception {
        String name = "g".repeat(300);
        assertThat(post("/hasty", FORM, "username=" + name)).contains("Internal Server Error");
        assertThat(accounts.count())
                .isEqualTo(jdbc.sql("select count(*) from account where length(username) < 300")
                        .query(Long.class)
                        .single());
    }

    @Test
    void theScriptIsServed() throws Exception {
        assertThat(get("/untaken.js")).contains("data-untaken");
    }

    @Test
    void healthIsUpWithTheStateOfTheKind() throws Exception {
        assertThat(get("/actuator/health")).contains("\"untaken\":{", "\"username\":{\"state\":\"READY\"}");
    }

    @Test
    void theActuatorShowsTheFiguresAndScansOnRequest() throws Exception {
        assertThat(get("/actuator/untaken")).contains("\"username\":{\"state\":\"READY\"", "\"entries\":");
        assertThat(post("/actuator/untaken", "application/json", "{\"kind\":\"username\"}"))
                .isEqualTo("{\"rescan\":[\"username\"]}");
        assertThat(post("/actuator/untaken", "application/json", "{\"kind\":\"nobody\"}"))
                .isEqualTo("{\"rescan\":[]}");
    }

    @Test
    void checksAreCountedByKindStatusAndWhatDecided() throws Exception {
        get("/availability?username=grace");
        assertThat(meters.get("untaken.checks")
                        .tags("kind", "username", "status", "available", "decided.by", "filter")
                        .counter()
                        .count())
                .isPositive();
        assertThat(meters.get("untaken.endpoint.answers")
                        .tags("kind", "username", "status", "available")
                        .counter()
                        .count())
                .isPositive();
        assertThat(meters.get("untaken.ready").tag("kind", "username").gauge().value())
                .isEqualTo(1);
        assertThat(meters.get("untaken.entries").gauge().value()).isPositive();
        assertThat(meters.get("untaken.scan.age").timeGauge().value()).isNotNegative();
        assertThat(meters.get("untaken.look.age").gauge().value()).isNotNegative();
    }
}
