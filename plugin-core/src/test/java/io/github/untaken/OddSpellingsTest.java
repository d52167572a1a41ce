package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.memory.OddSpellings;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OddSpellingsTest {
    private static final long SEED = Seed.of(OddSpellingsTest.class, 20261122);

    @Test
    void holdsExactlyWhatWasAddedHoweverItGrows() {
        OddSpellings odd = new OddSpellings(1_000_000);
        Set<Long> oracle = new HashSet<>();
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 50_000; i++) {
            // Some of them in a few places of the table, so that they stand one behind the other.
            long hash = i % 50 != 0 ? random.nextLong() : (long) random.nextInt(4) << 32 | random.nextInt() >>> 1;
            odd.add(hash);
            oracle.add(hash);
            if (i % 5_000 == 0) {
                assertAgrees(odd, oracle, random);
            }
        }
        assertAgrees(odd, oracle, random);
        assertThat(odd.bytes()).isBetween(16L * odd.size(), 32L * odd.size() + 16 * Long.BYTES);
    }

    private static void assertAgrees(OddSpellings odd, Set<Long> oracle, SplittableRandom random) {
        assertThat(odd.size()).as("seed %d", SEED).isEqualTo(oracle.size());
        for (long hash : oracle) {
            assertThat(odd.contains(hash)).as("seed %d", SEED).isTrue();
        }
        for (int i = 0; i < 1_000; i++) {
            long other = random.nextLong();
            assertThat(odd.contains(other)).as("seed %d", SEED).isEqualTo(oracle.contains(other));
        }
    }

    @Test
    void theHashThatMarksAnEmptyPlaceIsHeldAsAnyOther() {
        OddSpellings odd = new OddSpellings(10);
        assertThat(odd.contains(0)).isFalse();
        odd.add(0);
        assertThat(odd.contains(0)).isTrue();
        assertThat(odd.size()).isEqualTo(1);
    }

    @Test
    void isFullOnlyOnceOneCouldNotBeKept() {
        OddSpellings odd = new OddSpellings(2);
        assertThat(odd.isEmpty()).isTrue();
        odd.add(10);
        odd.add(20);
        odd.add(10);
        assertThat(odd).matches(now -> !now.isFull() && !now.isEmpty() && now.size() == 2);
        odd.add(30);
        assertThat(odd).matches(now -> now.isFull() && now.size() == 2);
        assertThat(odd.contains(10) && odd.contains(20)).isTrue();
        assertThat(odd.contains(30)).isFalse();
    }

    @Test
    void oneThatMayHoldNoneIsFullFromTheFirst() {
        OddSpellings odd = new OddSpellings(0);
        odd.add(1);
        assertThat(odd.isFull()).isTrue();
        assertThat(odd.contains(1)).isFalse();
    }

    /** What was added before the counter was raised is found by whoever reads the counter, in whatever table. */
    @Test
    void readersBesideTheWriterMissNothing() {
        int count = 100_000;
        OddSpellings odd = new OddSpellings(count);
        long[] hashes = new SplittableRandom(SEED).longs(count).toArray();
        AtomicInteger published = new AtomicInteger();
        CompletableFuture<Integer> reader = CheckerFixture.beside(() -> {
            SplittableRandom random = new SplittableRandom(SEED + 1);
            int missed = 0;
            int until;
            do {
                until = published.get();
                for (int i = 0; i < 100 && until > 0; i++) {
                    missed += odd.contains(hashes[i == 0 ? until - 1 : random.nextInt(until)]) ? 0 : 1;
                }
            } while (until < count);
            return missed;
        });
        for (long hash : hashes) {
            odd.add(hash);
            published.incrementAndGet();
        }
        assertThat(CheckerFixture.soon(reader)).as("missed, seed %d", SEED).isZero();
    }
}
