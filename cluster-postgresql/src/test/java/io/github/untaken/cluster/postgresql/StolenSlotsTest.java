package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Processes that share fewer slots than there are processes lose their connections again and again, while others start and take what
 * they find: none may go on with a slot that another has made anew.
 */
@Tag("ci")
class StolenSlotsTest {
    private static final int SLOTS = 2;
    private static final int PROCESSES = 3;

    @Test
    void whatWasCommittedInAStretchIsToldInItHoweverSlotsChangeHands() throws Exception {
        Random random = new Random(Long.getLong("cluster.seed", 42));
        List<TestFeed> feeds = new ArrayList<>();
        int judged = 0;
        try (AutoCloseable limit = TestServer.setting("max_slot_wal_keep_size", "1GB");
                TestTable table = TestTable.published()) {
            try {
                for (int round = 0; round < 60; round++) {
                    if (feeds.size() < PROCESSES) {
                        feeds.add(TestFeed.connected(
                                settings -> settings.publication(table.name()).slots(SLOTS), table.store()));
                    } else if (random.nextInt(4) == 0) {
                        feeds.remove(random.nextInt(PROCESSES)).close();
                    }
                    judged += judged(table, feeds.get(random.nextInt(feeds.size())), "user" + round, random);
                }
            } finally {
                feeds.forEach(TestFeed::close);
            }
        }
        assertThat(judged).as("names asked for within one stretch").isPositive();
    }

    /** Commits a name, cuts all connections to the log or does not, and looks whether the feed has been told of it, or had a gap. */
    private static int judged(TestTable table, TestFeed feed, String name, Random random) {
        int stretch = feed.sink().stretchNow();
        boolean cut = random.nextInt(3) > 0;
        if (cut && random.nextBoolean()) {
            SlotTest.terminate(table.slots());
        }
        table.insert(name);
        if (cut) {
            SlotTest.terminate(table.slots());
        }
        try {
            feed.feed().awaitMark(Duration.ofSeconds(2));
        } catch (StoreException e) {
            return 0; // it does not say that it knows
        }
        if (stretch == 0 || feed.sink().stretchNow() != stretch) {
            return 0; // there was a gap, and a scan
        }
        assertThat(feed.sink().knows(name)).as(name).isTrue();
        return 1;
    }
}
