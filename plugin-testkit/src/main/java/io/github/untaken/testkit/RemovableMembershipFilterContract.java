package io.github.untaken.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.filter.RemovableMembershipFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** What every {@link RemovableMembershipFilter} must do: everything that a filter without removal must, and this. */
public abstract class RemovableMembershipFilterContract extends MembershipFilterContract {
    /** How often entries come and go beside readers; {@code -Dfilter.changes=1500000} for longer. */
    private static final int CHANGES = Integer.getInteger("filter.changes", 100_000);

    protected RemovableMembershipFilterContract() {}

    @Override
    protected abstract RemovableMembershipFilter create(long expectedEntries);

    /**
     * Up to this many different hashes that the filter cannot tell from what it holds, none of them held. Found by
     * querying, unless overridden; a filter so exact that this finds nothing should construct some.
     *
     * @param filter holds exactly {@code held}, and must not be changed
     */
    protected long[] collidingHashes(RemovableMembershipFilter filter, long[] held, int wanted) {
        return new SplittableRandom(SEED)
                .longs(20_000_000)
                .filter(filter::mightContain)
                .limit(wanted)
                .toArray();
    }

    @Test
    public void removingOneKeyNeverHidesAnother() {
        for (int size : new int[] {2, 10, 1_000, 20_000}) {
            RemovableMembershipFilter filter = create(size);
            List<Long> held = new ArrayList<>();
            for (long hash : hashes(10 + size, size)) {
                assertThat(filter.add(hash)).isTrue();
                held.add(hash);
            }
            Collections.shuffle(held, new Random(SEED));
            int step = Math.max(1, size / 20);
            for (int left = size; left > 0; left -= step) {
                for (int i = left - 1; i >= Math.max(0, left - step); i--) {
                    assertThat(filter.remove(held.remove(i))).isTrue();
                }
                assertThat(held).as("size %d, seed %d", size, SEED).allMatch(filter::mightContain);
            }
            assertThat(filter.entries()).isZero();
        }
    }

    @Test
    public void whatWasAddedTwiceAndRemovedOnceIsStillThere() {
        RemovableMembershipFilter filter = create(1_000);
        long[] hashes = hashes(11, 400);
        for (long hash : hashes) {
            assertThat(filter.add(hash)).isTrue();
            assertThat(filter.add(hash)).isTrue();
        }
        for (long hash : hashes) {
            assertThat(filter.remove(hash)).isTrue();
        }
        assertAllHeld(filter, hashes);
        for (long hash : hashes) {
            assertThat(filter.remove(hash)).isTrue();
        }
        assertThat(filter.entries()).isZero();
    }

    @Test
    public void aFilterEmptiedByRemovalHoldsNothing() {
        RemovableMembershipFilter filter = create(5_000);
        long[] hashes = hashes(12, 5_000);
        for (int round = 0; round < 3; round++) {
            for (long hash : hashes) {
                assertThat(filter.add(hash)).isTrue();
            }
            for (long hash : hashes) {
                assertThat(filter.remove(hash)).isTrue();
            }
        }
        for (long hash : hashes) {
            assertThat(filter.mightContain(hash)).isFalse();
        }
    }

    @Test
    public void aRemovalThatFindsNothingChangesNothing() {
        RemovableMembershipFilter filter = create(1_000);
        long[] held = hashes(13, 1_000);
        for (long hash : held) {
            assertThat(filter.add(hash)).isTrue();
        }
        for (long hash : hashes(14, 10_000)) {
            if (!filter.mightContain(hash)) {
                assertThat(filter.remove(hash)).isFalse();
            }
        }
        assertAllHeld(filter, held);
        assertThat(filter.entries()).isEqualTo(1_000);
    }

    @Test
    public void copiesAreCountedExactlyAsFarAsItSays() {
        int exact = abilities().exactCopies();
        assertThat(exact).as("exactCopies").isGreaterThanOrEqualTo(9);
        for (int copies : new int[] {1, 2, 8, 9, exact}) {
            RemovableMembershipFilter filter = create(1_000);
            long[] neighbours = hashes(15, 500);
            for (long neighbour : neighbours) {
                assertThat(filter.add(neighbour)).isTrue();
            }
            long hash = strangerTo(filter);
            for (int i = 0; i < copies; i++) {
                assertThat(filter.add(hash)).isTrue();
            }
            assertThat(filter.entries()).isEqualTo(500 + copies);
            for (int i = 0; i < copies; i++) {
                assertThat(filter.mightContain(hash)).isTrue();
                assertThat(filter.remove(hash)).isTrue();
            }
            assertThat(filter.mightContain(hash)).as("%d copies", copies).isFalse();
            assertThat(filter.entries()).isEqualTo(500);
            assertAllHeld(filter, neighbours);
        }
    }

    /** More than it can count: it may keep the key for good, but must not lose a neighbour. */
    @Test
    public void tooManyCopiesNeverHurtTheirNeighbours() {
        RemovableMembershipFilter filter = create(1_000);
        long[] neighbours = hashes(18, 999);
        for (long neighbour : neighbours) {
            assertThat(filter.add(neighbour)).isTrue();
        }
        long hash = strangerTo(filter);
        int accepted = 0;
        for (int i = 0; i < Math.max(10_000, abilities().exactCopies() + 100); i++) {
            accepted += filter.add(hash) ? 1 : 0;
            if (!filter.mightContain(hash)) {
                throw new AssertionError("gone after " + i + " more copies");
            }
        }
        assertAllHeld(filter, neighbours);
        for (int i = 0; i < accepted; i++) {
            if (!filter.remove(hash)) {
                throw new AssertionError("gone after " + i + " removals of " + accepted);
            }
        }
        assertAllHeld(filter, neighbours);
        for (long neighbour : neighbours) {
            assertThat(filter.remove(neighbour)).isTrue();
        }
    }

    private static long strangerTo(RemovableMembershipFilter filter) {
        return new SplittableRandom(SEED)
                .longs()
                .filter(hash -> !filter.mightContain(hash))
                .findFirst()
                .orElseThrow();
    }

    /** For each of up to a thousand pairs, in both orders. */
    @Test
    public void ofCollidingKeysEitherCanLeaveFirst() {
        RemovableMembershipFilter filter = create(4_000);
        long[] held = hashes(19, 3_000);
        for (long hash : held) {
            assertThat(filter.add(hash)).isTrue();
        }
        long[] colliding = collidingHashes(filter, held, 1_000);
        assertThat(colliding).as("colliding hashes").hasSizeGreaterThan(200);
        assertThat(Arrays.stream(colliding)).allMatch(filter::mightContain);
        for (long hash : colliding) {
            assertThat(filter.add(hash)).isTrue();
            assertThat(filter.remove(hash)).isTrue();
        }
        assertAllHeld(filter, held);

        for (long hash : colliding) {
            assertThat(filter.add(hash)).isTrue();
        }
        for (long hash : held) {
            assertThat(filter.remove(hash)).isTrue();
        }
        assertAllHeld(filter, colliding);
        for (int i = 0; i < colliding.length; i++) {
            assertThat(filter.remove(colliding[i])).isTrue();
            if (i % 50 == 0) {
                assertAllHeld(filter, Arrays.copyOfRange(colliding, i + 1, colliding.length));
            }
        }
        assertThat(filter.entries()).isZero();
    }

    @Test
    public void hostileHashesLeaveWithoutTakingOthers() {
        RemovableMembershipFilter filter = create(10_000);
        List<Long> staying = new ArrayList<>();
        List<Long> leaving = new ArrayList<>();
        for (long hash : hostileHashes()) {
            if (filter.add(hash)) {
                (staying.size() > leaving.size() ? leaving : staying).add(hash);
            }
        }
        assertThat(leaving).isNotEmpty().allMatch(filter::remove);
        assertThat(staying).allMatch(filter::mightContain);
    }

    @Test
    public void agreesWithAnExactMultisetUnderRandomChanges() {
        for (int size : new int[] {1, 8, 100, 2_000}) {
            RemovableMembershipFilter filter = create(size);
            SplittableRandom random = new SplittableRandom(SEED + size);
            List<Long> held = new ArrayList<>();
            for (int step = 0; step < 40_000; step++) {
                if (held.size() < size && random.nextInt(5) < (step / 5_000 % 2 == 0 ? 3 : 2)) {
                    long hash = held.isEmpty() || random.nextInt(8) > 0
                            ? random.nextLong()
                            : held.get(random.nextInt(held.size()));
                    if (filter.add(hash)) {
                        held.add(hash);
                    }
                } else if (!held.isEmpty()) {
                    Collections.swap(held, random.nextInt(held.size()), held.size() - 1);
                    assertThat(filter.remove(held.remove(held.size() - 1))).isTrue();
                }
                if (step % 1_000 == 0) {
                    assertThat(held)
                            .as("size %d, step %d, seed %d", size, step, SEED)
                            .allMatch(filter::mightContain);
                    assertThat(filter.entries()).isEqualTo(held.size());
                }
            }
        }
    }

    /** Full and tiny, so that nearly every add moves other entries. */
    @Test
    public void readersNeverMissAKeyWhileOthersComeAndGo() throws InterruptedException, ExecutionException {
        int size = 1_000;
        RemovableMembershipFilter filter = create(size);
        long[] all = hashes(16, size);
        for (long hash : all) {
            assertThat(filter.add(hash)).isTrue();
        }
        long[] staying = Arrays.copyOf(all, size / 2);
        long[] changing = Arrays.copyOfRange(all, size / 2, size);
        SplittableRandom random = new SplittableRandom(SEED);
        long missed = Crew.race(
                () -> {
                    for (int i = 0; i < CHANGES; i++) {
                        int at = random.nextInt(changing.length);
                        assertThat(filter.remove(changing[at])).isTrue();
                        changing[at] = random.nextLong();
                        assertThat(filter.add(changing[at])).isTrue();
                    }
                },
                reader -> {
                    long missing = 0;
                    if (reader % 2 == 0) {
                        for (long hash : staying) {
                            missing += filter.mightContain(hash) ? 0 : 1;
                        }
                    } else {
                        boolean[] results = new boolean[staying.length];
                        filter.mightContainAll(staying, results);
                        for (boolean result : results) {
                            missing += result ? 0 : 1;
                        }
                    }
                    return missing;
                });
        assertThat(missed).as("missed, seed %d", SEED).isZero();
        assertAllHeld(filter, changing);
    }

    @Test
    public void severalWritersThatAddAndRemoveLoseNothing() throws InterruptedException, ExecutionException {
        assumeTrue(abilities().severalWriters(), "the filter is for one writer at a time");
        int writers = 4;
        int each = 20_000;
        RemovableMembershipFilter filter = create((long) writers * each);
        long[] hashes = hashes(17, writers * each);
        Crew.together(writers, writer -> {
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < each; i++) {
                    assertThat(filter.add(hashes[writer * each + i])).isTrue();
                }
                for (int i = 0; i < each && round < 4; i++) {
                    assertThat(filter.remove(hashes[writer * each + i])).isTrue();
                }
            }
        });
        assertAllHeld(filter, hashes);
        assertThat(filter.entries()).isEqualTo((long) writers * each);
    }
}
