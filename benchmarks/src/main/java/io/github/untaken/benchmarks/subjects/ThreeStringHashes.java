package io.github.untaken.benchmarks.subjects;

/** A Bloom filter of 4 bits a key and the three well-known string hashes BKDR, AP and DJB, each of 32 bits. */
final class ThreeStringHashes extends Subject {
    private static final int BITS_PER_KEY = 4;

    private final BitTable bits;

    ThreeStringHashes(int keys) {
        bits = new BitTable((long) keys * BITS_PER_KEY);
    }

    @Override
    public boolean add(String key) {
        bits.set(bits.place(bkdr(key)));
        bits.set(bits.place(ap(key)));
        bits.set(bits.place(djb(key)));
        return true;
    }

    @Override
    public boolean mightContain(String key) {
        return bits.get(bits.place(bkdr(key))) && bits.get(bits.place(ap(key))) && bits.get(bits.place(djb(key)));
    }

    private static int bkdr(String key) {
        int hash = 0;
        for (int i = 0; i < key.length(); i++) {
            hash = hash * 131 + key.charAt(i);
        }
        return hash;
    }

    private static int ap(String key) {
        int hash = 0;
        for (int i = 0; i < key.length(); i++) {
            int c = key.charAt(i);
            hash ^= (i & 1) == 0 ? (hash << 7) ^ c ^ (hash >>> 3) : ~((hash << 11) ^ c ^ (hash >>> 5));
        }
        return hash;
    }

    private static int djb(String key) {
        int hash = 5381;
        for (int i = 0; i < key.length(); i++) {
            hash = hash * 33 + key.charAt(i);
        }
        return hash;
    }
}
