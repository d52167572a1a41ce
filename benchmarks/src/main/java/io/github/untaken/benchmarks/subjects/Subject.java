package io.github.untaken.benchmarks.subjects;

/** One thing that can say of a key whether it was added; from the {@code String} on, as its users would ask it. */
public abstract class Subject implements AutoCloseable {

    /** False if it was refused. Those that are built from all keys at once only note it, and build in {@link #finish}. */
    public abstract boolean add(String key);

    /** False only if the key was not added. */
    public abstract boolean mightContain(String key);

    /** Ends the fill. */
    public void finish() {}

    /** Removes a key that was added; of those that can remove only. */
    public void remove(String key) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " does not remove");
    }

    /** The answers for {@code results.length} keys from {@code from} on; of those that have a batch form only. */
    public void mightContainAll(String[] keys, int from, boolean[] results) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " has no batch form");
    }

    /** How large it says that it is, in bytes; of those that can grow only. */
    public long bytes() {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " does not grow");
    }

    /** What it occupies besides the heap, in bytes. */
    public long bytesOutsideHeap() {
        return 0;
    }

    @Override
    public void close() {}
}
