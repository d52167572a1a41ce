package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.innodb.Product;
import io.github.untaken.innodb.Server;
import io.github.untaken.test.database.Console;
import io.github.untaken.test.net.Network;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
            TestServer.sql(old, "create table account (id int auto_increment primary key, username varchar(100))");
            replicate(old, replica);
            try (TestFeed feed = TestFeed.connected(
                    MySqlFeed.of(TestServer.url(old, network)).user("untaken"),
                    Map.of(IdentifierKind.USERNAME, List.of(new TableStore("account", "username"))))) {
                feed.sink().awaitFollowing();
                TestServer.sql(old, "insert into account (username) values ('alice')");
                feed.awaitMark();
                String position = feed.feed().position().orElseThrow();
                Eventually.holds("the replica has it", () -> isThere(replica));
                TestServer.sql(replica, isMariaDb ? "stop slave" : "stop replica");
                network.leadTo(replica.port());
                if (isKilled) {
                    old.kill();
                }
                TestServer.sql(replica, "insert into account (username) values ('bob')");
                assertThat(feed.askUntilGap()).startsWith("SERVER: another server answers");
                feed.sink().awaitStretch(2);
                TestServer.sql(replica, "insert into account (username) values ('carol')");
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
            TestServer.sql(
                    replica,
                    statement
                            .replace("PORT", String.valueOf(primary.port()))
                            .replace("change PRIMARY", isMariaDb ? "change master" : "change replication source")
                            .replace("PRIMARY", isMariaDb ? "master" : "source")
                            .replace("REPLICA", isMariaDb ? "slave" : "replica"));
        }
    }

    private static boolean isThere(Server replica) {
        try (Connection console = TestServer.console(replica)) {
            return !Console.query(console, "select 1 from account where username = 'alice'")
                    .isEmpty();
        } catch (SQLException | IllegalStateException e) {
            return false; // not even the table
        }
    }
}
