package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindStats;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.WatchRule;
import io.github.untaken.testkit.Eventually;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plain-JDBC application behind the filter, over real HTTP; a subclass names the container. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RegistrationWatcherContract {
    /** Failed sign-ups in a row; {@code -Dtest.refusals=100000} for the full number. */
    private static final int REFUSALS = Integer.getInteger("test.refusals", 300);

    private final Container container;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private UserTable users;
    private AvailabilityChecker checker;
    private Container.Running server;
    private int names;

    RegistrationWatcherContract(Container container) {
        this.container = container;
    }

    @BeforeAll
    void start() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
        AvailabilityServletFilter filter = new AvailabilityServletFilter(
                checker,
                EndpointSettings.builder()
                        .limiter(ClientLimiter.unlimited())
                        .watch(WatchRule.on("POST", "/plain/accounts")
                                .registers(USERNAME)
                                .fromParameter("username"))
                        .watch(WatchRule.on("PATCH", "/plain/{username}")
                                .registers(USERNAME)
                                .fromParameter("username"))
                        .build());
        server = container.start(context -> {
            Container.everywhere(context, "availability", filter);
            new JdbcAccounts(users, checker).install(context);
        });
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
        checker.close();
        users.close();
    }

    private String freshName() {
        return "\u5c0f\u660e" + names++;
    }

    private HttpResponse<String> send(String method, String pathAndQuery, String form) throws Exception {
        return client.send(
                HttpRequest.newBuilder(server.uri(pathAndQuery))
                        .timeout(Duration.ofMinutes(1))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .method(method, BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private String statusOf(String name) throws Exception {
        HttpResponse<String> answer = send("POST", "/availability", "username=" + encoded(name));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(Json.object(answer.body()).get("value")).isEqualTo(name);
        return (String) Json.object(answer.body()).get("status");
    }

    private void eventuallyAvailable(String name) {
        Eventually.holds("available", () -> {
            Verdict verdict = checker.check(USERNAME, name);
            assertThat(verdict.status()).isIn(Status.AVAILABLE, Status.TAKEN);
            return verdict.available();
        });
    }

    private void settled() {
        Eventually.holds("all settled", () -> checker.stats(USERNAME).underWay().mentioned() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain", "/marked", "/told"})
    void whatIsInsertedIsTakenAndWhatIsDeletedIsFree(String application) throws Exception {
        String name = freshName();
        assertThat(statusOf(name)).isEqualTo("available");
        HttpResponse<String> created = send("POST", application + "/accounts", "username=" + encoded(name));
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(statusOf(name)).isEqualTo("taken");
        assertThat(statusOf(name)).isEqualTo("taken");

        settled();
        assertThat(send("DELETE", application + "/" + encoded(name), "").statusCode())
                .isEqualTo(204);
        assertThat(statusOf(name)).isEqualTo("available");
        assertThat(send("POST", application + "/accounts", "username=" + encoded(name))
                        .statusCode())
                .isEqualTo(201);
        assertThat(statusOf(name)).isEqualTo("taken");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain", "/marked", "/told"})
    void aSignUpThatFailsFreesTheName(String application) throws Exception {
        String name = freshName();
        send("POST", application + "/accounts", "username=" + encoded(name) + "&rollback=1");
        eventuallyAvailable(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain", "/marked", "/told"})
    void whateverTheStatusTheCommitCounts(String application) throws Exception {
        for (int status : List.of(200, 201, 202, 204, 302, 303, 400, 404, 409, 422, 500, 503)) {
            String committed = freshName();
            HttpResponse<String> answer =
                    send("POST", application + "/accounts", "username=" + encoded(committed) + "&status=" + status);
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(statusOf(committed)).isEqualTo("taken");

            String rolledBack = freshName();
            send("POST", application + "/accounts", "username=" + encoded(rolledBack) + "&rollback=1&status=" + status);
            eventuallyAvailable(rolledBack);
        }
    }

    @Test
    void aNameInTheQueryOrTheFormIsTakenBeforeItsInsert() throws Exception {
        String byForm = freshName();
        assertThat(send("POST", "/plain/accounts", "username=" + encoded(byForm))
                        .headers()
                        .firstValue("During"))
                .contains(DecidedBy.STORE.name());
        String byQuery = freshName();
        assertThat(send("POST", "/plain/accounts?username=" + encoded(byQuery), "")
                        .headers()
                        .firstValue("During"))
                .contains(DecidedBy.STORE.name());
        String marked = freshName();
        assertThat(send("POST", "/marked/accounts", "username=" + encoded(marked))
                        .headers()
                        .firstValue("During"))
                .contains(DecidedBy.FILTER.name());
    }

    @Test
    void theLoserOfTwoSignUpsLeavesTheNameTaken() throws Exception {
        String name = freshName();
        assertThat(send("POST", "/plain/accounts", "username=" + encoded(name)).statusCode())
                .isEqualTo(201);
        assertThat(send("POST", "/plain/accounts", "username=" + encoded(name)).statusCode())
                .isEqualTo(409);
        assertThat(statusOf(name)).isEqualTo("taken");
    }

    @Test
    void aRenameTakesTheNewNameAndFreesTheOld() throws Exception {
        String before = freshName();
        String after = freshName();
        send("POST", "/plain/accounts", "username=" + encoded(before));
        settled();
        // PATCH: containers parse only the query string there, so that is where the new name stands.
        send("PATCH", "/plain/" + encoded(before) + "?username=" + encoded(after), "");
        assertThat(statusOf(after)).isEqualTo("taken");
        assertThat(statusOf(before)).isEqualTo("available");
    }

    @Test
    void deletingWhatIsNotThereFreesNothing() throws Exception {
        assertThat(send("DELETE", "/plain/alice2", "").statusCode()).isEqualTo(404);
        assertThat(statusOf("alice")).isEqualTo("taken");
        assertThat(statusOf("alice2")).isEqualTo("available");
    }

    @Test
    void hundredsOfFailedSignUpsLeaveNoTrace() throws Exception {
        settled(); // the sign-ups of other tests
        KindStats before = checker.stats(USERNAME);
        for (int i = 0; i < REFUSALS; i++) {
            send("POST", "/plain/accounts", "username=nobody" + i + "&rollback=1");
        }
        settled();
        KindStats after = checker.stats(USERNAME);
        assertThat(after.state()).isEqualTo(before.state());
        assertThat(after.memory().entries()).isEqualTo(before.memory().entries());
        assertThat(after.missesProved()).isZero();
    }
}
