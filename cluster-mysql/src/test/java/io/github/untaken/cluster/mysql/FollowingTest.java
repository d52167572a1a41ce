package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Console;
import io.github.untaken.test.log.LoggedLines;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the log tells of, on a real server. */
@Tag("ci")
class FollowingTest {

    @Test
    void tellsOfARowThatSomebodyInsertsAtAConsole() {
        try (TestTable table = TestTable.created();
                TestFeed feed = table.follow()) {
            table.insert("alice");
            feed.awaitMark();
            assertThat(feed.sink().told()).containsExactly("username alice");
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    @Test
    void tellsOfEachNewNameAndOfNoneThatIsRolledBack() throws SQLException {
        try (TestTable table = TestTable.created();
                TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            table.sql(
                    "insert into TABLE (username) values ('alice'), ('bob')",
                    "update TABLE set username = 'carol' where username = 'alice'",
                    "insert into TABLE (username) values (null)",
                    "delete from TABLE where username = 'bob'");
            console.setAutoCommit(false);
            Console.sql(
                    console,
                    "insert into " + table.name() + " (username) values ('dave')",
                    "savepoint here",
                    "insert into " + table.name() + " (username) values ('erin')",
                    "rollback to savepoint here",
                    "insert into " + table.name() + " (username) values ('frank')");
            console.commit();
            Console.sql(console, "insert into " + table.name() + " (username) values ('grace')");
            console.rollback();
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(usernames("alice", "bob", "carol", "dave", "frank"));
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** Of that some drivers warn in the application's log, each time. */
    @Test
    void sendsNothingThatTheServerRefuses() throws SQLException {
        try (LoggedLines drivers = new LoggedLines("");
                TestTable table = TestTable.created();
                TestFeed feed = table.follow()) {
            table.insert("alice");
            feed.awaitMark();
            assertThat(drivers.warnings()).isEmpty();
        }
    }

    @Test
    void tellsOfAnXaTransactionOnceItIsPreparedAndGoesOnWhenItIsCommitted() throws SQLException {
        try (TestTable table = TestTable.created();
                TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            Console.sql(
                    console,
                    "xa start 'one'",
                    "insert into " + table.name() + " (username) values ('alice')",
                    "xa end 'one'",
                    "xa prepare 'one'");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(usernames("alice"));
            Console.sql(console, "xa commit 'one'");
            table.insert("bob");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(usernames("alice", "bob"));
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    @Test
    void tellsOfSeveralTablesAndKindsHoweverTheyAreSpelt() {
        int number = TestServer.number();
        TestServer.sql(
                "create table `odd table " + number
                        + "` (id int primary key, `user name` varchar(50), email varchar(50), other varchar(50))",
                "create table member" + number + " (login varchar(20) primary key)");
        try (TestFeed feed = TestFeed.connected(
                MySqlFeed.of(TestServer.url()).user("untaken"),
                Map.of(
                        IdentifierKind.USERNAME,
                        List.of(
                                new TableStore("names.`odd table " + number + "`", "`user name`"),
                                new TableStore("member" + number, "LOGIN")),
                        IdentifierKind.EMAIL,
                        List.of(new TableStore("`odd table " + number + "`", "EMail"))))) {
            feed.sink().awaitFollowing();
            TestServer.sql(
                    "insert into `odd table " + number
                            + "` values (1, 'Ålice \uD83D\uDE00', 'a@example.org', 'nothing')",
                    "insert into member" + number + " values ('bob')");
            feed.awaitMark();
            assertThat(feed.sink().told())
                    .containsExactlyInAnyOrder("username Ålice \uD83D\uDE00", "email a@example.org", "username bob");
        }
        TestServer.sql("drop table `odd table " + number + "`", "drop table member" + number);
    }

    /** Nothing of that is told again, and what comes later is. */
    @Test
    void goesOnIntoTheNextFile() {
        try (TestTable table = TestTable.created();
                TestFeed feed = table.follow()) {
            table.insert("alice");
            TestServer.sql("flush binary logs");
            feed.awaitMark();
            table.insert("bob");
            TestServer.sql("flush binary logs");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(usernames("alice", "bob"));
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** It stands in the file before, and is further than the next one goes. */
    @Test
    void theEndOfAFileIsNoPlaceInTheNext() throws Exception {
        try (TestTable table = TestTable.created();
                Connection console = TestServer.console()) {
            Look.Seen seen = Look.at(console, List.of());
            LogPlace from = Ends.of(console, seen.facts());
            for (int i = 0; i < 10; i++) {
                table.insert("user" + i);
            }
            TestServer.sql("flush binary logs");
            table.insert("last");
            LogPlace end = Ends.of(console, seen.facts());
            FeedSettings settings = new FeedSettings(
                    Address.of(TestServer.url() + "&user=untaken"), java.util.Properties::new, Set.of());
            LogConnection connection = new LogConnection(new Server(settings), from, new ServerIds().present());
            Places places = new Places(from, end, connection);
            assertThatThrownBy(() -> connection.read(new LogEvents(new RowEvents(List.of(), false), places)))
                    .isInstanceOf(LogConnection.LostException.class);
            assertThat(places.ofTheNext).first().isEqualTo("begun");
            assertThat(places.ofTheNext.get(places.ofTheNext.size() - 1)).isEqualTo("passed " + end.offset());
        }
    }

    /** What is said of a file that begins, up to an end. */
    private static final class Places extends IgnoringListener {
        private final List<String> ofTheNext = new ArrayList<>();
        private final LogPlace from;
        private final LogPlace end;
        private final LogConnection connection;
        private LogPlace place;

        Places(LogPlace from, LogPlace end, LogConnection connection) {
            this.from = from;
            this.end = end;
            this.connection = connection;
            this.place = from;
        }

        private void said(String what) {
            if (!place.file().equals(from.file())) {
                ofTheNext.add(what);
            }
        }

        @Override
        public void file(LogPlace next) {
            place = next;
        }

        @Override
        public void begun(long at, boolean byStart) {
            said("begun");
        }

        @Override
        public void passed(long lowOffset) {
            said("passed " + lowOffset);
            if (place.file().equals(end.file()) && lowOffset == end.offset()) {
                connection.end();
            }
        }
    }

    /** Each commit is asked for as soon as it has returned; a file has room for a dozen of them. */
    @Test
    void filesThatEndUnderLoadAreNoGapAndHideNothing() throws Exception {
        Queue<String> unheard = new ConcurrentLinkedQueue<>();
        try (TestTable table = TestTable.created();
                AutoCloseable setting = TestServer.setting("max_binlog_size", "4096");
                TestFeed feed = table.follow()) {
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String writer = "writer" + i + "x".repeat(50);
                writers.add(new Thread(() -> {
                    for (int each = 0; each < 300; each++) {
                        table.insert(writer + each);
                        synchronized (unheard) { // one asks at a time
                            try {
                                feed.awaitMark();
                            } catch (StoreException e) {
                                unheard.add(String.valueOf(e.getMessage()));
                            }
                            if (!feed.sink().knows(writer + each)) {
                                unheard.add(writer + each);
                            }
                        }
                    }
                }));
            }
            writers.forEach(Thread::start);
            for (Thread writer : writers) {
                writer.join();
            }
            assertThat(feed.sink().gaps()).isEmpty();
            assertThat(unheard).isEmpty();
        }
    }

    static Set<String> usernames(String... usernames) {
        Set<String> told = new HashSet<>();
        for (String username : usernames) {
            told.add("username " + username);
        }
        return told;
    }
}
