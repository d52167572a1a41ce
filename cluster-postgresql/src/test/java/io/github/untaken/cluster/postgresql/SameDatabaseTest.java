package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.feeds.UnaskedStore;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.RegisteredIdentifierStore.Identified;
import io.github.untaken.spi.RegisteredIdentifierStore.TableColumn;
import io.github.untaken.spi.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stores read the very tables whose log is followed, as they were when that was found out. */
class SameDatabaseTest {
    private TestTable table;

    @BeforeEach
    void createTable() {
        table = TestTable.published();
    }

    @AfterEach
    void dropTable() {
        table.close();
    }

    private record Located(TableColumn column, Supplier<DatabaseMark> mark) implements UnaskedStore, Identified {
        @Override
        public DatabaseMark present() {
            return mark.get();
        }
    }

    private TestFeed follow(Supplier<DatabaseMark> mark) {
        return TestFeed.connected(
                settings -> settings.publication(table.name()),
                new Located(new TableColumn(table.name(), "username"), mark));
    }

    /** As {@code untaken-jdbc} asks. */
    private DatabaseMark here() {
        String[] parts = TestServer.query("select concat_ws('/', s.system_identifier,"
                        + " left(pg_walfile_name(pg_current_wal_lsn()), 8), d.oid, '" + table.name()
                        + "'::regclass::oid) || ' ' || (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint"
                        + " from pg_control_system() s, pg_database d where d.datname = current_database()")
                .split(" ", -1);
        return new DatabaseMark(parts[0], Long.parseLong(parts[1]));
    }

    /** As one whose pool leads to a standby, which writes no log. */
    @Test
    void aStoreThatCannotSayWhereItReadsIsNotFollowedAndTheReasonSaysSo() {
        AtomicBoolean standby = new AtomicBoolean(true);
        Supplier<DatabaseMark> mark = () -> {
            if (standby.get()) {
                throw new StoreException("recovery is in progress");
            }
            return here();
        };
        try (TestFeed feed = follow(mark)) {
            feed.sink().awaitGap("STORE: a store cannot identify its database: recovery is in progress");
            assertThat(feed.sink().stretches()).isZero();
            standby.set(false);
            feed.sink().awaitFollowing();
        }
    }

    @Test
    void aStoreOfTheSameTableIsFollowed() {
        try (TestFeed feed = follow(this::here)) {
            feed.sink().awaitFollowing();
            feed.awaitMark();
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    /** What was in order a moment ago is altered before anybody has noted how it was. */
    @Test
    void aPublicationThatIsAlteredMeanwhileIsNotFollowed() {
        try (TestFeed feed = follow(() -> {
            table.sql("alter publication TABLE set (publish = 'delete')");
            return here();
        })) {
            feed.sink().awaitNews();
            assertThat(feed.sink().stretches()).isZero();
            assertThatThrownBy(feed::awaitMark).isInstanceOf(StoreException.class);
        }
    }

    /** It has all the names of this one, and its own log. */
    @ParameterizedTest
    @ValueSource(longs = {-100_000_000, 100_000_000})
    void aCopyOfTheServerIsNotFollowed(long ahead) {
        try (TestFeed feed = follow(() -> new DatabaseMark(here().identity(), here().position() + ahead))) {
            feed.sink().awaitNews();
            assertThat(feed.sink().stretches()).isZero();
            feed.sink().awaitGap("leads to another database");
        }
    }

    /** As after a failover, while the old primary still runs and answers all that the feed asks. */
    @Test
    @Tag("ci")
    void aStoreThatIsLedElsewhereLaterIsAGap() {
        AtomicBoolean elsewhere = new AtomicBoolean();
        try (TestFeed feed = follow(() -> elsewhere.get() ? new DatabaseMark("elsewhere", 1) : here())) {
            feed.sink().awaitFollowing();
            elsewhere.set(true);
            feed.awaitMark();
            feed.sink().awaitGap("leads to another database");
            assertThat(feed.sink().isFollowing()).isFalse();
            assertThat(feed.feed().figures().backlog())
                    .hasValueSatisfying(
                            backlog -> assertThat(backlog.heldBytes()).isGreaterThanOrEqualTo(backlog.unreadBytes()));
            elsewhere.set(false);
            feed.sink().awaitStretch(2);
        }
    }

    private TestFeed life(Set<String> left, Supplier<DatabaseMark> mark) {
        PostgreSqlFeed feed = PostgreSqlFeed.of(TestServer.url())
                .user(TestServer.USER)
                .publication(table.name())
                .keepSlots(true)
                .build();
        feed.covers(Map.of(
                IdentifierKind.USERNAME, List.of(new Located(new TableColumn(table.name(), "username"), mark))));
        feed.resume(left);
        RecordingSink sink = new RecordingSink();
        feed.connect(sink);
        return new TestFeed(feed, sink);
    }

    /** As after a failover between the two. */
    @Test
    void aStoreThatIsLedElsewhereBetweenTwoLivesIsNotGoneOnWith() {
        Set<String> left;
        try (TestFeed first = life(Set.of(), this::here)) {
            first.sink().awaitFollowing();
            first.awaitMark();
            left = Set.of(first.feed().position().orElseThrow());
            first.feed().kept(left);
        }
        try (TestFeed next = life(left, () -> new DatabaseMark("elsewhere", 1))) {
            next.sink().awaitNews();
            assertThat(next.sink().stretches()).isZero();
            next.sink().awaitGap("leads to another database");
        }
        TestServer.sql("select pg_drop_replication_slot(slot_name) from pg_replication_slots where not active");
    }
}
