package io.github.untaken.filter;

import java.util.Arrays;
import java.util.function.Function;

/**
 * A chain of Bloom filters that grows without the keys: each layer has room for twice as many entries as the one
 * before, at half its error rate, so the rates add up to less than the target however long the chain becomes. No
 * removal, since its layers have none.
 *
 * <p>Readers take no lock, write nothing and allocate nothing, except that {@link #mightContainAll} allocates a few
 * hundred bytes and a byte a hash. Writers take a private lock, so calls from several threads are safe, though not
 * faster. A writer that finds the newest layer at its capacity makes the next, which takes as long as clearing its
 * memory.
 *
 * <p>{@link #add} refuses only when the next layer does not fit an array or cannot be allocated; nothing has changed
 * then, and the next call tries again. Each layer is one more table to query, so a filter that has grown a lot is
 * slower than one planned for its size.
 */
/*
 * The first layer is planned for half the target rate, the next for a quarter, and so on. Layers are queried until one
 * says "maybe", the newest first, as it has half of the entries. The chain only ever grows, and a layer is published
 * before its first entry is added, so a reader that took the chain before that misses nothing that was there.
 *
 * Source: Almeida, Baquero, Preguica, Hutchison, "Scalable Bloom filters", 2007.
 */
final class ScalableFilter implements MembershipFilter {
    /** Room for seven times as many entries as planned. */
    private static final int FEW_LAYERS = 3;

    private static final int OBJECT_BYTES = 60;

    private final WriterSide writers = new WriterSide();
    private final FilterSizing plan;
    private final Function<FilterSizing, BloomFilter> allocation;

    /** Newest last; never shorter than before. */
    private volatile BloomFilter[] layers;

    ScalableFilter(FilterSizing plan) {
        this(plan, BloomFilter::new);
    }

    /** Takes another way to make a layer, which may throw {@link OutOfMemoryError}. */
    ScalableFilter(FilterSizing plan, Function<FilterSizing, BloomFilter> allocation) {
        this.plan = plan;
        this.allocation = allocation;
        this.layers = new BloomFilter[] {allocation.apply(plan.layer(0))};
    }

    @Override
    public boolean add(long hash) {
        synchronized (writers.lock) {
            BloomFilter newest = layers[layers.length - 1];
            if (newest.entries() >= newest.capacity()) {
                if (!grow()) {
                    return false;
                }
                newest = layers[layers.length - 1];
            }
            newest.add(hash);
            writers.count(1);
            return true;
        }
    }

    private boolean grow() {
        FilterSizing next = plan.layer(layers.length);
        if (!next.fitsAnArray()) {
            return false;
        }
        try {
            BloomFilter[] longer = Arrays.copyOf(layers, layers.length + 1);
            longer[layers.length] = allocation.apply(next);
            layers = longer;
            return true;
        } catch (OutOfMemoryError e) {
            // Caused by one large array, so the rest of the JVM is fine; the caller keeps the hash elsewhere.
            return false;
        }
    }

    @Override
    public boolean mightContain(long hash) {
        BloomFilter[] all = layers;
        for (int i = all.length - 1; i >= 0; i--) {
            if (all[i].mightContain(hash)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if there is less room for results than there are hashes
     */
    @Override
    public void mightContainAll(long[] hashes, boolean[] results) {
        BloomFilter[] all = layers;
        all[all.length - 1].mightContainAll(hashes, results);
        if (all.length == 1) {
            return;
        }
        boolean[] older = new boolean[hashes.length];
        for (int i = all.length - 2; i >= 0; i--) {
            all[i].mightContainAll(hashes, older);
            for (int k = 0; k < hashes.length; k++) {
                results[k] |= older[k];
            }
        }
    }

    @Override
    public long entries() {
        return writers.entries();
    }

    @Override
    public long capacity() {
        return plan.expectedEntries();
    }

    /**
     * True from the fourth layer on: the error rate never requires a rebuild, but each layer is one more table to
     * query.
     */
    @Override
    public boolean wantsRebuild() {
        return layers.length > FEW_LAYERS;
    }

    @Override
    public long bytes() {
        long bytes = OBJECT_BYTES + writers.bytes();
        for (BloomFilter layer : layers) {
            bytes += layer.bytes();
        }
        return bytes;
    }

    @Override
    public String toString() {
        return "ScalableFilter[entries=" + entries() + ", capacity=" + capacity() + ", layers=" + layers.length + "]";
    }
}
