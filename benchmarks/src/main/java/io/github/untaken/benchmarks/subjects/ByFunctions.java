package io.github.untaken.benchmarks.subjects;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A peer that takes strings as they are. There is one peer in a JVM, so that the compiler sees through these calls as if they
 * were written out.
 */
final class ByFunctions extends Subject {
    private final Predicate<String> adding;
    private final Predicate<String> asking;
    private final @Nullable Consumer<String> removing;

    ByFunctions(Predicate<String> adding, Predicate<String> asking, @Nullable Consumer<String> removing) {
        this.adding = adding;
        this.asking = asking;
        this.removing = removing;
    }

    @Override
    public boolean add(String key) {
        return adding.test(key);
    }

    @Override
    public boolean mightContain(String key) {
        return asking.test(key);
    }

    @Override
    public void remove(String key) {
        if (removing == null) {
            super.remove(key);
        } else {
            removing.accept(key);
        }
    }
}
