package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Console;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose connections somebody ends again and again, while others write. */
@Tag("ci")
class CutConnectionsTest {
    private static final int ROUNDS = Integer.getInteger("cluster.cuts", 50);

    /** A name that was acknowledged, and in which stretch of the feed its insertion began; 0 if nothing was followed then. */
    private record Acknowledged(String name, int stretch) {}

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasAcknowledgedBeforeAMarkIsToldOrAGapWasSaid(boolean kept) throws Exception {
        long seed = Long.getLong("cluster.seed", 42);
        Random random = new Random(seed);
        try (TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name()).keepSlots(kept), table.store());
                Writers writers = new Writers(table, feed.sink())) {
            feed.sink().awaitFollowing();
            int marks = 0;
            int checked = 0;
            for (int round = 0; round < ROUNDS; round++) {
                if (random.nextBoolean()) {
                    SlotTest.terminate(table.slots());
                }
                if (random.nextBoolean()) {
                    TestServer.sql(
                            "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'untaken %'");
                }
                for (boolean answered = false; !answered; ) {
                    List<Acknowledged> before = writers.acknowledged();
                    try {
                        feed.feed().awaitMark(Duration.ofMillis(random.nextInt(1, 2_000)));
                        answered = true;
                        marks++;
                        int stretch = feed.sink().stretches();
                        List<String> names = before.stream()
                                .filter(each -> each.stretch() == stretch)
                                .map(Acknowledged::name)
                                .toList();
                        checked += names.size();
                        assertThat(names).as("seed %s, round %s", seed, round).allMatch(feed.sink()::knows);
                    } catch (StoreException e) {
                        // no answer promises nothing
                    }
                }
            }
            assertThat(marks).isEqualTo(ROUNDS);
            assertThat(checked).isGreaterThan(ROUNDS);
            if (kept) {
                assertThat(feed.sink().gaps()).isEmpty();
            } else {
                assertThat(feed.sink().gaps()).isNotEmpty().allMatch(gap -> gap.startsWith("CONNECTION: "));
            }
        }
    }

    /** Two that write without pause, one of which does not wait for the disk. */
    private static final class Writers implements AutoCloseable {
        private final List<Acknowledged> acknowledged = new ArrayList<>(); // guarded by this
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean ended;

        Writers(TestTable table, RecordingSink sink) {
            for (String synchronous : List.of("on", "off")) {
                Thread thread = new Thread(() -> write(table, sink, synchronous));
                thread.start();
                threads.add(thread);
            }
        }

        private void write(TestTable table, RecordingSink sink, String synchronous) {
            try (Connection connection = TestServer.console()) {
                Console.sql(connection, "set synchronous_commit = " + synchronous);
                try (PreparedStatement insert =
                        connection.prepareStatement("insert into " + table.name() + " (username) values (?)")) {
                    for (int i = 0; !ended; i++) {
                        String name = synchronous + i;
                        int stretch = sink.stretchNow();
                        insert.setString(1, name);
                        insert.executeUpdate();
                        synchronized (this) {
                            acknowledged.add(new Acknowledged(name, stretch));
                        }
                        if (i % 20 == 0) {
                            Thread.sleep(1); // the others need the processor, too
                        }
                    }
                }
            } catch (SQLException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        synchronized List<Acknowledged> acknowledged() {
            return List.copyOf(acknowledged);
        }

        @Override
        public void close() throws InterruptedException {
            ended = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
