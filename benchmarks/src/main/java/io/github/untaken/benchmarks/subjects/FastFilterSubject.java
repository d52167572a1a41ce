package io.github.untaken.benchmarks.subjects;

import java.util.Objects;
import java.util.function.Function;
import org.fastfilter.Filter;
import org.jspecify.annotations.Nullable;

/** A filter of the fastfilter library, which asks for 64-bit hashes and is given the cheapest. Most are built from all at once. */
class FastFilterSubject extends Subject {
    private final Function<long[], Filter> builder;
    private long[] noted;
    private int count;
    private @Nullable Filter filter;

    FastFilterSubject(int keys, Function<long[], Filter> builder) {
        this.builder = builder;
        this.noted = new long[keys];
    }

    /** One that can remove, too, once it is built. */
    static Subject removable(int keys, Function<long[], Filter> builder) {
        return new Removable(keys, builder);
    }

    private static final class Removable extends FastFilterSubject implements RemovableSubject {
        Removable(int keys, Function<long[], Filter> builder) {
            super(keys, builder);
        }

        @Override
        public void remove(String key) {
            built().remove(BareHash.hash(key));
        }
    }

    @Override
    public boolean add(String key) {
        if (filter != null) {
            filter.add(BareHash.hash(key));
        } else {
            noted[count++] = BareHash.hash(key);
        }
        return true;
    }

    @Override
    public void finish() {
        filter = builder.apply(noted);
        noted = new long[0];
    }

    @Override
    public boolean mightContain(String key) {
        return built().mayContain(BareHash.hash(key));
    }

    final Filter built() {
        return Objects.requireNonNull(filter);
    }
}
