package io.github.untaken.benchmarks.subjects;

import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A peer that takes strings as they are. There is one peer in a JVM, so that the compiler sees through these calls as if they
 * were written out.
 */
class ByFunctions extends Subject {
    private final Predicate<String> adding;
    private final Predicate<String> asking;

    ByFunctions(Predicate<String> adding, Predicate<String> asking) {
        this.adding = adding;
        this.asking = asking;
    }

    /** One that can remove, too. */
    static Subject removable(Predicate<String> adding, Predicate<String> asking, Consumer<String> removing) {
        return new Removable(adding, asking, removing);
    }

    private static final class Removable extends ByFunctions implements RemovableSubject {
        private final Consumer<String> removing;

        Removable(Predicate<String> adding, Predicate<String> asking, Consumer<String> removing) {
            super(adding, asking);
            this.removing = removing;
        }

        @Override
        public void remove(String key) {
            removing.accept(key);
        }
    }

    @Override
    public boolean add(String key) {
        return adding.test(key);
    }

    @Override
    public boolean mightContain(String key) {
        return asking.test(key);
    }
}
