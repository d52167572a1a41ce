package io.github.untaken.benchmarks.subjects;

import java.util.SplittableRandom;

/**
 * The cuckoo filter as popular articles show it for Java, written anew from the description: fingerprints of 8 bits and buckets
 * of 4, both places from {@code String.hashCode()}, the second by XOR with the hash of the fingerprint, a table that is a power
 * of two, random kicks, 500 at most. Two names with the same 32-bit hash code can never be told apart.
 */
final class HashCodeCuckoo extends Subject implements RemovableSubject {
    private static final int SLOTS = 4;
    private static final int KICKS = 500;
    private static final double FULL = 0.95;

    private final byte[] fingerprints;
    private final int mask;
    private final SplittableRandom random = new SplittableRandom(1);

    HashCodeCuckoo(int keys) {
        int buckets = 1;
        while (buckets * (long) SLOTS * FULL < keys) {
            buckets *= 2;
        }
        fingerprints = new byte[buckets * SLOTS];
        mask = buckets - 1;
    }

    @Override
    public boolean add(String key) {
        int hash = spread(key.hashCode());
        byte fingerprint = fingerprint(hash);
        int bucket = hash & mask;
        if (put(bucket, fingerprint) || put(other(bucket, fingerprint), fingerprint)) {
            return true;
        }
        int[] way = new int[KICKS];
        for (int kick = 0; kick < KICKS; kick++) {
            int slot = bucket * SLOTS + random.nextInt(SLOTS);
            way[kick] = slot;
            byte victim = fingerprints[slot];
            fingerprints[slot] = fingerprint;
            fingerprint = victim;
            bucket = other(bucket, fingerprint);
            if (put(bucket, fingerprint)) {
                return true;
            }
        }
        for (int kick = KICKS - 1; kick >= 0; kick--) { // nobody is put out for a key that finds no place
            byte victim = fingerprint;
            fingerprint = fingerprints[way[kick]];
            fingerprints[way[kick]] = victim;
        }
        return false;
    }

    @Override
    public boolean mightContain(String key) {
        int hash = spread(key.hashCode());
        byte fingerprint = fingerprint(hash);
        int bucket = hash & mask;
        return slotOf(bucket, fingerprint) >= 0 || slotOf(other(bucket, fingerprint), fingerprint) >= 0;
    }

    @Override
    public void remove(String key) {
        int hash = spread(key.hashCode());
        byte fingerprint = fingerprint(hash);
        int bucket = hash & mask;
        int slot = slotOf(bucket, fingerprint);
        if (slot < 0) {
            slot = slotOf(other(bucket, fingerprint), fingerprint);
        }
        if (slot >= 0) {
            fingerprints[slot] = 0;
        }
    }

    private boolean put(int bucket, byte fingerprint) {
        int slot = slotOf(bucket, (byte) 0);
        if (slot < 0) {
            return false;
        }
        fingerprints[slot] = fingerprint;
        return true;
    }

    private int slotOf(int bucket, byte fingerprint) {
        for (int slot = bucket * SLOTS; slot < bucket * SLOTS + SLOTS; slot++) {
            if (fingerprints[slot] == fingerprint) {
                return slot;
            }
        }
        return -1;
    }

    private int other(int bucket, byte fingerprint) {
        return (bucket ^ spread(fingerprint)) & mask;
    }

    private static byte fingerprint(int hash) {
        byte fingerprint = (byte) (hash >>> 24);
        return fingerprint == 0 ? 1 : fingerprint;
    }

    private static int spread(int hash) {
        int mixed = (hash ^ (hash >>> 16)) * 0x85eb_ca6b;
        mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2_ae35;
        return mixed ^ (mixed >>> 16);
    }
}
