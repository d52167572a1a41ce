package io.github.untaken.cluster.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.innodb.Product;
import io.github.untaken.innodb.Server;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Console;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a place in the log when the connection, the process, the file or the server goes, on a server of its own. */
@Tag("ci")
class ResumeTest {
    /** As older servers of MariaDB do and MySQL does, each event says where it ends. */
    private static final Server SERVER = TestServer.started("--sync-binlog=1", "--loose-binlog-legacy-event-pos=ON");

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void create() {
        sql("create table account (id int auto_increment primary key, username varchar(100))");
    }

    @AfterEach
    void drop() {
        sql("drop table if exists account");
    }

    private static void sql(String... statements) {
        TestServer.sql(SERVER, statements);
    }

    private static void insert(String username) {
        sql("insert into account (username) values ('" + username + "')");
    }

    private static TestFeed following(Set<String> positions) {
        TestFeed feed = TestFeed.of(SERVER, positions);
        feed.sink().awaitFollowing();
        return feed;
    }

    @Test
    void aLostConnectionIsNoGapAndWhatWasWrittenMeanwhileIsTold() {
        try (TestFeed feed = following(Set.of())) {
            for (int i = 0; i < 5; i++) {
                insert("before" + i);
                TestServer.endReaders(SERVER);
                insert("after" + i);
                feed.awaitMark();
                assertThat(feed.sink().knows("before" + i)).isTrue();
                assertThat(feed.sink().knows("after" + i)).isTrue();
            }
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** Where another has drawn the same number, the server ends the one that came first. */
    @Test
    void whoIsEndedByAnotherOfItsNumberHasOnlyLostAConnection() throws Exception {
        Look.Seen seen;
        LogPlace end;
        try (Connection console = TestServer.console(SERVER)) {
            seen = Look.at(console, List.of());
            end = Ends.of(console, seen.facts());
        }
        FeedSettings settings = new FeedSettings(
                Address.of(TestServer.url(SERVER) + "&user=untaken"), java.util.Properties::new, Set.of());
        LogConnection first =
                new LogConnection(new io.github.untaken.cluster.mysql.Server(settings), end, 3_000_000_001L);
        LogConnection second =
                new LogConnection(new io.github.untaken.cluster.mysql.Server(settings), end, 3_000_000_001L);
        Thread other = new Thread(() -> {
            while (TestServer.readers(SERVER).isEmpty()) {
                Thread.onSpinWait();
            }
            try {
                second.read(events());
            } catch (Exception e) {
                // it is ended below
            }
        });
        other.start();
        assertThatThrownBy(() -> first.read(events())).isInstanceOf(LogConnection.LostException.class);
        second.end();
        other.join(20_000);
    }

    private static LogEvents events() {
        return new LogEvents(new RowEvents(List.of(), false), new IgnoringListener());
    }

    @Test
    void aLaterProcessResumesWhereOneHasStopped() {
        insert("old");
        String position;
        try (TestFeed feed = following(Set.of())) {
            insert("alice");
            feed.awaitMark();
            position = feed.feed().position().orElseThrow();
        }
        assertThat(position).doesNotContain("alice");
        insert("bob");
        sql("flush binary logs");
        insert("carol");
        try (TestFeed feed = following(Set.of(position))) {
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(FollowingTest.usernames("bob", "carol"));
            assertThat(feed.sink().resumptions()).isOne();
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** A place within a transaction has rows behind it that say of no table whose they are. */
    @Test
    void aPlaceIsBetweenTwoTransactions() throws Exception {
        Map<String, String> positions = new ConcurrentHashMap<>(); // as they were when a name was told
        MySqlFeed asked = MySqlFeed.of(TestServer.url(SERVER)).user("untaken").build();
        RecordingSink sink = new RecordingSink() {
            @Override
            public void registered(IdentifierKind kind, String value) {
                asked.position().ifPresent(position -> positions.put(value, position));
                super.registered(kind, value);
            }
        };
        asked.covers(Map.of(IdentifierKind.USERNAME, List.of(new TableStore("account", "username"))));
        asked.connect(sink);
        sink.awaitFollowing();
        try (Connection console = TestServer.console(SERVER)) {
            console.setAutoCommit(false);
            for (int i = 0; i < 5; i++) {
                Console.sql(console, "insert into account (username) values ('name" + i + "')");
            }
            console.commit();
        }
        asked.awaitMark(Duration.ofSeconds(20));
        asked.disconnect();
        assertThat(positions).hasSize(5);
        for (String position : new HashSet<>(positions.values())) {
            try (TestFeed feed = following(Set.of(position))) {
                assertThatCode(feed::awaitMark).doesNotThrowAnyException();
                assertThat(feed.sink().resumptions()).isOne();
                assertThat(feed.sink().told())
                        .isEqualTo(FollowingTest.usernames("name0", "name1", "name2", "name3", "name4"));
                assertThat(feed.sink().gaps()).isEmpty();
            }
        }
    }

    private static String left() {
        try (TestFeed feed = following(Set.of())) {
            insert("alice");
            feed.awaitMark();
            return feed.feed().position().orElseThrow();
        }
    }

    private static void isNotGoneOnWith(String position) {
        try (TestFeed feed = following(Set.of(position))) {
            insert("bob");
            feed.awaitMark();
            assertThat(feed.sink().knows("bob")).isTrue();
            assertThat(feed.sink().resumptions()).isZero();
        }
    }

    @Test
    void whatWasPurgedIsNotGoneOnWith() {
        String position = left();
        sql("flush binary logs", "flush binary logs");
        String file = last();
        sql("purge binary logs to '" + file + "'");
        isNotGoneOnWith(position);
    }

    private static String last() {
        String last = "";
        try (Connection console = TestServer.console(SERVER);
                Statement statement = console.createStatement();
                ResultSet rows = statement.executeQuery("show binary logs")) {
            while (rows.next()) {
                last = rows.getString(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return last;
    }

    @Test
    void afterAnAlterationItIsNotGoneOnWith() {
        String position = left();
        sql("alter table account add column first int first");
        isNotGoneOnWith(position);
    }

    private static String reset() {
        return Product.UNDER_TEST == Product.MARIADB ? "reset master" : "reset binary logs and gtids";
    }

    /** The file has the same name, goes beyond the place, and has the end of a transaction there. */
    @Test
    void aLogThatWasResetIsNotGoneOnWith() {
        sql(reset());
        String position = left();
        long begun = Position.of(position).orElseThrow().begun();
        while (now() == begun) {
            Thread.onSpinWait();
        }
        sql(reset());
        insert("clara");
        insert("dora");
        assertThat(Position.of(position).orElseThrow().place().file()).isEqualTo(last());
        isNotGoneOnWith(position);
    }

    private static long now() {
        return System.currentTimeMillis() / 1_000; // the server's clock is this machine's
    }

    @Test
    void aResetWhileItIsFollowedIsAGap() {
        try (TestFeed feed = following(Set.of())) {
            for (int i = 0; i < 30; i++) {
                insert("y".repeat(50) + i);
            }
            feed.awaitMark();
            sql(reset());
            assertThat(feed.askUntilGap()).contains("PLACE: ");
            feed.sink().awaitStretch(2);
            insert("bob");
            feed.awaitMark();
            assertThat(feed.sink().knows("bob")).isTrue();
        }
    }

    /** It may have forgotten a deletion that was acknowledged. */
    @Test
    void aServerThatWasKilledIsAGapAndSoIsWhatWasLeftBefore() throws Exception {
        String position = left();
        long started = Position.of(position).orElseThrow().catalog().started();
        while (now() < started + 3) { // within a second of each other two starts are told apart by the log alone
            Thread.onSpinWait();
        }
        try (TestFeed feed = following(Set.of())) {
            SERVER.kill();
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            SERVER.start();
            feed.askUntilGap();
            assertThat(feed.sink().gaps()).first().asString().contains("SERVER: ");
            feed.sink().awaitStretch(2);
            insert("bob");
            feed.awaitMark();
            assertThat(feed.sink().knows("bob")).isTrue();
        }
        isNotGoneOnWith(position);
    }

    @Test
    void whatIsNoPositionOrOfAnotherServerIsNotGoneOnWith() {
        String position = left();
        isNotGoneOnWith("nonsense");
        isNotGoneOnWith(position.replaceFirst("/1/", "/2/"));
    }
}
