package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.feeds.UnaskedStore;
import io.github.untaken.innodb.Server;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.RegisteredIdentifierStore.Identified;
import io.github.untaken.spi.RegisteredIdentifierStore.TableColumn;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The addresses of the stores and of the feed are given apart, so one may lead elsewhere. */
@Tag("ci")
class SameDatabaseTest {

    private static RegisteredIdentifierStore store(HikariDataSource pool, String table) {
        return JdbcIdentifiers.table(pool, table, "username")
                .stores()
                .get(IdentifierKind.USERNAME)
                .get(0);
    }

    private static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername("untaken");
        return pool;
    }

    private static TestFeed of(String url, RegisteredIdentifierStore store) {
        return TestFeed.connected(MySqlFeed.of(url).user("untaken"), Map.of(IdentifierKind.USERNAME, List.of(store)));
    }

    @Test
    void theSameIsFollowed() {
        try (TestTable table = TestTable.created();
                HikariDataSource pool = pool(TestServer.url());
                TestFeed feed = of(TestServer.url(), store(pool, table.name()))) {
            feed.sink().awaitFollowing();
        }
    }

    /** As one by JPA, whose mapping leaves the database to the connection; it says which that is. */
    private record Unqualified(TableColumn column, Identified real, String database)
            implements UnaskedStore, Identified {
        @Override
        public DatabaseMark present() {
            DatabaseMark mark = real.present();
            return new DatabaseMark(mark.identity() + database, mark.position());
        }
    }

    /** Unless the table says in which database it is, as one of JDBC does: then that one is followed. */
    @Test
    void anotherDatabaseOfTheServerIsNot() {
        TestServer.sql("create database if not exists other");
        try (TestTable table = TestTable.created();
                HikariDataSource pool = pool(TestServer.url().replace("/names", "/other"))) {
            TestServer.sql("create table other." + table.name() + " like " + table.name());
            RegisteredIdentifierStore store = store(pool, table.name());
            for (String database : List.of("other", "names")) {
                try (TestFeed feed = of(
                        TestServer.url(),
                        new Unqualified(new TableColumn(table.name(), "username"), (Identified) store, database))) {
                    if (database.equals("names")) {
                        feed.sink().awaitFollowing();
                    } else {
                        assertThat(feed.sink().awaitGap("STORE: ")).contains("leads to another database");
                    }
                }
            }
            try (TestFeed feed = of(TestServer.url(), store)) {
                feed.sink().awaitFollowing();
                TestServer.sql("insert into other." + table.name() + " (username) values ('alice')");
                table.insert("bob");
                feed.awaitMark();
                assertThat(feed.sink().told()).isEqualTo(FollowingTest.usernames("alice"));
            }
        } finally {
            TestServer.sql("drop database other");
        }
    }

    @Test
    void anotherServerIsNot() throws Exception {
        try (Server second = TestServer.started();
                TestTable table = TestTable.created();
                HikariDataSource pool = pool(TestServer.url(second))) {
            TestServer.sql(second, "create table " + table.name() + " (id int primary key, username varchar(100))");
            try (TestFeed feed = of(TestServer.url(), store(pool, table.name()))) {
                assertThat(feed.sink().awaitGap("STORE: ")).contains("leads to another database");
            }
        }
    }

    /** Made by the same hands at the same hour, both call themselves number 1, and their logs are as long. */
    @Test
    void theLogOfATwinIsNotRead() throws Exception {
        try (Server first = TestServer.started();
                Server twin = TestServer.started()) {
            for (Server server : List.of(first, twin)) {
                TestServer.sql(
                        server, "create table account (id int auto_increment primary key, username varchar(100))");
            }
            FeedSettings settings = new FeedSettings(
                    new Address(TestServer.url(first), "127.0.0.1", twin.port(), Map.of("user", "untaken")),
                    SameDatabaseTest::login,
                    Set.of());
            MySqlFeed feed = new MySqlFeed(settings);
            RecordingSink sink = new RecordingSink();
            feed.covers(Map.of(IdentifierKind.USERNAME, List.of(new TableStore("account", "username"))));
            feed.connect(sink);
            try (TestFeed told = new TestFeed(feed, sink)) {
                sink.awaitNews();
                if (sink.isFollowing()) {
                    TestServer.sql(twin, "insert into account (username) values ('clara')");
                    TestServer.sql(first, "insert into account (username) values ('alice')");
                    told.awaitMark();
                    assertThat(sink.knows("alice")).isTrue();
                } else {
                    assertThat(sink.awaitGap("SERVER: ")).contains("leads to another server than the driver's");
                }
            }
        }
    }

    private static Properties login() {
        Properties login = new Properties();
        login.setProperty("user", "untaken");
        return login;
    }
}
