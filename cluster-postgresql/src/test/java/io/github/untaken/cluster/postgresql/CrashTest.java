package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.test.database.Console;
import io.github.untaken.testkit.Eventually;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that has crashed may have lost what did not wait for its disk: what was seen to be gone is there again. */
@Tag("ci")
class CrashTest {
    @TempDir
    private Path folder;

    @Test
    void isAGapAlthoughTheSlotOutlastsIt() throws Exception {
        try (EmbeddedPostgres server = TestServer.builder()
                .setDataDirectory(folder)
                .setServerConfig("wal_writer_delay", "10s")
                .start()) {
            String url = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
            try (Connection console = DriverManager.getConnection(url, TestServer.USER, "")) {
                Console.sql(
                        console,
                        "create table account (id bigint primary key, username text)",
                        "create publication untaken for table account",
                        "insert into account values (1, 'alice')");
                try (TestFeed feed = TestFeed.of(url, true)) {
                    feed.sink().awaitFollowing();
                    feed.awaitMark();
                    Console.sql(console, "set synchronous_commit = off", "delete from account");
                    assertThat(rows(console)).isZero(); // whoever asks now may remember that she is free
                    crash(console);
                    assertThat(rowsAfterwards(url)).isEqualTo(1);
                    SlotTest.awaitMark(feed);
                    assertThat(feed.sink().gaps()).first().asString().contains("SERVER: ", "restarted");
                }
            }
        }
    }

    /** One of its processes is killed, so all of them begin anew. */
    private static void crash(Connection console) throws Exception {
        try (Statement statement = console.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            new ProcessBuilder("kill", "-9", row.getString(1)).start().waitFor();
        }
    }

    private static long rowsAfterwards(String url) {
        AtomicLong rows = new AtomicLong(-1);
        Eventually.holds("the server comes back", () -> {
            try (Connection console = DriverManager.getConnection(url, TestServer.USER, "")) {
                rows.set(rows(console));
                return true;
            } catch (SQLException e) {
                return false;
            }
        });
        return rows.get();
    }

    private static long rows(Connection console) throws SQLException {
        try (Statement statement = console.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from account")) {
            row.next();
            return row.getLong(1);
        }
    }
}
