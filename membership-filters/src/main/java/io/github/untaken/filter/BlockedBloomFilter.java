package io.github.untaken.filter;

import static io.github.untaken.filter.BitTable.ELEMENT;

import java.lang.invoke.VarHandle;

/**
 * A Bloom filter that keeps all bits of an entry in one block of eight words, so that a question costs one or two
 * neighbouring cache lines instead of two or more random ones. No removal, never full; over its capacity the error rate rises.
 *
 * <p>Readers take no lock, write nothing and allocate nothing, except that {@link #mightContainAll} allocates a few hundred
 * bytes a call. Writers take a private lock, so calls from several threads are safe, though not faster.
 */
/*
 * The high part of a hash chooses the block; bits of its product with an odd constant choose one bit in each of the eight
 * words, or two where the rate is strict. An entry therefore loads every word of its block equally, which is what makes the
 * error rate exact to compute (see BlockRate). It is higher than that of a Bloom filter of as many bits, since some blocks get
 * more than their share: 23 instead of 19 bits an entry at 1e-4, and far more at very strict rates. Eight bits are looked at
 * without a branch, so that nothing waits for a guess; the second eight only where the first are all set, which of absent
 * keys are about the square root of the error rate: one in ninety at 1.2e-4.
 *
 * A block is as large as a cache line, but is not one. A Java array starts 16 bytes into an object that the JVM aligns to 8
 * bytes and moves as it likes, so a block usually spans two lines that follow each other. The second costs little: it is in
 * the same page and processors fetch such pairs ahead. Aligned memory exists only outside the heap, 2 GiB at a time at most
 * in Java 17, with a bounds and liveness check on each access; that price is higher than the second line.
 *
 * Each bit only ever goes from 0 to 1, so a reader beside a writer can miss nothing that was there, in whatever order it reads
 * the words, and even if half of one was read before the other.
 *
 * Sources: Putze, Sanders, Singler, "Cache-, hash- and space-efficient Bloom filters", 2007; one bit in each word of the
 * block: Apache Impala's and Parquet's split block filters.
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
        // The words are read plainly: the fence sees to it that each question reads them anew.
        VarHandle.acquireFence();
        int block = block(hash);
        long choice = choice(hash);
        return holds(block, choice) && (!twoBitsAWord || holds(block, choice(choice)));
    }

    /** Whether each word of the block has the bit chosen; written out, since compilers leave a loop of it a loop. */
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
            // The first and the last word of each block: between them they are in all lines that the block is in.
            for (int k = 0; k < size; k++) {
                int block = block(hashes[from + k]);
                long choice = choice(hashes[from + k]);
                outer[k] = ((long) ELEMENT.getAcquire(words, block) >>> bit(choice, 0))
                        & ((long) ELEMENT.getAcquire(words, block + BLOCK_WORDS - 1) >>> bit(choice, BLOCK_WORDS - 1));
            }
            for (int k = 0; k < size; k++) {
                // What was read ahead then holds its bits too, unless they were set since; it is asked so that the
                // compiler keeps it.
                results[from + k] = mightContain(hashes[from + k]) && (outer[k] & 1) != 0;
            }
        }
    }

    /** Where the block of a hash begins. */
    private int block(long hash) {
        return (int) UnsignedProduct.reduce(hash, blocks) * BLOCK_WORDS;
    }

    /** Eight times six bits, the high ones, which depend on the whole hash. */
    private static long choice(long hash) {
        return (hash ^ (hash >>> 32)) * BloomFilter.STEP;
    }

    /** Which bit of a word; a shift looks at the lowest six bits of its distance only. */
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
