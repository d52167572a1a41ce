package io.github.untaken.jdbc;

import static io.github.untaken.jdbc.SilentNetwork.USERNAME;
import static io.github.untaken.jdbc.SilentNetwork.assertAllLeaveInTime;
import static io.github.untaken.jdbc.SilentNetwork.assertIsFound;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.test.database.Engine;
import io.github.untaken.test.net.Network;
import io.github.untaken.testkit.Eventually;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
@Tag("ci")
class SilentNetworkTest {

    /** The driver waits ten seconds for a cancellation that nobody hears, unless it is told otherwise. */
    @Test
    void onPostgreSqlWhoAsksLeavesInTime() throws Exception {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(20)")) {
            table.sql("insert into TABLE (username) values ('alice')");
            SilentNetwork.whoAsksLeavesInTime(
                    Engine.port(),
                    port -> table.url().replace(":" + Engine.port(), ":" + port) + "&cancelSignalTimeout=1",
                    table.name());
        }
    }

    /** H2's driver has no network time-out: whoever reads is lost until the connection breaks. */
    @Test
    void onH2WhoAsksLeavesInTimeThoughTheThreadsAreLost() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        try (TestTable table = TestTable.on(Engine.H2, "varchar(20)");
                Network network = new Network(server.getPort())) {
            // A pool that trusts what was used within half a second hands out a session of H2 that is closed for as
            // long as somebody asks.
            UrlDataSource connections = new UrlDataSource(
                    table.url().replace("jdbc:h2:mem:", "jdbc:h2:tcp://localhost:" + network.port() + "/mem:"));
            table.sql("insert into TABLE (username) values ('alice')");
            AvailabilityChecker checker = SilentNetwork.checker(connections, table.name());
            assertIsFound(checker);
            network.dead(true);
            assertAllLeaveInTime(checker);
            Eventually.holds(
                    "the reason says so", () -> checker.stats(USERNAME).reason().contains("store reads hang"));
            network.cut();
            network.dead(false);
            assertIsFound(checker);
            Eventually.holds(
                    "all are back", () -> checker.stats(USERNAME).reason().isEmpty());
            checker.close();
        } finally {
            server.stop();
        }
    }
}
