package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What the log tells of, on a real server. */
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
            TestServer.sql(
                    console,
                    "insert into " + table.name() + " (username) values ('dave')",
                    "savepoint here",
                    "insert into " + table.name() + " (username) values ('erin')",
                    "rollback to savepoint here",
                    "insert into " + table.name() + " (username) values ('frank')");
            console.commit();
            TestServer.sql(console, "insert into " + table.name() + " (username) values ('grace')");
            console.rollback();
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(usernames("alice", "bob", "carol", "dave", "frank"));
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** Of that some drivers warn in the application's log, each time. */
    @Test
    void sendsNothingThatTheServerRefuses() throws SQLException {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler heard = new Handler() {
            @Override
            public void publish(LogRecord record) {
                if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
                    warnings.add(record.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger drivers = Logger.getLogger("");
        drivers.addHandler(heard);
        try (TestTable table = TestTable.created();
                TestFeed feed = table.follow()) {
            table.insert("alice");
            feed.awaitMark();
            assertThat(warnings).isEmpty();
        } finally {
            drivers.removeHandler(heard);
        }
    }

    @Test
    void tellsOfAnXaTransactionOnceItIsPreparedAndGoesOnWhenItIsCommitted() throws SQLException {
        try (TestTable table = TestTable.created();
                TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            TestServer.sql(
                    console,
                    "xa start 'one'",
                    "insert into " + table.name() + " (username) values ('alice')",
                    "xa end 'one'",
                    "xa prepare 'one'");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(usernames("alice"));
            TestServer.sql(console, "xa commit 'one'");
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

    static Set<String> usernames(String... usernames) {
        Set<String> told = new HashSet<>();
        for (String username : usernames) {
            told.add("username " + username);
        }
        return told;
    }
}
