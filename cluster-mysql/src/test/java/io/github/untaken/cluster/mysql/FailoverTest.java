package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.innodb.Product;
import io.github.untaken.innodb.Server;
import io.github.untaken.test.net.Network;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replica takes the place of the primary: of what was known of the old one nothing is believed, and all heals alone. */
@Tag("ci")
@Timeout(300)
class FailoverTest {
    private static final String[] FOLLOW = {
        "change PRIMARY to PRIMARY_host = '127.0.0.1', PRIMARY_port = PORT, PRIMARY_user = 'untaken', PRIMARY_ssl = 0,"
                + " PRIMARY_log_file = 'log.000001', PRIMARY_log_pos = 4",
        "start REPLICA"
    };

    private final boolean isMariaDb = Product.UNDER_TEST == Product.MARIADB;

    /** The old one may still run, and answer those who are connected to it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anotherServerIsAGapAndAPlaceInTheOldLogIsNone(boolean isKilled) throws Exception {
        try (Server old = TestServer.started();
                Server replica = TestServer.started(
                        "--server-id=2", isMariaDb ? "--log-slave-updates=ON" : "--log-replica-updates=ON");
                Network network = new Network(old.port())) {
            sql(old, "create table account (id int auto_increment primary key, username varchar(100))");
            replicate(old, replica);
            try (TestFeed feed = TestFeed.connected(
                    MySqlFeed.of(TestServer.url(old, network)).user("untaken"),
                    Map.of(IdentifierKind.USERNAME, List.of(new TableStore("account", "username"))))) {
                feed.sink().awaitFollowing();
                sql(old, "insert into account (username) values ('alice')");
                feed.awaitMark();
                String position = feed.feed().position().orElseThrow();
                awaitOnReplica(replica);
                sql(replica, isMariaDb ? "stop slave" : "stop replica");
                network.leadTo(replica.port());
                if (isKilled) {
                    old.kill();
                }
                sql(replica, "insert into account (username) values ('bob')");
                assertThat(feed.askUntilGap()).startsWith("SERVER: another server answers");
                feed.sink().awaitStretch(2);
                sql(replica, "insert into account (username) values ('carol')");
                feed.awaitMark();
                assertThat(feed.sink().knows("carol")).isTrue();
                try (TestFeed later = TestFeed.of(replica, Set.of(position))) {
                    later.sink().awaitFollowing();
                    assertThat(later.sink().resumptions()).isZero();
                }
            }
        }
    }

    private void replicate(Server primary, Server replica) {
        for (String statement : FOLLOW) {
            sql(
                    replica,
                    statement
                            .replace("PORT", String.valueOf(primary.port()))
                            .replace("change PRIMARY", isMariaDb ? "change master" : "change replication source")
                            .replace("PRIMARY", isMariaDb ? "master" : "source")
                            .replace("REPLICA", isMariaDb ? "slave" : "replica"));
        }
    }

    private static void awaitOnReplica(Server replica) throws SQLException {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!isThere(replica)) {
            assertThat(System.nanoTime()).as("the replica has it in time").isLessThan(deadline);
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static boolean isThere(Server replica) throws SQLException {
        try (Connection console = TestServer.console(replica);
                Statement statement = console.createStatement();
                ResultSet rows = statement.executeQuery("select 1 from account where username = 'alice'")) {
            return rows.next();
        } catch (SQLException e) {
            return false; // not even the table
        }
    }

    private static void sql(Server server, String statement) {
        try (Connection console = TestServer.console(server)) {
            TestServer.sql(console, statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
