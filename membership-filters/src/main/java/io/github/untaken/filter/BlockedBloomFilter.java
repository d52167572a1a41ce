package io.github.untaken.filter;

import static io.github.untaken.filter.BitTable.ELEMENT;

import java.lang.invoke.VarHandle;

/**
 * A Bloom filter that keeps all bits of an entry in one block of eight words, so that a query costs one or two
 * neighbouring cache lines instead of two or more random ones. No removal, never full; over its capacity the error rate
 * rises.
 *
 * <p>Readers take no lock, write nothing and allocate nothing, except that {@link #mightContainAll} allocates a few
 * hundred bytes a call. Writers take a private lock, so calls from several threads are safe, though not faster.
 */
/*
 * The high part of a hash chooses the block. Bits of its product with an odd constant choose one bit in each of the
 * eight words, or two if the rate is strict. So an entry loads every word of its block equally, which allows computing
 * the error rate exactly (see BlockRate). The rate is higher than that of a Bloom filter of as many bits, since some
 * blocks get more than their share: 23 instead of 19 bits an entry at 1e-4, and far more at very strict rates. The
 * first eight bits are tested without a branch, so that nothing waits for a prediction. The second eight are tested
 * only if the first are all set, which happens for about the square root of the error rate of absent keys: one in
 * ninety at 1.2e-4.
 *
 * A block has the size of a cache line, but is not one. A Java array starts 16 bytes into an object that the JVM aligns
 * to 8 bytes and moves as it likes, so a block usually spans two consecutive lines. The second costs little: it is in
 * the same page, and processors prefetch such pairs. Aligned memory exists only outside the heap, at most 2 GiB at a
 * time in Java 17, with a bounds and liveness check on each access; that costs more than the second line.
 *
 * A bit only ever goes from 0 to 1. So a reader beside a writer misses nothing that was there, in whatever order it
 * reads the words, even if it read half of a word before the other half.
 *
 * Sources: Putze, Sanders, Singler, "Cache-, hash- and space-efficient Bloom filters", 2007; one bit in each word of
 * the block: Apache Impala's and Parquet's split block filters.
 */
final class BlockedBloomFilter extends BitFilter {
    static final int BLOCK_WORDS = 8;
    static final int BLOCK_BITS = BLOCK_WORDS * Long.SIZE;

    private final int blocks;
    private final boolean twoBitsAWord;

    BlockedBloomFilter(FilterSizing plan) {
        this(BitShape.of(plan), plan.words(), plan.expectedEntries());
    }

    BlockedBloomFilter(FilterSizing plan, KeyHasher hasher) {
        this(BitShape.of(plan, hasher), plan.words(), plan.expectedEntries());
    }

    private BlockedBloomFilter(BitShape shape, int words, long capacity) {
        super(shape, words, capacity);
        this.blocks = words / BLOCK_WORDS;
        this.twoBitsAWord = shape.probes() > BLOCK_WORDS;
    }

    @Override
    BlockedBloomFilter empty() {
        return new BlockedBloomFilter(shape, words.length, capacity());
    }

    /** Always finds room. */
    @Override
    public boolean add(long hash) {
        int block = block(hash);
        long choice = choice(hash);
        long second = twoBitsAWord ? choice(choice) : choice;
        synchronized (writers.lock) {
            for (int i = 0; i < BLOCK_WORDS; i++) {
                long bits = 1L << bit(choice, i) | 1L << bit(second, i);
                ELEMENT.setRelease(words, block + i, words[block + i] | bits);
            }
            writers.count(1);
            return true;
        }
    }

    @Override
    public boolean mightContain(long hash) {
        // The words are read plainly; the fence makes each query read them anew.
        VarHandle.acquireFence();
        int block = block(hash);
        long choice = choice(hash);
        return holds(block, choice) && (!twoBitsAWord || holds(block, choice(choice)));
    }

    /** Whether each word of the block has the chosen bit; unrolled by hand, because compilers do not unroll it. */
    private boolean holds(int block, long choice) {
        long all = (words[block] >>> bit(choice, 0))
                & (words[block + 1] >>> bit(choice, 1))
                & (words[block + 2] >>> bit(choice, 2))
                & (words[block + 3] >>> bit(choice, 3))
                & (words[block + 4] >>> bit(choice, 4))
                & (words[block + 5] >>> bit(choice, 5))
                & (words[block + 6] >>> bit(choice, 6))
                & (words[block + 7] >>> bit(choice, 7));
        return (all & 1) != 0;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if there is less room for results than there are hashes
     */
    @Override
    public void mightContainAll(long[] hashes, boolean[] results) {
        Batches.requireRoom(hashes, results);
        long[] outer = new long[Batches.GROUP];
        for (int from = 0; from < hashes.length; from += Batches.GROUP) {
            int size = Math.min(Batches.GROUP, hashes.length - from);
            // The first and last word of each block: together they touch every line that the block is in.
            for (int k = 0; k < size; k++) {
                int block = block(hashes[from + k]);
                long choice = choice(hashes[from + k]);
                outer[k] = ((long) ELEMENT.getAcquire(words, block) >>> bit(choice, 0))
                        & ((long) ELEMENT.getAcquire(words, block + BLOCK_WORDS - 1) >>> bit(choice, BLOCK_WORDS - 1));
            }
            for (int k = 0; k < size; k++) {
                // The words read ahead have their bits too, unless these were set since; testing them keeps the
                // compiler from dropping the reads.
                results[from + k] = mightContain(hashes[from + k]) && (outer[k] & 1) != 0;
            }
        }
    }

    /** Index of the first word of the hash's block. */
    private int block(long hash) {
        return (int) UnsignedProduct.reduce(hash, blocks) * BLOCK_WORDS;
    }

    /** Eight groups of six bits, the high ones, which depend on the whole hash. */
    private static long choice(long hash) {
        return (hash ^ (hash >>> 32)) * BloomFilter.STEP;
    }

    /** The bit within a word; a shift uses only the lowest six bits of its distance. */
    private static long bit(long choice, int word) {
        return choice >>> (Long.SIZE - BLOCK_WORDS * 6 + word * 6);
    }

    /** The entries of a block are Poisson distributed; each leaves a bit of its block 0 with the same probability. */
    @Override
    double entriesFor(long ones) {
        double left = 1 - 1.0 / Long.SIZE;
        double setByOne = 1 - (twoBitsAWord ? left * left : left);
        return -blocks / setByOne * Math.log1p(-(double) ones / shape.bits());
    }
}
