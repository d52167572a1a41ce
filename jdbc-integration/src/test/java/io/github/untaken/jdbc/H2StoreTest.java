package io.github.untaken.jdbc;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Obstacle;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.testkit.Eventually;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a process is alone with a database of H2: whoever has opened the file is, but for clients of a server that it runs itself. */
class H2StoreTest {
    @TempDir
    private Path folder;

    private Server server;
    private String own;
    private String overTheServer;
    private Connection open;

    @BeforeEach
    void start() throws SQLException {
        server = Server.createTcpServer("-tcpPort", "0", "-baseDir", folder.toString())
                .start();
        own = "jdbc:h2:" + folder.resolve("users");
        overTheServer = "jdbc:h2:tcp://localhost:" + server.getPort() + "/./users";
        open = DriverManager.getConnection(own);
        try (Statement statement = open.createStatement()) {
            statement.execute(
                    "create table account (id bigint auto_increment primary key, username varchar(40) unique)");
        }
    }

    @AfterEach
    void stop() throws SQLException {
        open.close();
        server.stop();
    }

    private static AvailabilityChecker checker(String url) {
        return AvailabilityChecker.builder()
                .source(JdbcIdentifiers.of(new UrlDataSource(url), IdentifierTable.of("account", "username")))
                .catalogInterval(Duration.ofHours(1)) // whether others write is another question
                .recheckTimeout(Duration.ofSeconds(20))
                .build();
    }

    private static void insert(String url, String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("insert into account (username) values ('" + name + "')");
        }
    }

    private static void awaitReady(AvailabilityChecker checker) {
        Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
    }

    @Test
    void whoHasOpenedTheFileIsAlone() {
        try (AvailabilityChecker checker = checker(own)) {
            awaitReady(checker);
            assertThat(checker.check(USERNAME, "alice").decidedBy()).isEqualTo(DecidedBy.FILTER);
        }
    }

    @Test
    void asLongAsAClientOfItsServerIsConnectedTheDatabaseAnswers() throws SQLException {
        try (AvailabilityChecker checker = checker(own)) {
            awaitReady(checker);
            try (Connection client = DriverManager.getConnection(overTheServer)) {
                Eventually.holds(
                        "the client is seen",
                        () -> checker.stats(USERNAME).obstacles().contains(Obstacle.OTHER_WRITER));
                insert(overTheServer, "alice");
                assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
                assertThat(checker.check(USERNAME, "bob12").decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(client.isValid(0)).isTrue();
            }
            awaitReady(checker);
            assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.check(USERNAME, "bob12").decidedBy()).isEqualTo(DecidedBy.FILTER);
        }
    }

    /** It cannot tell whether there are others, and there may be. */
    @Test
    void aClientBeginsOnceTheOwnerOfTheFileHasNoticed() throws SQLException {
        try (AvailabilityChecker owner = checker(own)) {
            awaitReady(owner);
            try (Connection pooled = DriverManager.getConnection(overTheServer);
                    AvailabilityChecker client = checker(overTheServer)) {
                assertThat(owner.stats(USERNAME).obstacles()).containsExactly(Obstacle.OTHER_WRITER);
                insert(overTheServer, "alice");
                assertThat(owner.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
                assertThat(client.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
                assertThat(pooled.isValid(0)).isTrue();
            }
            awaitReady(owner);
            assertThat(owner.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    /** As of contexts that are kept for later tests. */
    @Test
    void checkersOfOneProcessAreNoMoreAloneThanProcesses() throws SQLException {
        try (AvailabilityChecker first = checker(own)) {
            awaitReady(first);
            try (AvailabilityChecker second = checker(own)) {
                for (AvailabilityChecker each : List.of(first, second)) {
                    assertThat(each.stats(USERNAME).obstacles()).contains(Obstacle.OTHER_WRITER);
                }
                insert(own, "alice"); // by either
                assertThat(first.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
                assertThat(second.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
            }
            awaitReady(first);
            assertThat(first.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
        }
    }

    @Test
    void twoSourcesOfOneCheckerHearEachOther() {
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(JdbcIdentifiers.of(new UrlDataSource(own), IdentifierTable.of("account", "username")))
                .source(JdbcIdentifiers.of(new UrlDataSource(own), IdentifierTable.of("ACCOUNT", "USERNAME")))
                .build()) {
            awaitReady(checker);
        }
    }

    /** It cannot tell its own connections from those of others. */
    @Test
    void aClientIsNeverTakenForTheOnlyOne() throws SQLException {
        try (AvailabilityChecker checker = checker(overTheServer)) {
            Eventually.holds(
                    "scanned", () -> checker.stats(USERNAME).scans().sinceLast().isPresent());
            insert(own, "alice");
            assertThat(checker.check(USERNAME, "alice").status()).isEqualTo(Status.TAKEN);
            assertThat(checker.check(USERNAME, "bob12").decidedBy()).isEqualTo(DecidedBy.STORE);
            assertThat(checker.stats(USERNAME).obstacles()).containsExactly(Obstacle.WRITERS_UNKNOWN);
        }
    }
}
