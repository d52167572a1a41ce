package io.github.untaken.filter;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do at the same time, they hear what they would have heard from an exact multiset, one after the other.
 * Random programs over four buckets, each prepared so that nearly every change of the writer moves, twins or splits just what
 * the others ask for; in a table with room, or with entries that nobody asks for, no break of the read protocol would show.
 */
class CuckooLinearizabilityTest {
    /** How many random programs are played; of 30, each played 200 times, some found every planted bug within seconds. */
    private static final int PROGRAMS = Integer.getInteger("lincheck.programs", 6);
    /** How often each is played. */
    private static final int PLAYED = Integer.getInteger("lincheck.played", 150);
    /** Whether a program that failed is shortened before it is shown. */
    private static final boolean MINIMIZED = !Boolean.getBoolean("lincheck.asItIs");

    @Test
    void entriesThatMoveAreAnExactMultisetInEveryScheduleTried() {
        modelCheck(Moving.class, MultisetWithTheFirst.class);
    }

    @Test
    void entriesThatMoveAreAnExactMultisetUnderStress() {
        stress(Moving.class, MultisetWithTheFirst.class);
    }

    @Test
    void twinsAreAnExactMultisetInEveryScheduleTried() {
        modelCheck(Twins.class, MultisetOfTwins.class);
    }

    @Test
    void twinsAreAnExactMultisetUnderStress() {
        stress(Twins.class, MultisetOfTwins.class);
    }

    @Test
    void entriesThatASplitMovesAreAnExactMultisetInEveryScheduleTried() {
        modelCheck(Splitting.class, MultisetWithTheFirst.class);
    }

    @Test
    void entriesThatASplitMovesAreAnExactMultisetUnderStress() {
        stress(Splitting.class, MultisetWithTheFirst.class);
    }

    private static void modelCheck(Class<?> filter, Class<?> multiset) {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .addGuarantee(
                        forClasses(CuckooPath.class.getName()).methods("find").treatAsAtomic())
                .addGuarantee(forClasses(Stash.class.getName()).allMethods().treatAsAtomic())
                .addGuarantee(forClasses(CuckooDirectory.class.getName())
                        .methods("withSplit")
                        .treatAsAtomic())
                .loopIterationsBeforeThreadSwitch(40)
                .loopBound(5_000);
        check("model checking", options, PLAYED, filter, multiset);
    }

    /** Real threads seldom meet at the right moment in programs so short; what is sure to be found is found above. */
    private static void stress(Class<?> filter, Class<?> multiset) {
        check("stress", new StressOptions(), PLAYED * 3, filter, multiset);
    }

    private static void check(String what, Options<?, ?> options, int played, Class<?> filter, Class<?> multiset) {
        long began = System.nanoTime();
        options.iterations(PROGRAMS)
                .invocationsPerIteration(played)
                .minimizeFailedScenario(MINIMIZED)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(2)
                .sequentialSpecification(multiset);
        try {
            options.check(filter);
        } finally {
            System.out.printf(
                    "Lincheck   %s of %s: %d random programs of 3 operations a thread, each played %d times, %.1f s%n",
                    what, filter.getSimpleName(), PROGRAMS, played, (System.nanoTime() - began) / 1e9);
        }
    }

    /** A hash is made of its first bucket, of the sum of its two buckets, modulo four, and of a number that sets it apart. */
    private static long hash(int bucket, int sum, int number) {
        return (long) bucket << 62 | (long) sum << 14 | number;
    }

    /**
     * Of four buckets, and what may be done with the keys 0, 1 and 2. One thread changes and the other asks: drawn at random for
     * both, hardly any program would ask for the entry in the middle of its move.
     */
    @Param(name = "key", gen = IntGen.class, conf = "0:2")
    @Param(name = "asked", gen = IntGen.class, conf = "0:1")
    public abstract static class Crowded {
        final CuckooFilter filter;
        private final List<Long> hashes;

        Crowded(boolean maySplit, Long... hashes) {
            this.hashes = List.of(hashes);
            boolean[] given = {false};
            filter = new CuckooFilter(0, 4, 15, length -> {
                if (given[0] && !maySplit) {
                    throw new OutOfMemoryError("on purpose");
                }
                given[0] = true;
                return new long[length];
            });
        }

        /** Entries that can be in this bucket only. */
        void fill(int bucket, int lanes) {
            for (int i = 0; i < lanes; i++) {
                filter.add(hash(bucket, 2 * bucket & 3, 0x20 + i));
            }
        }

        @Operation(nonParallelGroup = "writer")
        public boolean add(@Param(name = "key") int key) {
            return filter.add(hashes.get(key));
        }

        @Operation(nonParallelGroup = "writer")
        public boolean remove(@Param(name = "key") int key) {
            return filter.remove(hashes.get(key));
        }

        @Operation(nonParallelGroup = "reader")
        public boolean mightContain(@Param(name = "asked") int key) {
            return filter.mightContain(hashes.get(key));
        }

        @Operation(nonParallelGroup = "reader")
        public boolean mightContainInBatch(@Param(name = "asked") int key) {
            boolean[] results = new boolean[1];
            filter.mightContainAll(new long[] {hashes.get(key)}, results);
            return results[0];
        }
    }

    /**
     * One lane is free in two buckets. Key 0 has both and is in its second; keys 1 and 2 have one of them each, beside a full
     * one, so that whoever adds them moves key 0.
     */
    public static final class Moving extends Crowded {
        public Moving() {
            super(false, hash(0, 1, 1), hash(1, 3, 2), hash(0, 3, 3));
            fill(0, 4);
            fill(1, 3);
            fill(2, 4);
            fill(3, 4);
            filter.add(hash(0, 1, 1));
            filter.remove(hash(0, 0, 0x23));
        }
    }

    /** Keys 0 and 1 have one fingerprint and the same two buckets, each the other's first; there is room for all copies. */
    public static final class Twins extends Crowded {
        public Twins() {
            super(false, hash(0, 1, 1), hash(1, 1, 1), hash(0, 1, 1));
            filter.add(hash(1, 1, 1));
        }
    }

    /** The table is full and key 0 in the stash; whoever adds key 1 or 2 splits the one and empties the other. */
    public static final class Splitting extends Crowded {
        public Splitting() {
            super(true, hash(1, 2, 1), hash(0, 1, 2), hash(2, 1, 3));
            fill(1, 4);
            for (int bucket : new int[] {0, 2, 3}) {
                for (int i = 0; i < 4; i++) {
                    filter.add(hash(bucket, 1 + bucket / 3 * 2, 0x30 + bucket * 16 + i));
                }
            }
            filter.add(hash(1, 2, 1));
            if (filter.stashed() != 1 || filter.splits() != 0) {
                throw new IllegalStateException(filter.toString());
            }
        }
    }

    /** What a filter is compared with. */
    public static class MultisetWithTheFirst {
        private final int[] copies = {1, 0, 0};

        int of(int key) {
            return key;
        }

        public final boolean add(int key) {
            copies[of(key)]++;
            return true;
        }

        public final boolean remove(int key) {
            return copies[of(key)] > 0 && copies[of(key)]-- > 0;
        }

        public final boolean mightContain(int key) {
            return copies[of(key)] > 0;
        }

        public final boolean mightContainInBatch(int key) {
            return mightContain(key);
        }
    }

    /** Nobody can tell keys 0 and 1 apart. */
    public static final class MultisetOfTwins extends MultisetWithTheFirst {
        @Override
        int of(int key) {
            return 0;
        }
    }
}
