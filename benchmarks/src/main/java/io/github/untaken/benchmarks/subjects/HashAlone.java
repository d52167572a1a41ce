package io.github.untaken.benchmarks.subjects;

import java.util.function.ToLongFunction;

/** No set at all: what of a lookup the hash costs. Says yes to everything. */
final class HashAlone extends Subject {
    private final ToLongFunction<String> hash;

    HashAlone(ToLongFunction<String> hash) {
        this.hash = hash;
    }

    @Override
    public boolean add(String key) {
        return true;
    }

    @Override
    public boolean mightContain(String key) {
        return hash.applyAsLong(key) != 0;
    }
}
