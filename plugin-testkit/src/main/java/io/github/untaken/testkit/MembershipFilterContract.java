package io.github.untaken.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What every {@link MembershipFilter} must do. Extend it, supply a factory and the abilities, and inherit the tests.
 * For a filter with removal, extend {@link RemovableMembershipFilterContract} instead.
 */
public abstract class MembershipFilterContract {
    static final long SEED = Seed.of(MembershipFilterContract.class, 20261121);

    /** The largest filter whose error rate is measured; {@code -Dfilter.entries=10000000} for the long run. */
    private static final long LARGEST = Long.getLong("filter.entries", 100_000);

    /** Most hashes queried when an error rate is measured; {@code -Dfilter.questions=20000000} for more precision. */
    private static final double MOST_QUESTIONS = Long.getLong("filter.questions", 4_000_000);

    protected MembershipFilterContract() {}

    /** A new empty filter planned for this many entries; throws {@link IllegalArgumentException} if that is invalid. */
    protected abstract MembershipFilter create(long expectedEntries);

    protected abstract FilterAbilities abilities();

    @Test
    public void anEmptyFilterHoldsNothing() {
        for (int size : new int[] {1, 2, 3, 10, 1_000, 100_000}) {
            MembershipFilter filter = create(size);
            assertThat(filter.entries()).isZero();
            for (long hash : hashes(1, 10_000)) {
                assertThat(filter.mightContain(hash)).isFalse();
            }
            for (long hash : hostileHashes()) {
                assertThat(filter.mightContain(hash)).isFalse();
            }
        }
    }

    @Test
    public void neverForgetsAnAddedKey() {
        for (int size : new int[] {1, 2, 3, 10, 1_000, 100_000}) {
            MembershipFilter filter = create(size);
            long[] hashes = hashes(size, size);
            for (long hash : hashes) {
                assertThat(filter.add(hash)).as("size %d, seed %d", size, SEED).isTrue();
                assertThat(filter.mightContain(hash)).isTrue();
            }
            assertAllHeld(filter, hashes);
            assertThat(filter.entries()).isEqualTo(size);
        }
    }

    /**
     * Also for hashes never added: callers that add only what the filter does not know yet rely on that. Queried again
     * after each doubling of the entries until beyond the capacity, and so over every growth.
     */
    @Test
    public void onceMaybeIsAlwaysMaybe() {
        int probes = 100_000;
        for (int size : new int[] {10, 1_000, 20_000}) {
            MembershipFilter filter = create(size);
            long[] asked = hashes(30, probes);
            long[] added = hashes(31 + size, size * 3);
            BitSet maybe = new BitSet(probes);
            int next = 0;
            for (int until = Math.max(1, size / 32); next < added.length; until = Math.min(2 * until, added.length)) {
                while (next < until) {
                    boolean unused = filter.add(added[next++]); // or refused, which changes nothing
                }
                for (int i = 0; i < probes; i++) {
                    boolean now = filter.mightContain(asked[i]);
                    if (maybe.get(i) && !now) {
                        throw new AssertionError("a hash that was never added is no member any more after " + next
                                + " additions to a filter for " + size + ", seed " + SEED);
                    }
                    maybe.set(i, now);
                }
            }
        }
    }

    @Test
    public void beyondItsCapacityItRefusesOrKeepsWhatItAccepted() {
        for (int size : new int[] {1, 10, 1_000, 20_000}) {
            MembershipFilter filter = create(size);
            List<Long> accepted = new ArrayList<>();
            int refused = 0;
            for (long hash : hashes(size, size * 3 + 2_000)) {
                long before = filter.entries();
                if (filter.add(hash)) {
                    accepted.add(hash);
                } else {
                    refused++;
                    assertThat(filter.entries()).isEqualTo(before);
                }
            }
            assertThat(accepted).as("size %d, seed %d", size, SEED).allMatch(filter::mightContain);
            if (!abilities().refusesWhenFull()) {
                assertThat(refused).isZero();
            }
        }
    }

    /** Permanently full: none of a thousand refusals may push out, or half write, anything. */
    @Test
    public void aThousandRefusalsChangeNothing() {
        assumeTrue(abilities().refusesWhenFull(), "the filter never refuses");
        for (int size : new int[] {1, 100, 5_000}) {
            MembershipFilter filter = create(size);
            SplittableRandom random = new SplittableRandom(SEED + size);
            List<Long> accepted = new ArrayList<>();
            int refused = 0;
            while (refused == 0) {
                refused += addOrRefuse(filter, random.nextLong(), accepted) ? 0 : 1;
            }
            assertThat(accepted).hasSizeGreaterThanOrEqualTo(size);
            while (refused < 1_000) {
                refused += addOrRefuse(filter, random.nextLong(), accepted) ? 0 : 1;
            }
            assertThat(accepted).as("size %d, seed %d", size, SEED).allMatch(filter::mightContain);
            assertThat(filter.entries()).isEqualTo(accepted.size());
        }
    }

    /** Whether it was accepted; if not, the filter must answer as before. */
    private static boolean addOrRefuse(MembershipFilter filter, long hash, List<Long> accepted) {
        long entries = filter.entries();
        boolean answer = filter.mightContain(hash);
        if (filter.add(hash)) {
            accepted.add(hash);
            return true;
        }
        assertThat(filter.mightContain(hash)).isEqualTo(answer);
        assertThat(filter.entries()).isEqualTo(entries);
        return false;
    }

    /**
     * At most 1.1 times the declared rate. If there are too few queries to tell that from chance, at most as many false
     * answers as a filter of exactly that rate exceeds once in a million runs.
     */
    @Test
    public void theErrorRateIsAtMostATenthAboveTheDeclaredOne() {
        double declared = abilities().errorRate();
        boolean countable = declared * MOST_QUESTIONS > 10;
        long questions = (long) Math.min(countable ? MOST_QUESTIONS : MOST_QUESTIONS / 4, 3_000 / declared);
        double most = Math.max(1.1 * declared * questions, (double) BinomialBound.most(questions, declared, 1e-6));
        for (long size : LongStream.of(1_000, 100_000, LARGEST).distinct().toArray()) {
            // Tiny filters differ, so the mean takes several.
            int filters = (int) Math.max(1, 20_000 / size);
            SplittableRandom random = new SplittableRandom(SEED ^ size);
            long wrong = 0;
            for (int i = 0; i < filters; i++) {
                MembershipFilter filter = filled(size, random);
                for (long asked = 0; asked < questions / filters; asked++) {
                    wrong += filter.mightContain(random.nextLong()) ? 1 : 0;
                }
            }
            System.out.printf(
                    "%s: %d false of %d, %.3e at %d entries, %.3e declared, seed %d%n",
                    getClass().getSimpleName(), wrong, questions, (double) wrong / questions, size, declared, SEED);
            assertThat((double) wrong)
                    .as("wrong answers of %d at size %d, seed %d", questions, size, SEED)
                    .isLessThanOrEqualTo(most);
        }
    }

    /** A filter filled as planned, with every entry queried afterwards. */
    private MembershipFilter filled(long size, SplittableRandom random) {
        MembershipFilter filter = create(size);
        long seed = random.nextLong();
        SplittableRandom once = new SplittableRandom(seed);
        for (long i = 0; i < size; i++) {
            if (!filter.add(once.nextLong())) {
                throw new AssertionError("refused entry " + i + " of " + size + ", seed " + SEED);
            }
        }
        SplittableRandom again = new SplittableRandom(seed);
        long missing = 0;
        for (long i = 0; i < size; i++) {
            missing += filter.mightContain(again.nextLong()) ? 0 : 1;
        }
        assertThat(missing).as("forgotten of %d, seed %d", size, SEED).isZero();
        return filter;
    }

    @Test
    public void survivesHostileHashes() {
        MembershipFilter filter = create(10_000);
        List<Long> accepted = new ArrayList<>();
        for (long hash : hostileHashes()) {
            if (filter.add(hash)) {
                accepted.add(hash);
            }
        }
        assertThat(accepted).isNotEmpty().allMatch(filter::mightContain);
        if (!abilities().refusesWhenFull()) {
            assertThat(accepted).hasSize(hostileHashes().length);
        }
    }

    @Test
    public void equalKeysAndEqualSecretsGiveEqualAnswers() {
        List<String> names = SeededKeys.of(SEED).usernames(20_000);
        List<String> added = names.subList(0, 5_000);
        boolean[] answers = answers(KeyHasher.of(1, 2), added, names);

        assertThat(answers(KeyHasher.of(1, 2), added, names)).isEqualTo(answers);
        for (int i = 0; i < added.size(); i++) {
            assertThat(answers[i]).isTrue();
        }
        long[] underOne = hashes(KeyHasher.of(1, 2), names);
        long[] underAnother = hashes(KeyHasher.of(1, 3), names);
        for (int i = 0; i < underOne.length; i++) {
            assertThat(underOne[i]).isNotEqualTo(underAnother[i]);
        }
    }

    private boolean[] answers(KeyHasher hasher, List<String> added, List<String> asked) {
        MembershipFilter filter = create(added.size());
        for (long hash : hashes(hasher, added)) {
            assertThat(filter.add(hash)).isTrue();
        }
        boolean[] answers = new boolean[asked.size()];
        filter.mightContainAll(hashes(hasher, asked), answers);
        return answers;
    }

    @Test
    public void aDuplicateIsHarmless() {
        MembershipFilter filter = create(1_000);
        long[] hashes = hashes(3, 300);
        for (int round = 0; round < 3; round++) {
            for (long hash : hashes) {
                assertThat(filter.add(hash)).isTrue();
            }
        }
        assertAllHeld(filter, hashes);
    }

    @Test
    public void theBatchFormAgreesWithTheSingleForm() {
        MembershipFilter filter = create(1_000);
        long[] hashes = hashes(4, 2_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(filter.add(hashes[i])).isTrue();
        }
        for (int size : new int[] {0, 1, 2, 15, 16, 17, 31, 33, 1_000, 2_000}) {
            long[] some = Arrays.copyOfRange(hashes, 1_000 - size / 2, 1_000 - size / 2 + size);
            long[] asked = some.clone();
            for (int longer : new int[] {0, 1, 17}) {
                for (boolean before : new boolean[] {false, true}) {
                    boolean[] results = new boolean[size + longer];
                    Arrays.fill(results, before);
                    filter.mightContainAll(asked, results);
                    for (int i = 0; i < size; i++) {
                        assertThat(results[i]).isEqualTo(filter.mightContain(some[i]));
                    }
                    for (int i = size; i < results.length; i++) {
                        assertThat(results[i])
                                .as("what was behind the last result")
                                .isEqualTo(before);
                    }
                }
            }
            assertThat(asked).isEqualTo(some);
        }
    }

    @Test
    public void theBatchFormRefusesTooLittleRoomBeforeItAnswersAnything() {
        MembershipFilter filter = create(100);
        long[] hashes = hashes(20, 100);
        for (long hash : hashes) {
            assertThat(filter.add(hash)).isTrue();
        }
        for (int size : new int[] {1, 3, 16, 17, 100}) {
            boolean[] results = new boolean[size - 1];
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> filter.mightContainAll(Arrays.copyOf(hashes, size), results))
                    .withMessageContaining("results")
                    .withMessageContaining(Integer.toString(size))
                    .withMessageContaining(Integer.toString(size - 1));
            assertThat(results).doesNotContain(true);
        }
    }

    @Test
    public void refusesANonsensicalSizeWithoutAllocatingIt() {
        for (long size : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 45}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> create(size))
                    .withMessageContaining("expectedEntries")
                    .withMessageContaining(Long.toString(size));
        }
    }

    @Test
    public void tellsItsCapacityAndItsMemory() {
        for (int size : new int[] {1, 1_000, 100_000}) {
            MembershipFilter filter = create(size);
            assertThat(filter.capacity()).isGreaterThanOrEqualTo(size);
            // No set with this error rate can use fewer bits: log2(1 / rate) an entry.
            double least = -Math.log(abilities().errorRate()) / Math.log(2) / 8 * size;
            assertThat((double) filter.bytes()).isBetween(least, 64.0 * size + 65_536);
        }
    }

    @Test
    public void showsItsSizeAndNoHash() {
        MembershipFilter filter = create(1_000);
        long hash = 0x1234_5678_9abc_def0L;
        assertThat(filter.add(hash)).isTrue();
        assertThat(filter.toString())
                .contains("1")
                .contains("1000")
                .doesNotContain(Long.toString(hash))
                .doesNotContainIgnoringCase(Long.toHexString(hash));
    }

    /** Any thread finds a key that was published through a volatile counter after its {@code add} returned. */
    @Test
    public void readersSeeEveryKeyAsSoonAsItsAddReturned() throws InterruptedException, ExecutionException {
        int size = 60_000;
        MembershipFilter filter = create(size);
        long[] hashes = hashes(5, size);
        AtomicInteger published = new AtomicInteger();
        long missed = Crew.race(
                () -> {
                    for (long hash : hashes) {
                        assertThat(filter.add(hash)).isTrue();
                        published.incrementAndGet();
                    }
                },
                reader -> {
                    SplittableRandom random = new SplittableRandom(SEED + reader);
                    int until = published.get();
                    long missing = 0;
                    for (int i = 0; i < 64 && until > 0; i++) {
                        // The newest one and any other.
                        missing += filter.mightContain(hashes[i == 0 ? until - 1 : random.nextInt(until)]) ? 0 : 1;
                    }
                    return missing;
                });
        assertThat(missed).as("missed, seed %d", SEED).isZero();
        assertAllHeld(filter, hashes);
    }

    @Test
    public void severalWritersLoseNothing() throws InterruptedException, ExecutionException {
        assumeTrue(abilities().severalWriters(), "the filter is for one writer at a time");
        int writers = 4;
        int each = 25_000;
        MembershipFilter filter = create((long) writers * each);
        long[] hashes = hashes(6, writers * each);
        Crew.together(writers, writer -> {
            for (int i = 0; i < each; i++) {
                assertThat(filter.add(hashes[writer * each + i])).isTrue();
            }
        });
        assertAllHeld(filter, hashes);
        assertThat(filter.entries()).isEqualTo((long) writers * each);
    }

    static void assertAllHeld(MembershipFilter filter, long[] hashes) {
        int missing = 0;
        for (long hash : hashes) {
            if (!filter.mightContain(hash)) {
                missing++;
            }
        }
        assertThat(missing).as("forgotten of %d, seed %d", hashes.length, SEED).isZero();
    }

    /** Uniform hashes, different for each purpose. */
    static long[] hashes(long purpose, int count) {
        return new SplittableRandom(SEED * 31 + purpose).longs(count).toArray();
    }

    private static long[] hashes(KeyHasher hasher, List<String> keys) {
        return keys.stream().mapToLong(hasher::hash).toArray();
    }

    /** No hash function gives such values; a filter may answer "maybe" too often for them, but must not lose them. */
    static long[] hostileHashes() {
        List<Long> hashes = new ArrayList<>(List.of(0L, -1L, 1L, Long.MIN_VALUE, Long.MAX_VALUE, 0xffffL, 0x1_0000L));
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 200; i++) {
            hashes.add((long) i);
            hashes.add((long) i << 48);
            hashes.add((long) random.nextInt() << 32 | 0x1234_5678L);
            hashes.add((long) i << 16);
            hashes.add(-1L - i);
            hashes.add((long) i << 56 | 0xff_ffff_ffff_ffffL);
        }
        return hashes.stream().mapToLong(Long::longValue).toArray();
    }
}
