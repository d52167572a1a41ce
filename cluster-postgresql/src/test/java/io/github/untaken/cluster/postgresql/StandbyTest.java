package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.StoreException;
import io.github.untaken.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The log is ahead of what reads see, for as long as a commit waits for its standby. */
class StandbyTest {

    @Test
    void aRowThatNobodySeesYetIsToldAndABarrierWaitsForIt() throws Exception {
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow()) {
            feed.awaitMark();
            Writer writer = new Writer(table);
            try (AutoCloseable absent = TestServer.setting("synchronous_standby_names", "nobody")) {
                writer.writesUntilItWaits();
                feed.sink().awaitTold(writer.last());
                assertThat(TestServer.query(
                                "select 'seen' from " + table.name() + " where username = '" + writer.last() + "'"))
                        .isEmpty();
                // No answer that an old primary, cut off from its standby, would give by itself.
                assertThatThrownBy(() -> feed.feed().awaitMark(Duration.ofMillis(300)))
                        .isInstanceOf(StoreException.class);
                CompletableFuture<Void> asker = CompletableFuture.runAsync(feed::awaitMark);
                awaitAndCancelTheQuestion(asker);
                asker.join();
                assertThat(writersOf(table)).as("a birth waits for it").isEqualTo("1");
                assertThat(writer.isWaiting()).isTrue();
            }
            writer.join();
            feed.awaitMark();
            assertThat(writersOf(table)).isEqualTo("0");
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }

    private static String writersOf(TestTable table) {
        return TestServer.query("select count(*) from pg_locks where mode = 'RowExclusiveLock' and relation = '"
                + table.name() + "'::regclass");
    }

    /** A cancelled wait for the standby is a commit with a warning: the question is answered, by a snapshot that does not see the row. */
    private static void awaitAndCancelTheQuestion(CompletableFuture<Void> asker) {
        while (!asker.isDone()) {
            TestServer.query("select pg_cancel_backend(pid) from pg_stat_activity"
                    + " where application_name like 'untaken %' and wait_event = 'SyncRep'");
        }
    }

    /** One in each second would use up all connections of the server. */
    @Test
    @Tag("ci")
    void questionsThatAreGivenUpLeaveNothingBehind() throws Exception {
        try (TestTable table = TestTable.published();
                TestFeed feed = table.follow()) {
            Writer writer = new Writer(table);
            try (AutoCloseable absent = TestServer.setting("synchronous_standby_names", "nobody")) {
                writer.writesUntilItWaits();
                for (int i = 0; i < 10; i++) {
                    assertThatThrownBy(() -> feed.feed().awaitMark(Duration.ofMillis(50)))
                            .isInstanceOf(StoreException.class);
                }
                assertThat(TestServer.query("select pid from pg_stat_activity where application_name like 'untaken %'")
                                .lines())
                        .hasSizeLessThanOrEqualTo(2); // one of them is being ended
            }
            writer.join();
            SlotTest.awaitMark(feed);
        }
    }

    /** The setting counts for everybody once the checkpointer has read it: when the first commit waits. */
    private static final class Writer {
        private final TestTable table;
        private final Thread thread = new Thread(this::write);
        private volatile boolean waits;
        private volatile int written;

        Writer(TestTable table) {
            this.table = table;
        }

        private void write() {
            for (int i = 1; !waits; i++) {
                written = i;
                table.insert("user" + i);
            }
        }

        void writesUntilItWaits() {
            thread.start();
            Eventually.holds("a commit waits for its standby", this::isWaiting);
            waits = true;
        }

        boolean isWaiting() {
            return !TestServer.query("select pid from pg_stat_activity where wait_event = 'SyncRep'"
                            + " and application_name not like 'untaken %'")
                    .isEmpty();
        }

        String last() {
            return "user" + written;
        }

        void join() throws InterruptedException {
            thread.join();
        }
    }
}
