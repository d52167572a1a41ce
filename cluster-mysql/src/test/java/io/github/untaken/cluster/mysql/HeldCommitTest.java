package io.github.untaken.cluster.mysql;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.innodb.Product;
import io.github.untaken.innodb.Server;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.test.database.Console;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With semi-synchronous replication a transaction stands in the log for as long as no replica has confirmed it, and is neither visible nor
 * acknowledged. A node that starts meanwhile begins the log behind it, and scans before it.
 */
@Tag("ci")
class HeldCommitTest {

    /** The second may not see the transactions of others, so nothing waits for this one. */
    @ParameterizedTest
    @ValueSource(strings = {"untaken", "weak"})
    void aCommitThatStandsInTheLogBeforeItIsVisibleIsKnownOnceItIsAcknowledged(String user) throws Exception {
        assumeTrue(Product.UNDER_TEST == Product.MARIADB, "MySQL has it as a plug-in");
        try (Server server = TestServer.started("--sync-binlog=1");
                Connection console = TestServer.console(server);
                HikariDataSource pool = new HikariDataSource()) {
            Console.sql(
                    console,
                    "create table account (id int auto_increment primary key, username varchar(60) unique)",
                    "create user weak@localhost identified by ''",
                    "grant all on names.* to weak@localhost",
                    "set global rpl_semi_sync_master_wait_point = 'AFTER_SYNC'",
                    "set global rpl_semi_sync_master_timeout = 8000",
                    "set global rpl_semi_sync_master_enabled = ON");
            Look.Seen seen = Look.at(console, java.util.List.of());
            LogPlace before = Ends.of(console, seen.facts());
            Thread writer = new Thread(() -> {
                try (Connection own = TestServer.console(server)) {
                    Console.sql(own, "insert into account (username) values ('alice')");
                } catch (java.sql.SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            writer.start();
            Eventually.holds("it stands in the log", () -> isBehind(before, console, seen.facts()));
            pool.setJdbcUrl(TestServer.url(server));
            pool.setUsername(user);
            try (AvailabilityChecker node = AvailabilityChecker.builder()
                    .source(JdbcIdentifiers.table(pool, "account", "username"))
                    .feed(MySqlFeed.of(TestServer.url(server)).user("untaken").build())
                    .latest(USERNAME)
                    .build()) {
                writer.join();
                assertThat(node.check(USERNAME, "alice").status()).isEqualTo(Verdict.Status.TAKEN);
                if (user.equals("untaken")) {
                    Eventually.holds("it is ready", () -> node.state(USERNAME) == KindState.READY);
                    assertThat(node.check(USERNAME, "alice").status()).isEqualTo(Verdict.Status.TAKEN);
                }
            }
        }
    }

    private static boolean isBehind(LogPlace before, Connection console, Facts facts) {
        try {
            return Ends.of(console, facts).compareTo(before) > 0;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
