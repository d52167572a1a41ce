package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.ChangeFeed.Backlog;
import io.github.untaken.test.database.Console;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much of the log has not been told, on a real server. */
@Tag("ci")
class BacklogTest {

    private static LogPlace end(Connection console) throws Exception {
        return Ends.of(console, Facts.of(console));
    }

    @Test
    void isWhatIsWrittenBehindAPlaceAlsoAcrossFiles() throws Exception {
        try (TestTable table = TestTable.created();
                Connection console = TestServer.console()) {
            LogPlace place = end(console);
            assertThat(Ends.behind(console, place)).contains(new Backlog(0, 0));
            table.sql("insert into TABLE (username) values (repeat('a', 100))");
            LogPlace later = end(console);
            assertThat(Ends.behind(console, place)).contains(new Backlog(later.offset() - place.offset(), 0));
            Console.sql(console, "flush binary logs", "flush binary logs");
            table.sql("insert into TABLE (username) values (repeat('b', 100))");
            long across = Ends.behind(console, place).orElseThrow().unreadBytes();
            assertThat(across)
                    .as("more than the rest of the first file and the beginning of the last")
                    .isGreaterThan(
                            later.offset() - place.offset() + end(console).offset());
        }
    }

    @Test
    void isNotKnownBehindAPlaceThatTheServerHasNotOrToAUserWhoMayNotAsk() throws Exception {
        try (Connection console = TestServer.console();
                Connection poor = DriverManager.getConnection(TestServer.url(), "poor", "")) {
            LogPlace end = end(console);
            assertThat(Ends.behind(console, new LogPlace(end.file(), end.offset() + 1)))
                    .isEmpty();
            assertThat(Ends.behind(console, new LogPlace("log.0", 4))).isEmpty();
            assertThat(Ends.behind(poor, end)).isEmpty();
        }
    }

    /** Nobody who reads the log is waited for by the server. */
    @Test
    void ofAFeedIsLookedAtByItself() throws SQLException {
        try (TestTable table = TestTable.created();
                TestFeed feed = table.follow()) {
            assertThat(feed.feed().figures().backlog()).isEmpty();
            feed.sink().await("a look", () -> {
                table.insert("a" + System.nanoTime()); // whatever is told wakes whoever waits here
                return feed.feed().figures().backlog().isPresent();
            });
            assertThat(feed.feed().figures().backlog().map(Backlog::heldBytes)).contains(0L);
            assertThat(feed.feed().figures().readers()).isEqualTo(Optional.empty());
        }
    }
}
