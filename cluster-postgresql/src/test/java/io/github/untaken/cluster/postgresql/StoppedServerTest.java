package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.StoreException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that is stopped in good order waits until those who read its log have all of it. */
@Tag("ci")
class StoppedServerTest {
    private static final Duration QUICK = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    private enum Slots {
        TEMPORARY,
        KEPT,
        /** The server may forget no more than what is on the disk. */
        FOR_LATER
    }

    private volatile boolean over;

    @ParameterizedTest
    @EnumSource
    void isNotKeptWaitingByThoseWhoReadItsLog(Slots slots) throws Exception {
        List<TestFeed> feeds = new ArrayList<>();
        try (EmbeddedPostgres server =
                TestServer.builder().setDataDirectory(folder).start()) {
            String url = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
            try (Connection console = DriverManager.getConnection(url, TestServer.USER, "");
                    Statement statement = console.createStatement()) {
                statement.execute("create table account (id bigint primary key, username text)");
                statement.execute("create publication untaken for table account");
                for (int i = 0; i < 3; i++) {
                    feeds.add(TestFeed.of(url, slots != Slots.TEMPORARY, slots == Slots.FOR_LATER));
                }
                for (TestFeed feed : feeds) {
                    feed.sink().awaitFollowing();
                    feed.awaitMark();
                }
                statement.execute("insert into account values (1, 'alice')");
                statement.execute("create table other as select generate_series(1, 1000)");
                // The last thing in the log is nobody's commit; others write such as their heartbeat.
                statement.execute("select pg_logical_emit_message(false, 'other', 'x')");
            }
            if (slots == Slots.FOR_LATER) {
                feeds.forEach(this::askAllTheTime);
            }
            ProcessHandle postgres = ProcessHandle.of(
                            Long.parseLong(Files.readAllLines(folder.resolve("postmaster.pid"))
                                    .get(0)
                                    .strip()))
                    .orElseThrow();
            long begun = System.nanoTime();
            new ProcessBuilder("kill", "-INT", String.valueOf(postgres.pid())).start(); // as pg_ctl stop -m fast does
            postgres.onExit().get(20, TimeUnit.SECONDS);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(QUICK);
        } finally {
            over = true;
            feeds.forEach(TestFeed::close);
        }
    }

    /** As a checker does. */
    private void askAllTheTime(TestFeed feed) {
        Thread asking = new Thread(() -> {
            while (!over) {
                try {
                    feed.feed().awaitMark(Duration.ofSeconds(1));
                } catch (StoreException e) {
                    // the server stops
                }
                LockSupport.parkNanos(100_000_000);
            }
        });
        asking.setDaemon(true);
        asking.start();
    }
}
