package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.test.database.Console;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FollowingTest {

    @Test
    void tellsOfARowThatSomebodyInsertsAtAConsole() {
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow()) {
            table.insert("alice");
            feed.awaitMark();
            assertThat(feed.sink().told()).containsExactly("username alice");
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    @Test
    void tellsOfEachNewNameAndOfNoneThatIsRolledBack() throws SQLException {
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            table.sql(
                    "insert into TABLE (username) values ('alice'), ('bob')",
                    "update TABLE set username = 'carol' where username = 'alice'",
                    "insert into TABLE (username) values (null)");
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
            Console.sql(
                    console,
                    "insert into " + table.name() + " (username) values ('heidi')",
                    "prepare transaction 'heidi'");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(usernames("alice", "bob", "carol", "dave", "frank"));
            table.sql("commit prepared 'heidi'");
            feed.awaitMark();
            assertThat(feed.sink().knows("heidi")).isTrue();
        }
    }

    /** Nothing of it is needed, for memory only grows; the names after it must come all the same. */
    @Test
    void goesOnAfterDeletions() {
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow()) {
            table.sql(
                    "insert into TABLE (username) values ('alice'), ('bob')",
                    "delete from TABLE where username = 'bob'",
                    "insert into TABLE (username) values ('carol')",
                    "analyze TABLE",
                    "vacuum TABLE");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(usernames("alice", "bob", "carol"));
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    @Test
    void tellsOfSeveralTablesSchemasAndKindsHoweverTheyAreSpelt() {
        int number = TestServer.number();
        String schema = "\"Odd Schema " + number + '"';
        TestServer.sql(
                "create schema " + schema,
                "create table " + schema
                        + ".\"Account \"\"x\" (id int primary key, \"User Name\" text, email text, other text)",
                "create table MEMBER" + number + " (login varchar(20) primary key)",
                "create publication spelt" + number + " for table " + schema + ".\"Account \"\"x\", member" + number);
        try (TestFeed feed = TestFeed.connected(
                settings -> settings.publication("spelt" + number),
                Map.of(
                        IdentifierKind.USERNAME,
                                List.of(
                                        new TableStore(schema + ".\"Account \"\"x\"", "\"User Name\""),
                                        new TableStore("Member" + number, "LOGIN")),
                        IdentifierKind.EMAIL, List.of(new TableStore(schema + ".\"Account \"\"x\"", "EMail"))))) {
            feed.sink().awaitFollowing();
            TestServer.sql(
                    "insert into " + schema
                            + ".\"Account \"\"x\" values (1, 'Ålice \uD83D\uDE00', 'a@example.org', 'nothing')",
                    "insert into member" + number + " values ('bob')");
            feed.awaitMark();
            assertThat(feed.sink().told())
                    .containsExactlyInAnyOrder("username Ålice \uD83D\uDE00", "email a@example.org", "username bob");
        }
        TestServer.sql(
                "drop publication spelt" + number, "drop schema " + schema + " cascade", "drop table member" + number);
    }

    /** A gap like any other statement that alters the table; its event comes before that. */
    @Test
    void goesOnAfterATruncation() {
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow()) {
            table.sql("insert into TABLE (username) values ('alice')");
            TestServer.sql("truncate " + table.name());
            table.insert("carol");
            feed.sink().awaitTold("carol");
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** A value stored apart from its row is not sent again with an update of another column. */
    @Test
    void anUnchangedLongValueIsToldOnce() {
        try (TestTable table = TestTable.published()) {
            table.sql(
                    "alter table TABLE add note text",
                    "alter table TABLE alter username set storage external",
                    "alter table TABLE drop constraint TABLE_username_key");
            try (TestFeed feed = table.follow()) {
                String name = "x".repeat(9_000);
                table.insert(name);
                table.sql("update TABLE set note = 'a'");
                table.insert("bob");
                feed.awaitMark();
                assertThat(feed.sink().told()).isEqualTo(usernames(name, "bob"));
                assertThat(feed.sink().gaps()).isEmpty();
            }
        }
    }

    /** A scan in pages may have passed the new place of the row, and not yet come to the old one. */
    @Test
    void aRowThatMovesWithALongValueNobodySendsIsAGap() {
        try (TestTable table = withLongName();
                TestFeed feed = table.follow()) {
            table.sql("update TABLE set id = 4");
            table.insert("bob");
            feed.sink().awaitGap("CONTENT: PostgreSQL's log leaves out the long value");
            feed.sink().awaitStretch(2);
        }
    }

    /** The whole old row is sent, and the value in it. */
    @Test
    void aRowThatMovesWithALongValueIsToldIfItsIdentityIsFull() {
        try (TestTable table = withLongName()) {
            table.sql("alter publication TABLE set table TABLE", "alter table TABLE replica identity full");
            try (TestFeed feed = table.follow()) {
                table.sql("update TABLE set id = 4");
                feed.awaitMark();
                assertThat(feed.sink().told()).isEqualTo(usernames(LONG));
                assertThat(feed.sink().gaps()).isEmpty();
            }
        }
    }

    /** What is sent of the old row does not say whether the primary key was another. */
    @Test
    void aLongValueNobodySendsIsAGapIfAnotherIndexIsTheIdentity() {
        try (TestTable table = withLongName()) {
            table.sql(
                    "alter publication TABLE set table TABLE",
                    "alter table TABLE add number int not null unique default 1",
                    "alter table TABLE replica identity using index TABLE_number_key");
            try (TestFeed feed = table.follow()) {
                table.sql("update TABLE set id = 4");
                table.sql("insert into TABLE (username, number) values ('bob', 2)");
                feed.sink().awaitGap("CONTENT: PostgreSQL's log leaves out the long value");
                feed.sink().awaitStretch(2);
            }
        }
    }

    private static final String LONG = "x".repeat(9_000);

    private static TestTable withLongName() {
        TestTable table = TestTable.published();
        table.sql(
                "alter table TABLE drop constraint TABLE_username_key",
                "alter table TABLE alter username set storage external");
        table.sql("insert into TABLE (id, username) values (900, '" + LONG + "')");
        return table;
    }

    @Test
    @Tag("ci")
    void tellsOfEachPartitionUnderItsOwnNameAndUnderItsParents() {
        for (boolean viaRoot : new boolean[] {false, true}) {
            int number = TestServer.number();
            String table = "member" + number;
            TestServer.sql(
                    "create table " + table + " (id int, username text, primary key (id)) partition by range (id)",
                    "create table " + table + "_a partition of " + table + " for values from (0) to (10)",
                    "create table " + table
                            + "_b (username text, note text, id int not null)", // its columns stand in another order
                    "alter table " + table + "_b drop note",
                    "alter table " + table + " attach partition " + table + "_b for values from (10) to (20)",
                    "create publication " + table + " for table " + table + " with (publish_via_partition_root = "
                            + viaRoot + ")");
            try (TestFeed whole = TestFeed.following(table, new TableStore(table, "username"));
                    TestFeed part = TestFeed.following(table, new TableStore(table + "_b", "username"))) {
                TestServer.sql(
                        "insert into " + table + " values (1, 'alice'), (11, 'bob')",
                        "insert into " + table + "_b (id, username) values (12, 'carol')");
                whole.awaitMark();
                part.awaitMark();
                assertThat(whole.sink().told()).isEqualTo(usernames("alice", "bob", "carol"));
                assertThat(part.sink().told()).containsAll(usernames("bob", "carol"));
            }
            TestServer.sql("drop publication " + table, "drop table " + table);
        }
    }

    /** Their commits are acknowledged before they are on the disk, which is where the log is read from. */
    @Test
    @Tag("ci")
    void aMarkCoversCommitsThatDoNotWaitForTheDisk() throws SQLException {
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            Console.sql(console, "set synchronous_commit = off");
            for (int i = 0; i < 200; i++) {
                Console.sql(console, "insert into " + table.name() + " (username) values ('user" + i + "')");
                feed.awaitMark();
                assertThat(feed.sink().knows("user" + i)).as("%s", i).isTrue();
            }
        }
    }

    /** The server may fall asleep just as its log grows, and wake when something else is written, seconds later. */
    @Test
    @Tag("ci")
    void noMarkWaitsUntilSomethingElseIsWritten() {
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow()) {
            for (int i = 0; i < 1_500; i++) {
                feed.feed().awaitMark(Duration.ofSeconds(2));
            }
        }
    }

    @Test
    void takesNoticeOfNoOtherTable() {
        int number = TestServer.number();
        TestServer.sql("create table other" + number + " (id int primary key, username text)");
        try (TestTable table = TestTable.published()) {
            table.sql("alter publication TABLE add table other" + number);
            try (TestFeed feed = table.follow()) {
                TestServer.sql(
                        "insert into other" + number + " values (1, 'alice')",
                        "select pg_logical_emit_message(true, 'other', 'x'), pg_logical_emit_message(false, 'untaken', 'x'),"
                                + " pg_logical_emit_message(true, 'untaken', 'x')",
                        "alter table other" + number + " rename username to login",
                        "insert into other" + number + " values (2, 'bob')",
                        "drop table other" + number);
                feed.awaitMark();
                assertThat(feed.sink().told()).isEmpty();
                assertThat(feed.sink().gaps()).isEmpty();
            }
        }
    }

    private static Set<String> usernames(String... names) {
        Set<String> all = new HashSet<>();
        for (String name : names) {
            all.add("username " + name);
        }
        return all;
    }

    /** As what another server's subscription writes here. */
    @Test
    void tellsOfWhatHasAnotherOrigin() throws SQLException {
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow();
                Connection subscription = TestServer.console()) {
            Console.sql(
                    subscription,
                    "select pg_replication_origin_create('elsewhere')",
                    "select pg_replication_origin_session_setup('elsewhere')",
                    "insert into " + table.name() + " (username) values ('alice')",
                    "select pg_replication_origin_session_reset()",
                    "select pg_replication_origin_drop('elsewhere')");
            feed.awaitMark();
            assertThat(feed.sink().knows("alice")).isTrue();
        }
    }

    /** At a thousand and more a second they would soon call for a vacuum of the whole server. */
    @Test
    void questionsUseUpNoTransactionNumbersFromVersion17On() {
        Assumptions.assumeTrue(
                Integer.parseInt(TestServer.query("show server_version_num")) >= 170000, "before, a mark is committed");
        String next = "select pg_snapshot_xmax(pg_current_snapshot())";
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow()) {
            feed.awaitMark();
            long before = Long.parseLong(TestServer.query(next));
            for (int i = 0; i < 100; i++) {
                feed.awaitMark();
            }
            assertThat(Long.parseLong(TestServer.query(next)) - before).isLessThan(50); // the server's own cleaning
        }
    }
}
