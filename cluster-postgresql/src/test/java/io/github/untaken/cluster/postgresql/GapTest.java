package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.feeds.TableStore;
import io.github.untaken.spi.StoreException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/** What ends the log's telling, or may have: each is a gap, at the next mark at the latest, and the marks fail until all is well. */
class GapTest {
    private TestTable table;

    @BeforeEach
    void create() {
        table = TestTable.published();
    }

    @AfterEach
    void drop() {
        table.close();
    }

    private static final List<String> SILENCED = List.of(
            "alter publication TABLE drop table TABLE",
            "alter publication TABLE set (publish = 'delete')",
            "alter publication TABLE set (publish = 'insert')",
            "alter publication TABLE set table TABLE (id)",
            "alter publication TABLE set table TABLE where (id > 10)",
            "drop publication TABLE",
            "alter publication TABLE rename to TABLE_old",
            "alter table TABLE rename to TABLE_old",
            "alter table TABLE rename username to login",
            "alter table TABLE drop username cascade",
            "drop table TABLE");

    /** They stop the events; the marks go on. */
    @ParameterizedTest
    @Tag("ci")
    @FieldSource("SILENCED")
    void silenceThatSomebodyMadeIsAGap(String statement) {
        try (TestFeed feed = table.follow()) {
            table.sql(statement.split(";"));
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            assertThat(feed.sink().gaps()).isNotEmpty();
            assertThat(feed.sink().isFollowing()).isFalse();
            feed.sink().awaitGap("SET_UP: PostgreSQL's log cannot be followed");
            assertThatThrownBy(feed::awaitMark)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("not followed");
        } finally {
            table.sql("drop publication if exists TABLE_old", "drop table if exists TABLE_old");
        }
    }

    private static final List<String> ALTERED = List.of(
            "alter publication TABLE drop table TABLE; insert into TABLE (username) values ('zoe');"
                    + "alter publication TABLE add table TABLE",
            "alter table TABLE rename to TABLE_old; create table TABLE (like TABLE_old including all);"
                    + "insert into TABLE (username) values ('zoe'); alter publication TABLE add table TABLE",
            "create table TABLE_child (primary key (id)) inherits (TABLE); alter publication TABLE set table TABLE");

    /** Rows have come of which the log has not told; then all is as it was, or as it should be. */
    @ParameterizedTest
    @FieldSource("ALTERED")
    void whatHasBeenAlteredIsAGapAlsoIfAllIsWellAfterwards(String statements) {
        table.insert("alice");
        try (TestFeed feed = table.follow()) {
            table.sql(statements.split(";"));
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            assertThat(feed.sink().gaps()).first().asString().contains("ALTERED: ", "have been altered");
            feed.sink().awaitStretch(2);
            table.insert("bob");
            feed.awaitMark();
            assertThat(feed.sink().knows("bob")).isTrue();
        } finally {
            table.sql("drop table if exists TABLE_old", "drop table if exists TABLE_child");
        }
    }

    @Test
    void aPartitionThatComesWithRowsIsAGapAndSoIsOneThatWasAway() {
        table.sql(
                "create table TABLE_p (id int primary key, username text) partition by range (id)",
                "create table TABLE_1 partition of TABLE_p for values from (0) to (10)",
                "create table TABLE_2 (id int primary key, username text)",
                "insert into TABLE_2 values (11, 'alice')",
                "alter publication TABLE set table TABLE_p");
        try (TestFeed feed = TestFeed.following(table.name(), new TableStore(table.name() + "_p", "username"))) {
            table.sql("alter table TABLE_p attach partition TABLE_2 for values from (10) to (20)");
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            feed.sink().awaitStretch(2);
            table.sql(
                    "alter table TABLE_p detach partition TABLE_1",
                    "insert into TABLE_1 values (1, 'bob')",
                    "alter table TABLE_p attach partition TABLE_1 for values from (0) to (10)");
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            feed.sink().awaitStretch(3);
            feed.awaitMark();
        } finally {
            table.sql("drop table TABLE_p");
        }
    }

    /** Each value is another now, and the log has told of none. */
    @Test
    void aRewrittenColumnIsAGap() {
        table.sql("alter publication TABLE set table TABLE"); // a list of columns would forbid it
        try (TestFeed feed = table.follow()) {
            table.sql("alter table TABLE alter username type text using upper(username)");
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            feed.sink().awaitStretch(2);
        }
    }

    /** Its events come before any question does. */
    @Test
    void aRenamedColumnIsFoundByItsFirstRow() {
        try (TestFeed feed = table.follow()) {
            table.sql("alter table TABLE rename username to login", "insert into TABLE (login) values ('alice')");
            assertThat(feed.sink().awaitGap("ALTERED: PostgreSQL's log lacks column username"))
                    .doesNotContain("alice");
            table.sql("alter table TABLE rename login to username");
            feed.sink().awaitStretch(2);
            table.insert("bob");
            feed.awaitMark();
            assertThat(feed.sink().knows("bob")).isTrue();
        }
    }

    /** What happens to any table every day. */
    @Test
    void vacuumAnalyzeAndConcurrentIndexesAreNone() {
        try (TestFeed feed = table.follow()) {
            table.sql(
                    "insert into TABLE (username) values ('alice')",
                    "vacuum freeze TABLE",
                    "analyze TABLE",
                    "create index concurrently on TABLE (lower(username))",
                    "comment on table TABLE is 'x'");
            feed.awaitMark();
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** It costs a scan, since it alters the table's row of the catalog; but one only, and the operator reads why. */
    @Test
    void aGapIsSaidOnceAndItsReasonStays() {
        try (TestFeed feed = table.follow()) {
            table.sql("grant select on TABLE to public");
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            feed.sink().awaitStretch(2);
            feed.awaitMark();
            assertThat(feed.sink().gaps()).singleElement().asString().startsWith("ALTERED: ");
        }
    }

    /** Which also happens where the server has crashed. */
    @Test
    void whoResetsTheStatisticsOfTheServersWriterIsNoOtherServer() {
        try (TestFeed feed = table.follow()) {
            TestServer.sql("select pg_stat_reset_shared('bgwriter')");
            feed.awaitMark();
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** Each forbids nothing else, but the log is silent in between. */
    @ParameterizedTest
    @FieldSource("AWAY")
    void whatWasAwayForAMomentIsAGap(String publication, String statements) {
        table.sql(("create schema TABLE_s; drop publication TABLE; create publication TABLE for " + publication)
                .split(";"));
        try (TestFeed feed = table.follow()) {
            table.sql(statements.split(";"));
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
            assertThat(feed.sink().knows("zoe")).isFalse();
            feed.sink().awaitStretch(2);
        } finally {
            table.sql("drop publication TABLE", "drop schema TABLE_s cascade");
        }
    }

    private static final List<Arguments> AWAY = List.of(
            Arguments.of(
                    "tables in schema public",
                    "alter table TABLE set schema TABLE_s; insert into TABLE_s.TABLE (username) values ('zoe');"
                            + "alter table TABLE_s.TABLE set schema public"),
            Arguments.of(
                    "all tables",
                    "alter table TABLE set unlogged; insert into TABLE (username) values ('zoe');"
                            + "alter table TABLE set logged"),
            Arguments.of(
                    "table TABLE",
                    "alter publication TABLE set (publish = 'delete'); insert into TABLE (username) values ('zoe');"
                            + "alter publication TABLE set (publish = 'insert, update')"));
}
