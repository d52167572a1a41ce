package io.github.untaken.benchmarks.subjects;

/**
 * One thing that can say of a key whether it was added; from the {@code String} on, as its users would ask it. What only some
 * can do is said by {@link RemovableSubject}, {@link BatchSubject} and {@link SizedSubject}.
 */
public abstract class Subject implements AutoCloseable {

    /** False if it was refused. Those that are built from all keys at once only note it, and build in {@link #finish}. */
    public abstract boolean add(String key);

    /** False only if the key was not added. */
    public abstract boolean mightContain(String key);

    /** Ends the fill. */
    public void finish() {}

    /** What it occupies besides the heap, in bytes. */
    public long bytesOutsideHeap() {
        return 0;
    }

    @Override
    public void close() {}
}
