package io.github.untaken.memory;

import io.github.untaken.filter.CuckooImage;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.filter.MembershipFilter;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One complete picture of the committed keys: a membership filter with the hasher that feeds it, and the little that must be
 * kept exactly beside it. Any thread may ask; changes come from one thread at a time, which holds the monitor.
 *
 * <p>It only grows. Nothing is ever taken out of it, and an addition stores something only if the answer was "no" before, so it
 * changes nothing when it is told twice, late or out of order; nobody has to count rows, or to know whether a row was there. What
 * answers "maybe" does so for good, see {@link MembershipFilter}, so an addition that stored nothing stays true. A row that goes
 * leaves a stale entry behind, which costs reads at most: the next generation is made without it.
 */
public final class Generation {

    /** Hashes the filter refused, kept exactly until the rebuild that a refusal asks for. */
    private static final int MAX_OVERFLOW = 100_000;
    /** Fewer are not worth a scan. */
    private static final long FEW_STALE = 1_000;

    private final KeyHasher hasher;
    private final MembershipFilter filter;
    private final OddSpellings odd;
    private final boolean foldsAsciiCase;
    private final Set<Long> overflow = ConcurrentHashMap.newKeySet();
    private final LongAdder stale = new LongAdder();
    private volatile boolean overflowing;
    private final int maxOverflow;
    /** From which a kept secret makes the key of the hasher; null if the key was drawn and is known to nobody. */
    private final @Nullable Salt salt;

    /**
     * An empty one.
     *
     * @param foldsAsciiCase whether the store finds values by their keys that differ from them in the case of a to z alone
     * @param maxOdd how many odd spellings it may hold
     */
    public Generation(KeyHasher hasher, MembershipFilter filter, boolean foldsAsciiCase, int maxOdd) {
        this(hasher, filter, foldsAsciiCase, maxOdd, MAX_OVERFLOW);
    }

    public Generation(KeyHasher hasher, MembershipFilter filter, boolean foldsAsciiCase, int maxOdd, int maxOverflow) {
        this(hasher, null, filter, foldsAsciiCase, new OddSpellings(maxOdd), maxOverflow);
    }

    private Generation(
            KeyHasher hasher,
            @Nullable Salt salt,
            MembershipFilter filter,
            boolean foldsAsciiCase,
            OddSpellings odd,
            int maxOverflow) {
        this.hasher = hasher;
        this.salt = salt;
        this.filter = filter;
        this.foldsAsciiCase = foldsAsciiCase;
        this.odd = odd;
        this.maxOverflow = maxOverflow;
    }

    /** An empty one that can be kept in a file. */
    static Generation keepable(
            KeyHasher hasher, Salt salt, MembershipFilter filter, boolean foldsAsciiCase, int maxOdd) {
        return new Generation(hasher, salt, filter, foldsAsciiCase, new OddSpellings(maxOdd), MAX_OVERFLOW);
    }

    /** One that was kept. */
    static Generation restored(KeyHasher hasher, GenerationImage image, MembershipFilter filter, int maxOdd) {
        OddSpellings odd = OddSpellings.of(maxOdd, image.odd(), image.oddFull());
        Generation generation = new Generation(hasher, image.salt(), filter, image.foldsAsciiCase(), odd, MAX_OVERFLOW);
        for (long hash : image.overflow()) {
            generation.overflow.add(hash);
        }
        generation.overflowing = image.overflow().length > 0;
        generation.stale.add(image.stale());
        return generation;
    }

    /** In a form that can be kept, if both filter and hasher have one. */
    synchronized Optional<Keepable> keepable() {
        Salt from = salt;
        return from == null
                ? Optional.empty()
                : CuckooImage.of(filter).map(tables -> new Keepable(imageOf(from), tables));
    }

    private GenerationImage imageOf(Salt from) {
        long[] beside = overflow.stream().mapToLong(Long::longValue).toArray();
        return new GenerationImage(from, foldsAsciiCase, odd.hashes(), odd.isFull(), beside, stale());
    }

    /** All that was added before it was asked for. */
    record Keepable(GenerationImage beside, CuckooImage tables) {}

    public long hash(String key) {
        return hasher.hash(key);
    }

    public boolean mightContain(String key) {
        return mightContain(hasher.hash(key));
    }

    public boolean mightContain(long hash) {
        return filter.mightContain(hash) || overflowing && overflow.contains(hash);
    }

    public void mightContainAll(long[] hashes, boolean[] results) {
        filter.mightContainAll(hashes, results);
        if (overflowing) {
            for (int i = 0; i < hashes.length; i++) {
                results[i] |= overflow.contains(hashes[i]);
            }
        }
    }

    /**
     * Sees to it that the answer is "maybe" from now on, and "odd" if the value is; false if there is no room even beside the
     * filter. The filter is asked under the monitor, where nobody else writes.
     */
    public synchronized boolean add(String key, Spelling spelling) {
        long hash = hash(key);
        if (spelling.isOdd(foldsAsciiCase)) {
            odd.add(hash);
        }
        return add(hash);
    }

    private boolean add(long hash) {
        if (mightContain(hash) || filter.add(hash)) {
            return true;
        }
        if (overflow.size() >= maxOverflow) {
            return false;
        }
        overflowing = true;
        overflow.add(hash);
        return true;
    }

    /** Whether a value of this key was added that the store does not find by the key. */
    public boolean isOdd(String key) {
        return !odd.isEmpty() && odd.contains(hash(key));
    }

    public boolean foldsAsciiCase() {
        return foldsAsciiCase;
    }

    public OddSpellings odd() {
        return odd;
    }

    /** Notes an entry whose row is gone. */
    public void noteStale() {
        stale.increment();
    }

    /** How many entries are known to have lost their row. */
    public long stale() {
        return stale.sum();
    }

    /**
     * Whether it is time for a larger one, or for one without stale entries.
     *
     * @param staleShare of all entries, from which on it is
     */
    public boolean wantsRebuild(double staleShare) {
        return overflowing || filter.wantsRebuild() || stale() >= FEW_STALE && stale() > filter.entries() * staleShare;
    }

    public long entries() {
        return filter.entries() + overflow.size();
    }

    public long bytes() {
        // A boxed long in a concurrent set costs about 64 bytes with its node, table slot and box.
        return filter.bytes() + odd.bytes() + 64L * overflow.size();
    }
}
