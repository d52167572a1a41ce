package io.github.untaken.benchmarks.subjects;

/** One bit for each key and no second opinion, in as much memory as a cuckoo filter takes. */
final class OneHashBitmap extends Subject {
    private static final int BITS_PER_KEY = 17;

    private final BitTable bits;

    OneHashBitmap(int keys) {
        bits = new BitTable((long) keys * BITS_PER_KEY);
    }

    @Override
    public boolean add(String key) {
        bits.set(bits.place(BareHash.hash(key)));
        return true;
    }

    @Override
    public boolean mightContain(String key) {
        return bits.get(bits.place(BareHash.hash(key)));
    }
}
