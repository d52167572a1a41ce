package io.github.untaken.filter;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do at the same time, they hear what they would have heard from an exact multiset, one after the other. The
 * keys differ in their fingerprints, so that no "maybe" is wrong; the table is nearly full, so that additions move entries and
 * split it.
 */
class CuckooLinearizabilityTest {
    /** How many random programs are played. */
    private static final int PROGRAMS = Integer.getInteger("lincheck.programs", 6);
    /** How often each is played. */
    private static final int PLAYED = Integer.getInteger("lincheck.played", 150);

    @Test
    void isAnExactMultisetUnderEveryScheduleTried() {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .addGuarantee(
                        forClasses(CuckooPath.class.getName()).methods("find").treatAsAtomic())
                .addGuarantee(forClasses(Stash.class.getName()).allMethods().treatAsAtomic());
        check("model checking", options.loopIterationsBeforeThreadSwitch(40).loopBound(5_000), PLAYED);
    }

    @Test
    void isAnExactMultisetUnderStress() {
        check("stress", new StressOptions(), PLAYED * 10);
    }

    private static void check(String what, Options<?, ?> options, int played) {
        long began = System.nanoTime();
        options.iterations(PROGRAMS)
                .invocationsPerIteration(played)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .sequentialSpecification(ExactMultiset.class);
        options.check(CrowdedFilter.class);
        System.out.printf(
                "Lincheck   %s: %d random programs of 3 threads with 3 operations, each played %d times, %.1f s%n",
                what, PROGRAMS, played, (System.nanoTime() - began) / 1e9);
    }

    /** 14 of 16 lanes are taken by others. */
    @Param(name = "key", gen = IntGen.class, conf = "0:5")
    public static final class CrowdedFilter {
        private final CuckooFilter filter = new CuckooFilter(4, 15);

        public CrowdedFilter() {
            for (int i = 0; i < 14; i++) {
                filter.add(hash(i, 0x20 + i));
            }
        }

        private static long hash(int key, int number) {
            return (long) key << 62 | (long) (key / 4 & 3) << 14 | number;
        }

        @Operation
        public boolean add(@Param(name = "key") int key) {
            return filter.add(hash(key * 5, key + 1));
        }

        @Operation
        public boolean remove(@Param(name = "key") int key) {
            return filter.remove(hash(key * 5, key + 1));
        }

        @Operation
        public boolean mightContain(@Param(name = "key") int key) {
            return filter.mightContain(hash(key * 5, key + 1));
        }
    }

    /** What the filter is compared with. */
    public static final class ExactMultiset {
        private final int[] copies = new int[6];

        public boolean add(int key) {
            copies[key]++;
            return true;
        }

        public boolean remove(int key) {
            return copies[key] > 0 && copies[key]-- > 0;
        }

        public boolean mightContain(int key) {
            return copies[key] > 0;
        }
    }
}
