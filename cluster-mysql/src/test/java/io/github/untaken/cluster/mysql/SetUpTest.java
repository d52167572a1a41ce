package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.innodb.Product;
import io.github.untaken.innodb.Server;
import io.github.untaken.test.database.Console;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is missing is said with the statement that mends it, and found when it is mended. */
@Tag("ci")
class SetUpTest {

    @ParameterizedTest
    @CsvSource({"binlog_format,STATEMENT", "binlog_format,MIXED", "binlog_row_image,MINIMAL"})
    void aSettingThatLeavesSomethingOutIsNamedWithItsStatement(String name, String value) throws Exception {
        try (TestTable table = TestTable.created()) {
            try (AutoCloseable setting = TestServer.setting(name, value);
                    TestFeed feed = TestFeed.connected("untaken", table.store())) {
                assertThat(feed.sink().awaitGap("SET_UP: "))
                        .contains(name + " is " + value + "; run: SET GLOBAL " + name + " = '");
            }
            try (TestFeed feed = table.follow()) {
                AutoCloseable setting = TestServer.setting(name, value);
                try (setting) {
                    assertThat(feed.askUntilGap()).contains("SET_UP: ", name);
                }
                feed.sink().awaitStretch(2);
            }
        }
    }

    @Test
    void aUserWhoMayNotReadTheLogIsToldTheGrant() {
        try (TestTable table = TestTable.created();
                TestFeed feed = TestFeed.connected("poor", table.store())) {
            assertThat(feed.sink().awaitGap("SET_UP: "))
                    .contains(
                            "run: GRANT REPLICATION SLAVE, ",
                            Product.UNDER_TEST == Product.MARIADB ? "BINLOG MONITOR" : "REPLICATION CLIENT",
                            " ON *.* TO 'poor'@'localhost';");
        }
    }

    /** The one right lets it ask where the log ends, and not read it. */
    @Test
    void aUserWhoMayOnlyAskIsToldTheGrantToo() {
        String right = Product.UNDER_TEST == Product.MARIADB ? "binlog monitor" : "replication client";
        TestServer.sql("grant " + right + " on *.* to poor@localhost");
        try (TestTable table = TestTable.created();
                TestFeed feed = TestFeed.connected("poor", table.store())) {
            assertThat(feed.sink().awaitGap("SET_UP: ")).contains("run: GRANT REPLICATION SLAVE");
            TestServer.sql("grant replication slave on *.* to poor@localhost");
            feed.sink().awaitFollowing();
        } finally {
            TestServer.sql("revoke " + right + ", replication slave on *.* from poor@localhost");
        }
    }

    @Test
    void aUserWhoMayNotReadTheTableIsToldTheGrant() {
        TestServer.sql(
                "create database if not exists secret",
                "create table if not exists secret.account (id int primary key, username varchar(50))");
        try (TestFeed feed = TestFeed.connected("poor", new TableStore("secret.account", "username"))) {
            assertThat(feed.sink().awaitGap("SET_UP: "))
                    .contains("run: GRANT SELECT ON secret.account TO 'poor'@'localhost';");
            TestServer.sql("grant select (username) on secret.account to poor@localhost");
            try (TestFeed still = TestFeed.connected("poor", new TableStore("secret.account", "username"))) {
                assertThat(still.sink().awaitGap("SET_UP: "))
                        .as("it is not told what stands before the column, nor of foreign keys")
                        .contains("run: GRANT SELECT ON secret.account TO 'poor'@'localhost';");
            }
        } finally {
            TestServer.sql("drop database secret");
        }
    }

    @Test
    void aTableOrAColumnThatIsNotThereIsNamed() {
        try (TestTable table = TestTable.created();
                TestFeed feed = TestFeed.connected(
                        "untaken", new TableStore("nowhere", "username"), new TableStore(table.name(), "login"))) {
            assertThat(feed.sink().awaitGap("SET_UP: "))
                    .contains("there is no table nowhere", "table " + table.name() + " has no column login");
        }
    }

    @Test
    void aViewIsNoTable() {
        try (TestTable table = TestTable.created()) {
            table.sql("create view TABLE_v as select concat(username, 'x') username from TABLE");
            try (TestFeed feed = TestFeed.connected("untaken", new TableStore(table.name() + "_v", "username"))) {
                assertThat(feed.sink().awaitGap("SET_UP: ")).contains("whose rows the log does not hold");
            } finally {
                table.sql("drop view TABLE_v");
            }
        }
    }

    /** It is not written into the log, before MySQL 9.6. */
    @Test
    void aForeignKeyThatWritesTheColumnIsRefusedOrItsRowsAreTold() {
        TestTable parent = TestTable.created("username varchar(50) primary key");
        TestTable table = TestTable.created(
                "id int primary key, username varchar(50), constraint KEY_of_it foreign key (username) references PARENT (username)"
                                .replace("PARENT", parent.name())
                                .replace("KEY_of_it", "key_of_" + parent.name())
                        + " on update cascade");
        try (parent;
                table;
                TestFeed feed = TestFeed.connected("untaken", table.store())) {
            if (TestServer.query("select version()").matches("9\\.([6-9]|\\d\\d).*")) {
                feed.sink().awaitFollowing();
                parent.insert("alice");
                table.sql("insert into TABLE values (1, 'alice')");
                parent.sql("update TABLE set username = 'bob'");
                feed.awaitMark();
                assertThat(feed.sink().knows("bob")).isTrue();
            } else {
                assertThat(feed.sink().awaitGap("SET_UP: "))
                        .contains("foreign key key_of_" + parent.name(), "ON UPDATE CASCADE", "ON UPDATE RESTRICT");
            }
            feed.close();
            table.close();
        }
    }

    /** With the rights that the documentation names, and no others. */
    @Test
    void aForeignKeyIsSeenByAUserWhoMayOnlyReadTheTable() {
        String right = Product.UNDER_TEST == Product.MARIADB ? "binlog monitor" : "replication client";
        TestServer.sql(
                "create user if not exists reader@localhost identified by ''",
                "grant replication slave, " + right + " on *.* to reader@localhost");
        try (TestTable parent = TestTable.created("username varchar(50) primary key");
                TestTable table = TestTable.created("id int primary key, username varchar(50), foreign key (username)"
                        + " references " + parent.name() + " (username) on update cascade")) {
            table.sql(
                    "grant select on TABLE to reader@localhost", "insert into " + parent.name() + " values ('alice')");
            table.sql("insert into TABLE values (1, 'alice')");
            try (TestFeed feed = TestFeed.connected("reader", table.store())) {
                feed.sink().awaitNews();
                if (feed.sink().isFollowing()) {
                    parent.sql("update TABLE set username = 'bob'");
                    feed.awaitMark();
                    assertThat(feed.sink().knows("bob")).isTrue();
                } else {
                    assertThat(feed.sink().awaitGap("SET_UP: ")).contains("ON UPDATE CASCADE");
                }
            }
            table.close();
        } finally {
            TestServer.sql("drop user reader@localhost");
        }
    }

    /** A row that somebody inserts into the other table is seen in this one, and the log names the other. */
    @Test
    void aTableThatTakesItsRowsFromOthersIsRefused() {
        String columns = "(id int, username varchar(50)) engine = ";
        try (TestTable part = TestTable.created("id int")) {
            part.sql("create table TABLE_p " + columns + "MyISAM");
            part.sql("create table TABLE_all " + columns + "MERGE union = (TABLE_p)");
            try (TestFeed feed = TestFeed.connected("untaken", new TableStore(part.name() + "_all", "username"))) {
                assertThat(feed.sink().awaitGap("SET_UP: ")).contains("is of engine MRG_");
            } finally {
                part.sql("drop table TABLE_all, TABLE_p");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"int", "enum('a','b')", "varbinary(20)", "varchar(20) character set sjis"})
    void aColumnWhoseTextTheLogDoesNotHoldIsRefused(String type) {
        try (TestTable table = TestTable.created("id int primary key, username " + type);
                TestFeed feed = TestFeed.connected("untaken", table.store())) {
            assertThat(feed.sink().awaitGap("SET_UP: ")).contains("column username of " + table.name() + " is of type");
        }
    }

    @Test
    void aComputedColumnThatIsNotStoredIsRefused() {
        try (TestTable table = TestTable.created(
                        "id int primary key, a varchar(20), username varchar(20) as (lower(a)) virtual");
                TestFeed feed = TestFeed.connected("untaken", table.store())) {
            assertThat(feed.sink().awaitGap("SET_UP: ")).contains("make it STORED");
        }
    }

    @Test
    void aServerWithoutALogOrThatLeavesDatabasesOutIsRefused() {
        try (Server off = new Server(Product.UNDER_TEST == Product.MARIADB ? "--server-id=1" : "--skip-log-bin");
                Server filtered = TestServer.started("--binlog-ignore-db=other")) {
            for (Server server : List.of(off, filtered)) {
                try (var console = TestServer.console(server)) {
                    Console.sql(console, "create table account (id int primary key, username varchar(50))");
                } catch (java.sql.SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
            try (TestFeed feed = TestFeed.of(off, Set.of())) {
                assertThat(feed.sink().awaitGap("SET_UP: ")).contains("log_bin is off; start the server with log_bin");
            }
            try (TestFeed feed = TestFeed.of(filtered, Set.of())) {
                assertThat(feed.sink().awaitGap("SET_UP: ")).contains("without binlog_do_db and binlog_ignore_db");
            }
        }
    }

    @Test
    void aReadOnlyServerIsNoPrimary() throws Exception {
        try (TestTable table = TestTable.created();
                AutoCloseable setting = TestServer.setting("read_only", "1");
                TestFeed feed = TestFeed.connected("untaken", table.store())) {
            assertThat(feed.sink().awaitGap("SET_UP: ")).contains("the address must lead to the primary");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://primary/app",
                "jdbc:mysql://one,two/app",
                "jdbc:mysql:replication://one:3306,two:3306/app",
                "jdbc:mariadb:sequential://one/app",
                "jdbc:mysql://address=(host=one)/app"
            })
    void anAddressThatDoesNotNameOneServerIsRefusedAtOnce(String url) {
        assertThatThrownBy(() -> MySqlFeed.of(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must name one server");
    }

    @Test
    void theAddressIsTakenApart() {
        Address address = Address.of("jdbc:mysql://[::1]:3307/app?user=a%40b&sslMode=VERIFY_CA");
        assertThat(address.host()).isEqualTo("::1");
        assertThat(address.port()).isEqualTo(3307);
        assertThat(address.parameters()).containsEntry("user", "a@b");
        assertThat(Address.of("jdbc:mariadb://primary/app").port()).isEqualTo(3306);
        assertThat(address.toString()).doesNotContain("a@b");
    }

    @Test
    void aKindWhoseStoreNamesNoColumnCannotBeCovered() {
        MySqlFeed feed = MySqlFeed.of(TestServer.url()).build();
        assertThat(feed.covers(Map.of(IdentifierKind.USERNAME, List.of()))).isEmpty();
        MySqlFeed told =
                MySqlFeed.of(TestServer.url()).kinds(IdentifierKind.USERNAME).build();
        assertThatThrownBy(() -> told.covers(Map.of(IdentifierKind.USERNAME, List.of())))
                .isInstanceOf(IllegalStateException.class);
    }
}
