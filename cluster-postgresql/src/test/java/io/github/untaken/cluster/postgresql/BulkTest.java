package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.GapReason;
import java.io.StringReader;
import java.sql.Connection;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class BulkTest {

    @Test
    void aSmallCopyIsToldRowByRow() throws Exception {
        copied(3_000);
    }

    @Test
    @Tag("ci")
    void aCopyOfAMillionRowsIsToldRowByRow() throws Exception {
        copied(1_000_000);
    }

    private static void copied(int rows) throws Exception {
        BitSet told = new BitSet(); // touched by the feed's thread, read after a mark
        CountDownLatch following = new CountDownLatch(1);
        try (TestTable table = TestTable.published();
                Connection console = TestServer.console()) {
            PostgreSqlFeed feed = PostgreSqlFeed.of(TestServer.url())
                    .user(TestServer.USER)
                    .publication(table.name())
                    .build();
            feed.covers(Map.of(IdentifierKind.USERNAME, List.of(table.store())));
            feed.connect(new ChangeSink() {
                @Override
                public void registered(IdentifierKind kind, String value) {
                    told.set(Integer.parseInt(value.substring("user".length())));
                }

                @Override
                public void gap(GapReason reason, String detail) {
                    throw new AssertionError(reason);
                }

                @Override
                public void resumed() {
                    throw new AssertionError("nothing was left");
                }

                @Override
                public void following() {
                    following.countDown();
                }
            });
            try {
                following.await();
                String text =
                        IntStream.range(0, rows).mapToObj(i -> i + "\tuser" + i).collect(Collectors.joining("\n"));
                console.unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("copy " + table.name() + " (id, username) from stdin", new StringReader(text));
                feed.awaitMark(Duration.ofMinutes(2));
                assertThat(told.cardinality()).isEqualTo(rows);
            } finally {
                feed.disconnect();
            }
        }
    }

    /** The server is silent while it goes through it, which is no reason to begin anew. */
    @Test
    @Tag("ci")
    void aLargeTransactionOnOtherTablesIsNoGap() {
        try (TestTable table = TestTable.published();
                TestTable other = TestTable.unpublished();
                TestFeed feed = table.follow()) {
            other.sql("insert into TABLE (username) select 'x' || x from generate_series(1, 1000000) as numbers(x)");
            table.insert("alice");
            SlotTest.awaitMark(feed);
            assertThat(feed.sink().knows("alice")).isTrue();
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }
}
