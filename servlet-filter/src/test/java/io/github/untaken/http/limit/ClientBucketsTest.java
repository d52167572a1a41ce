package io.github.untaken.http.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.untaken.filter.KeyHasher;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientBucketsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5 * SECOND); // as nanoTime may be, it wraps

    private ClientBuckets buckets(int perMinute, int burst, int places) {
        return new ClientBuckets(Rate.perMinute(perMinute, burst), places, KeyHasher.of(1, 2), clock::get);
    }

    /** A bucket as one would write it down: tokens, filled as time goes by. */
    private static final class Exact {
        private final double perNano;
        private final int burst;
        private double tokens;
        private long at;

        Exact(int perMinute, int burst, long now) {
            this.perNano = perMinute / 60e9;
            this.burst = burst;
            this.tokens = burst;
            this.at = now;
        }

        double tokens(long now) {
            tokens = Math.min(burst, tokens + (now - at) * perNano);
            at = now;
            return tokens;
        }
    }

    private static long take(ClientBuckets buckets, String client) {
        return buckets.take(new String[] {client}, new int[] {1});
    }

    @Test
    void sixtyAMinuteAndTwentyAtOnce() {
        ClientBuckets buckets = buckets(60, 20, 64);
        for (int i = 0; i < 20; i++) {
            assertThat(take(buckets, "a")).isZero();
        }
        assertThat(take(buckets, "a")).isEqualTo(SECOND);
        assertThat(take(buckets, "b")).isZero();
        clock.addAndGet(SECOND / 4);
        assertThat(take(buckets, "a")).isEqualTo(SECOND * 3 / 4);
        clock.addAndGet(SECOND * 3 / 4);
        assertThat(take(buckets, "a")).isZero();
        assertThat(take(buckets, "a")).isEqualTo(SECOND);
        clock.addAndGet(100 * SECOND);
        assertThat(IntStream.range(0, 30).filter(i -> take(buckets, "a") == 0).count())
                .isEqualTo(20);
    }

    @Test
    void doesAsExactBucketsWould() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            int perMinute = 1 + random.nextInt(600);
            int burst = 1 + random.nextInt(30);
            // One set, and as many clients as it has places: all must be told apart, and none forgotten.
            ClientBuckets buckets = buckets(perMinute, burst, 8);
            int refused = 0;
            Map<String, Exact> exact = new HashMap<>();
            for (int i = 0; i < 5_000; i++) {
                clock.addAndGet(random.nextLong(60 * SECOND / perMinute / 8));
                String client = "client " + random.nextInt(8);
                Exact oracle = exact.computeIfAbsent(client, c -> new Exact(perMinute, burst, clock.get()));
                double tokens = oracle.tokens(clock.get());
                boolean admitted = take(buckets, client) == 0;
                if (Math.abs(tokens - 1) > 1e-4) { // the oracle's own rounding
                    assertThat(admitted)
                            .as("seed %d, step %d, tokens %f", seed, i, tokens)
                            .isEqualTo(tokens > 1);
                }
                oracle.tokens -= admitted ? 1 : 0;
                refused += admitted ? 0 : 1;
            }
            assertThat(refused).as("seed %d", seed).isBetween(1000, 4000);
        }
    }

    /** A request that one bucket refuses takes from none of the others, and each has its own rate. */
    @Test
    void severalBucketsGiveATokenEachOrNone() {
        int[] refused = new int[3];
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            int[] shares = {1, 1 + random.nextInt(6), 4 + random.nextInt(30)};
            int perMinute = 1 + random.nextInt(600);
            int burst = 1 + random.nextInt(30);
            ClientBuckets buckets = buckets(perMinute, burst, 1 << 10);
            Map<String, Exact> exact = new HashMap<>();
            for (int i = 0; i < 20_000; i++) {
                clock.addAndGet(random.nextLong(60 * SECOND / perMinute / 12));
                int client = (int) Math.min(39, Math.abs(random.nextGaussian() * 12));
                String[] names = {"client " + client, "home " + client / 4, "site " + client / 40};
                boolean near = false;
                boolean expected = true;
                for (int j = 0; j < shares.length; j++) {
                    int share = shares[j];
                    Exact oracle = exact.computeIfAbsent(
                            names[j], name -> new Exact(share * perMinute, share * burst, clock.get()));
                    double tokens = oracle.tokens(clock.get());
                    near |= Math.abs(tokens - 1) < 1e-3; // the oracle's own rounding
                    expected &= tokens > 1;
                    refused[j] += tokens > 1 ? 0 : 1;
                }
                boolean looked = buckets.delay(names, shares) == 0;
                boolean admitted = buckets.take(names, shares) == 0;
                assertThat(looked).isEqualTo(admitted);
                if (!near) {
                    assertThat(admitted).as("seed %d, step %d", seed, i).isEqualTo(expected);
                }
                for (String name : names) {
                    exact.get(name).tokens -= admitted ? 1 : 0;
                }
            }
        }
        assertThat(refused).as("each was empty at times").doesNotContain(0);
    }

    @Test
    void whatIsChargedMustBeEarnedFirst() {
        ClientBuckets buckets = buckets(60, 3, 64);
        String[] names = {"a", "n"};
        int[] shares = {1, 2};
        buckets.charge(names, shares, 5);
        assertThat(buckets.delay(names, shares)).isEqualTo(3 * SECOND);
        assertThat(buckets.take(names, shares)).isEqualTo(3 * SECOND);
        assertThat(buckets.delay(new String[] {"b", "n"}, shares)).isZero();
        clock.addAndGet(3 * SECOND);
        assertThat(buckets.take(names, shares)).isZero();
    }

    /** Seventy-five strangers for each place in the table. */
    @Test
    void strangersNeedNoMoreMemoryRefuseNobodyAndHideNobody() {
        int places = 1 << 13;
        int strangers = 75 * places;
        ClientBuckets buckets = buckets(60, 20, places);
        for (int i = 0; i < 30; i++) {
            take(buckets, "heavy");
        }
        long heap = usedHeap();
        int refused = 0;
        for (int i = 0; i < strangers; i++) {
            // One after the other, and each only once: whoever is refused is refused for what others did.
            refused += take(buckets, Integer.toHexString(i)) == 0 ? 0 : 1;
        }
        assertThat(refused).isZero();
        // Less for each than the smallest object there is, with room for what other threads of this process allocate.
        assertThat(usedHeap() - heap).isLessThan(strangers * 8L);
        // All those strangers have not made it forget the one who asked most.
        assertThat(take(buckets, "heavy")).isPositive();
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void oneNetworkHasOneBucketWhateverThreadsItsClientsComeThrough(long hashKey) throws Exception {
        // With other keys of the hash the locks are taken in another order.
        ClientBuckets buckets =
                new ClientBuckets(Rate.perMinute(1, 1000), 1 << 10, KeyHasher.of(hashKey, 2), clock::get);
        int[] both = {1, 5};
        int[] alone = {1};
        AtomicInteger[] admitted =
                IntStream.range(0, 8).mapToObj(c -> new AtomicInteger()).toArray(AtomicInteger[]::new);
        CountDownLatch start = new CountDownLatch(1);
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            int first = t;
            threads[t] = new Thread(() -> {
                try {
                    start.await();
                    for (int i = 0; i < 4000; i++) {
                        int client = (first + i) % 8;
                        String[] names = {"client " + client, "network"};
                        admitted[client].addAndGet(buckets.take(names, both) == 0 ? 1 : 0);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            threads[t].start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join(20_000);
        }
        assertThat(Stream.of(admitted).mapToInt(AtomicInteger::get).sum()).isEqualTo(5000);
        // None of those refused has lost a token of its own: what is left is what it had.
        for (int client = 0; client < 8; client++) {
            String[] name = {"client " + client};
            int left = 0;
            while (buckets.take(name, alone) == 0) {
                left++;
            }
            assertThat(left + admitted[client].get()).isEqualTo(1000);
        }
    }

    @Test
    void oneBucketForAllHasItsRateToo() {
        TokenBucket bucket = new TokenBucket(Rate.perMinute(60, 3), clock::get);
        assertThat(IntStream.range(0, 10).filter(i -> bucket.take()).count()).isEqualTo(3);
        clock.addAndGet(SECOND);
        assertThat(IntStream.range(0, 10).filter(i -> bucket.take()).count()).isEqualTo(1);
        clock.addAndGet(60 * SECOND);
        assertThat(IntStream.range(0, 10).filter(i -> bucket.take()).count()).isEqualTo(3);
    }

    @Test
    void nonsenseIsRefused() {
        for (int[] bad : new int[][] {{0, 1}, {-1, 1}, {60_000_001, 1}, {1, 0}, {1, -1}, {1, 1_000_001}}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Rate.perMinute(bad[0], bad[1]))
                    .withMessageContaining(Integer.toString(bad[0] == 1 ? bad[1] : bad[0]));
        }
        for (int places : new int[] {0, 4, 12, -8}) {
            assertThatIllegalArgumentException().isThrownBy(() -> buckets(1, 1, places));
        }
    }
}
