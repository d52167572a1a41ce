package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.innodb.Product;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Console;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What ends the log's telling, or may have: each is a gap, at the next question at the latest, and questions fail until all is well. */
@Tag("ci")
class GapTest {
    private TestTable table;

    @BeforeEach
    void create() {
        table = TestTable.created();
    }

    @AfterEach
    void drop() {
        table.close();
        table.sql("drop table if exists TABLE_old");
    }

    private static final List<String> ALTERED = List.of(
            "alter table TABLE add column first varchar(10) first",
            "alter table TABLE modify username varchar(200)",
            "Alter /* a comment */ tabLE names.TABLE add column other int",
            "rename table TABLE to TABLE_old; create table TABLE like TABLE_old; insert into TABLE (username) values ('zoe')",
            "truncate table TABLE",
            "drop table TABLE; create table TABLE (id int primary key, username varchar(100))",
            "create index other on TABLE (username, id)");

    /** Columns have other places then, or rows have come and gone. */
    @ParameterizedTest
    @FieldSource("ALTERED")
    void whatIsAlteredIsAGapAndWhatComesLaterIsTold(String statements) {
        try (TestFeed feed = table.follow()) {
            table.sql(statements.split(";"));
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            assertThat(feed.sink().gaps()).first().asString().startsWith("ALTERED: ");
            feed.sink().awaitStretch(2);
            table.sql("insert into TABLE (id, username) values (77, 'bob')");
            feed.awaitMark();
            assertThat(feed.sink().knows("bob")).isTrue();
        }
    }

    /** Nobody learns of it from the log; the tables are asked for each second. */
    @Test
    void whatIsAlteredWithoutAWordInTheLogIsFoundByTheNextLookAtTheTable() throws SQLException {
        try (TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            feed.awaitMark();
            Console.sql(console, "set sql_log_bin = 0", "alter table " + table.name() + " add x int first");
            assertThat(feed.askUntilGap()).startsWith("ALTERED: ");
            feed.sink().awaitStretch(2);
            assertThat(feed.sink().gaps())
                    .as("that the connection is ended then is none")
                    .hasSize(1);
            table.sql("insert into TABLE (username) values ('bob')");
            feed.awaitMark();
            assertThat(feed.sink().knows("bob")).isTrue();
        }
    }

    private static final List<String> HARMLESS = List.of(
            "create table TABLE_old (id int)",
            "create /* TABLE */ view TABLE_view as select * from TABLE; drop -- a table\nview TABLE_view",
            "create procedure TABLE_p() select count(*) from TABLE; drop procedure TABLE_p",
            "analyze table TABLE",
            "create user someone@localhost identified by ''; grant select on TABLE to someone@localhost;"
                    + " drop user someone@localhost",
            "create temporary table TABLE (username varchar(10)); drop temporary table TABLE",
            "create database if not exists elsewhere; drop database elsewhere");

    @ParameterizedTest
    @FieldSource("HARMLESS")
    void whatConcernsNoWatchedTableIsNone(String statements) throws SQLException {
        try (TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            Console.sql(console, statements.replace("TABLE", table.name()).split(";"));
            table.insert("alice");
            feed.awaitMark();
            assertThat(feed.sink().knows("alice")).isTrue();
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    private static List<String> hidden() {
        List<String> statements = new ArrayList<>(List.of(
                "--\n-- a column\n--\nalter table TABLE ADDED",
                "-- see /* there\nalter /* this */ table TABLE ADDED",
                "alter # of the VIEW\ntable TABLE ADDED",
                "alter -- TEMPORARY\ntable TABLE ADDED",
                "/**/".repeat(1_100) + "alter table TABLE ADDED",
                "rename table `x/*` to y, TABLE to TABLE_old, TABLE_new to TABLE, `z*/` to w"));
        statements.add(
                Product.UNDER_TEST == Product.MARIADB
                        ? "set statement max_statement_time = 10 for alter table TABLE ADDED"
                        : "alter /*M! VIEW */ table TABLE ADDED");
        return statements;
    }

    /** The rows that come next have another text where the identifier was. */
    @ParameterizedTest
    @MethodSource("hidden")
    void whatIsWrittenAroundAStatementDoesNotHideIt(String statements) throws SQLException {
        table.sql(
                "alter table TABLE add other varchar(100) after id",
                "create table TABLE_new (first int, id int, other varchar(100), username varchar(100))",
                "create table `x/*` (id int)",
                "create table `z*/` (id int)");
        try (TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            feed.awaitMark();
            Console.sql(
                    console,
                    statements
                            .replace("TABLE", table.name())
                            .replace("ADDED", "add column first varchar(10) first")
                            .split(";"));
            table.insert("alice");
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            assertThat(feed.sink().gaps()).first().asString().startsWith("ALTERED: ");
        } finally {
            table.sql("drop table if exists TABLE_new, `x/*`, `z*/`, y, w");
        }
    }

    private static List<String> statedOtherwise() {
        String insert = "insert into TABLE (username) values ('zoe')";
        return Product.UNDER_TEST == Product.MARIADB
                ? List.of(
                        "--\n" + insert,
                        "set statement max_statement_time = 10 for " + insert,
                        "analyze " + insert,
                        "analyze format = json update TABLE set username = 'zoe'")
                : List.of("--\n" + insert, "/*!40000 " + insert + " */");
    }

    @ParameterizedTest
    @MethodSource("statedOtherwise")
    void aStatementInPlaceOfRowsIsAGapHoweverItBegins(String statement) throws SQLException {
        table.insert("alice");
        try (TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            Console.sql(console, "set session binlog_format = 'STATEMENT'", statement.replace("TABLE", table.name()));
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            assertThat(feed.sink().gaps()).first().asString().startsWith("CONTENT: the binary log holds a statement");
        }
    }

    private static final List<String> STATED = List.of(
            "insert into TABLE (username) values ('zoe')",
            "update TABLE set username = 'zoe' where id = 1",
            "insert into TABLE_old select 'zoe'");

    /** The last of them writes by a trigger that it does not name. */
    @ParameterizedTest
    @FieldSource("STATED")
    void aStatementInPlaceOfRowsIsAGap(String statement) throws SQLException {
        table.insert("alice");
        table.sql(
                "create table TABLE_old (name varchar(100))",
                "create trigger TABLE_t after insert on TABLE_old for each row"
                        + " insert into TABLE (username) values (new.name)");
        try (TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            Console.sql(console, "set session binlog_format = 'STATEMENT'", statement.replace("TABLE", table.name()));
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            assertThat(feed.sink().gaps())
                    .first()
                    .asString()
                    .startsWith("CONTENT: the binary log holds a statement")
                    .doesNotContain("zoe");
            feed.sink().awaitStretch(2);
            table.insert("bob");
            feed.awaitMark();
            assertThat(feed.sink().knows("bob")).isTrue();
        }
    }

    /** What is not there has not changed; and a new row has all that was given. */
    @Test
    void rowsInPartAreTold() throws SQLException {
        try (TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            table.sql("alter table TABLE add other varchar(10)");
            feed.sink().awaitStretch(2);
            for (String image : List.of("MINIMAL", "NOBLOB")) {
                Console.sql(
                        console,
                        "set session binlog_row_image = '" + image + "'",
                        "insert into " + table.name() + " (username) values ('alice" + image + "')",
                        "update " + table.name() + " set other = 'x'",
                        "update " + table.name() + " set username = 'bob" + image + "' where username = 'alice" + image
                                + "'");
            }
            feed.awaitMark();
            assertThat(feed.sink().told())
                    .isEqualTo(FollowingTest.usernames("aliceMINIMAL", "bobMINIMAL", "aliceNOBLOB", "bobNOBLOB"));
            assertThat(feed.sink().gaps()).hasSize(1);
        }
    }

    /** A row that leaves the column to its default has it nowhere. */
    @Test
    void aRowWithoutTheColumnIsAGap() throws SQLException {
        table.sql("alter table TABLE modify username varchar(100) default 'zoe'");
        try (TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            Console.sql(
                    console,
                    "set session binlog_row_image = 'MINIMAL'",
                    "insert into " + table.name() + " (id) values (5)");
            try {
                feed.awaitMark();
                assertThat(feed.sink().knows("zoe")).isTrue();
            } catch (StoreException e) {
                assertThat(feed.sink().gaps())
                        .first()
                        .asString()
                        .startsWith("CONTENT: a row of the binary log does not");
            }
        }
    }

    @Test
    void anXaTransactionThatWasPreparedBeforeIsAGapWhenItIsCommitted() throws SQLException {
        try (Connection console = TestServer.console()) {
            Console.sql(
                    console,
                    "xa start 'old'",
                    "insert into " + table.name() + " (username) values ('zoe')",
                    "xa end 'old'",
                    "xa prepare 'old'");
            try (TestFeed feed = table.follow()) {
                Console.sql(console, "xa commit 'old'");
                assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
                assertThat(feed.sink().gaps()).first().asString().startsWith("PLACE: an XA transaction");
                feed.sink().awaitStretch(2);
                feed.awaitMark();
            }
        }
    }

    /** Wherever the log is begun, some are prepared. */
    @Test
    void whereXaTransactionsComeWithoutPauseTheLogIsFollowedAllTheSame() throws SQLException {
        List<Connection> consoles =
                List.of(TestServer.console(), TestServer.console(), TestServer.console(), TestServer.console());
        for (int i = 0; i < consoles.size(); i++) {
            prepare(consoles.get(i), i);
        }
        try (TestFeed feed = TestFeed.connected("untaken", table.store())) {
            int answered = 0;
            int stretch = 0;
            for (int i = consoles.size(); answered < 100; i++) {
                assertThat(i).as("transactions").isLessThan(3_000);
                Connection console = consoles.get(i % consoles.size());
                Console.sql(console, "xa commit 'xa" + (i - consoles.size()) + "'");
                prepare(console, i);
                try {
                    feed.awaitMark();
                    answered = feed.sink().stretches() == stretch ? answered + 1 : 0;
                    stretch = feed.sink().stretches();
                    assertThat(feed.sink().knows("user" + i)).isTrue();
                } catch (StoreException e) {
                    answered = 0;
                }
            }
        } finally {
            for (Connection console : consoles) {
                try (console;
                        Statement statement = console.createStatement();
                        ResultSet rows = statement.executeQuery("xa recover")) {
                    while (rows.next()) {
                        Console.sql(console, "xa commit '" + rows.getString(4) + "'");
                    }
                } catch (SQLException | IllegalStateException e) {
                    // it is that of another console
                }
            }
        }
    }

    private void prepare(Connection console, int number) {
        Console.sql(
                console,
                "xa start 'xa" + number + "'",
                "insert into " + table.name() + " (username) values ('user" + number + "')",
                "xa end 'xa" + number + "'",
                "xa prepare 'xa" + number + "'");
    }

    /** Of MySQL; MariaDB compresses each event for itself. */
    @Test
    void compressedTransactionsAreRead() throws SQLException {
        String setting = Product.UNDER_TEST == Product.MYSQL
                ? "set session binlog_transaction_compression = ON"
                : "set global log_bin_compress = ON";
        try (TestFeed feed = table.follow();
                Connection console = TestServer.console()) {
            Console.sql(console, setting);
            for (int i = 0; i < 50; i++) {
                Console.sql(
                        console,
                        "insert into " + table.name() + " (username) values ('alice" + i + "'), ('" + "x".repeat(90) + i
                                + "'), ('" + "y".repeat(90) + i + "'), ('" + "z".repeat(90) + i + "')",
                        "update " + table.name() + " set username = concat('b', username) where username in ('alice" + i
                                + "', '" + "x".repeat(90) + i + "', '" + "y".repeat(90) + i + "')");
            }
            feed.awaitMark();
            assertThat(feed.sink().told()).hasSize(350).contains("username alice49", "username balice49");
            assertThat(feed.sink().gaps()).isEmpty();
        } finally {
            if (Product.UNDER_TEST == Product.MARIADB) {
                TestServer.sql("set global log_bin_compress = OFF");
            }
        }
    }
}
