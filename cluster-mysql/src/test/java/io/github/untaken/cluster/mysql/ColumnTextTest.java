package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.innodb.Product;
import io.github.untaken.test.database.Console;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log holds the bytes of a value; the same text is told that the driver reads. */
@Tag("ci")
class ColumnTextTest {
    private static final List<String> TEXTS = List.of(
            "alice",
            "Ålice",
            "Straße",
            "naïve",
            "\u20ac uro",
            "\u0142\u00f3d\u017a",
            "\u0436\u0443\u043a",
            "\u03b1\u03b2\u03b3",
            "\u65e5\u672c",
            "\uD83D\uDE00",
            " leading",
            "trailing ",
            "",
            "\u00a0",
            "it's",
            "back\\slash",
            "\u05d0\u05d1",
            "\u0e01\u0e02");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "varchar(60) character set utf8mb4",
                "varchar(60) character set utf8mb3",
                "varchar(60) character set latin1",
                "varchar(60) character set latin2",
                "varchar(60) character set cp1251",
                "varchar(60) character set koi8r",
                "varchar(60) character set greek",
                "varchar(60) character set hebrew",
                "varchar(60) character set tis620",
                "varchar(60) character set ascii",
                "varchar(60) character set utf16",
                "varchar(60) character set utf16le",
                "varchar(60) character set utf32",
                "varchar(60) character set ucs2",
                "varchar(300) character set utf8mb4",
                "char(60) character set utf8mb4",
                "char(200) character set utf8mb4",
                "char(60) character set latin1",
                "char(60) character set utf16",
                "tinytext character set utf8mb4",
                "text character set latin1",
                "mediumtext character set utf8mb4",
                "longtext character set utf8mb4"
            })
    void isReadAsTheDriverReadsIt(String type) throws SQLException {
        try (TestTable table = TestTable.created("a char(3), b text, c json, d decimal(9, 2), username " + type
                        + ", e datetime(3), f bit(3), id int auto_increment primary key, g enum('x', 'y'), h double");
                TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            List<String> stored = new ArrayList<>(TEXTS);
            Console.sql(console, "set sql_mode = ''"); // what does not fit becomes a question mark
            try (PreparedStatement insert = console.prepareStatement("insert into " + table.name()
                    + " (a, b, c, d, username, e, f, g, h) values ('x', 'y', '{\"a\": 1}', -3.5, ?, now(3), b'101', 'y',"
                    + " 1.5)")) {
                for (String text : stored) {
                    insert.setString(1, text);
                    insert.executeUpdate();
                }
            }
            Set<String> read = new HashSet<>();
            try (Statement statement = console.createStatement();
                    ResultSet rows = statement.executeQuery("select username from " + table.name())) {
                while (rows.next()) {
                    read.add("username " + rows.getString(1));
                }
            }
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(read);
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    @Test
    void ofAComputedAndStoredColumnTheResultIsTold() {
        try (TestTable table = TestTable.created("id int primary key, a varchar(20), username varchar(20) as (lower(a))"
                        + (Product.UNDER_TEST == Product.MARIADB ? " persistent" : " stored"));
                TestFeed feed = table.follow()) {
            table.sql("insert into TABLE (id, a) values (1, 'ALICE')", "update TABLE set a = 'BOB'");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(FollowingTest.usernames("alice", "bob"));
        }
    }

    /** Hidden columns and computed ones stand in the rows or not; the identifier is found all the same. */
    @Test
    void isFoundBetweenColumnsThatAreComputedOrHidden() {
        try (TestTable table = TestTable.created("a varchar(20), v varchar(30) as (concat(a, 'x')) virtual,"
                        + " id int auto_increment primary key, i int invisible, username varchar(20), w int as (id_2 + 1)"
                        + (Product.UNDER_TEST == Product.MARIADB ? " persistent" : " stored")
                        + ", id_2 int, long_one text"
                        + (Product.UNDER_TEST == Product.MARIADB ? " unique" : "")
                        + ", index f (v)");
                TestFeed feed = table.follow()) {
            table.sql(
                    "insert into TABLE (a, username, id_2, long_one) values ('a', 'alice', 3, 'long')",
                    "update TABLE set a = 'other', username = 'bob'");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(FollowingTest.usernames("alice", "bob"));
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** Then the rows name their columns. */
    @Test
    void isFoundWithNamesInTheLog() throws Exception {
        try (AutoCloseable setting = TestServer.setting("binlog_row_metadata", "FULL");
                TestTable table = TestTable.created();
                TestFeed feed = table.follow()) {
            table.insert("alice");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(FollowingTest.usernames("alice"));
        }
    }

    /** Another table's types may be newer than we are. */
    @Test
    void tablesOfOthersMayHaveColumnsOfAnyType() {
        String types = Product.UNDER_TEST == Product.MARIADB
                ? "u uuid, i inet6, c varchar(100) compressed, t text compressed"
                : "v vector(3), g geometry";
        String values = Product.UNDER_TEST == Product.MARIADB
                ? "uuid(), '::1', repeat('c', 100), repeat('t', 200)"
                : "to_vector('[1,2,3]'), st_geomfromtext('point(1 1)')";
        try (TestTable table = TestTable.created();
                TestTable other = TestTable.created("id int primary key, username varchar(20), " + types);
                TestFeed feed = table.follow()) {
            other.sql("insert into TABLE values (1, 'zoe', " + values + ")", "update TABLE set id = 2");
            table.insert("alice");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(FollowingTest.usernames("alice"));
            assertThat(feed.sink().gaps()).isEmpty();
            try (TestFeed refused = TestFeed.connected("untaken", other.store())) {
                if (Product.UNDER_TEST == Product.MARIADB) {
                    assertThat(refused.sink().awaitGap("SET_UP: ")).contains("cannot skip");
                }
            }
        }
    }
}
