package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.test.database.Console;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The feed's address is often that of the application's pool, with parameters that were meant for that one. */
class AddressTest {

    @Test
    void sessionsOfTheApplicationsNameGoOn() throws Exception {
        String url = TestServer.url() + "?ApplicationName=shop";
        try (TestTable table = TestTable.published();
                Connection idle = DriverManager.getConnection(url, TestServer.USER, "");
                Connection writer = DriverManager.getConnection(url, TestServer.USER, "")) {
            Console.sql(writer, "begin", "insert into " + table.name() + " (username) values ('alice')");
            try (TestFeed one = connected(url, table);
                    TestFeed other = connected(url, table)) {
                Console.sql(writer, "commit");
                for (TestFeed feed : new TestFeed[] {one, other}) {
                    feed.sink().awaitFollowing();
                    feed.awaitMark();
                    assertThat(feed.sink().gaps()).isEmpty();
                }
                assertThat(TestServer.query("select count(*) from pg_stat_activity where application_name = 'shop'"))
                        .isEqualTo("2");
                assertThat(idle.isValid(10)).isTrue();
                assertThat(writer.isValid(10)).isTrue();
            }
        }
    }

    /** The server would not notice that nobody waits any more, and the next slot would be one more. */
    @Test
    void aShortSocketTimeoutDoesNotBreakOffTheMakingOfASlot() throws Exception {
        try (TestTable table = TestTable.published();
                Connection idle = TestServer.console()) {
            Console.sql(idle, "begin", "insert into " + table.name() + " (username) values ('alice')");
            try (TestFeed feed = connected(TestServer.url() + "?socketTimeout=1", table)) {
                feed.sink().awaitGap("");
                assertThat(feed.sink().gaps()).first().asString().startsWith("PLACE: no replication slot was created");
                Console.sql(idle, "commit");
                feed.sink().awaitFollowing();
                feed.awaitMark();
            }
        }
    }

    @Test
    void aTypeOfConnectionInTheAddressIsOverridden() {
        try (TestTable table = TestTable.published();
                TestFeed feed = connected(
                        TestServer.url()
                                + "?replication=true&preferQueryMode=extended&assumeMinServerVersion=15&loginTimeout=1",
                        table)) {
            feed.sink().awaitFollowing();
            feed.awaitMark();
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** Where passwords are rotated, the old one is refused from some moment on, and connections are not kept for ever. */
    @Test
    void theLoginOfTheMomentIsUsedForEachConnection() throws Exception {
        String old = "old" + TestServer.number();
        String next = "next" + TestServer.number();
        TestServer.sql("create role " + old + " login superuser", "create role " + next + " login superuser");
        AtomicReference<String> user = new AtomicReference<>(old);
        try (AutoCloseable limit = TestServer.setting("max_slot_wal_keep_size", "1GB");
                TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.user(user::get).publication(table.name()), table.store())) {
            feed.sink().awaitFollowing();
            feed.awaitMark();
            user.set(next);
            TestServer.sql(
                    "alter role " + old + " nologin",
                    "select pg_terminate_backend(pid) from pg_stat_activity where usename = '" + old + "'");
            table.insert("alice");
            SlotTest.awaitMark(feed);
            assertThat(feed.sink().knows("alice")).isTrue();
            assertThat(feed.sink().gaps()).isEmpty();
        } finally {
            TestServer.sql("drop role " + old, "drop role " + next);
        }
    }

    private static TestFeed connected(String url, TestTable table) {
        return TestFeed.connected(
                elsewhere -> PostgreSqlFeed.of(url)
                        .user(TestServer.USER)
                        .publication(table.name())
                        .slotTimeout(Duration.ofSeconds(3)),
                table.store());
    }
}
