package io.github.untaken.benchmarks.subjects;

import java.util.Objects;
import java.util.function.Function;
import org.fastfilter.Filter;
import org.jspecify.annotations.Nullable;

/** A filter of the fastfilter library, which asks for 64-bit hashes and is given the cheapest. Most are built from all at once. */
final class FastFilterSubject extends Subject {
    private final Function<long[], Filter> builder;
    private long[] noted;
    private int count;
    private @Nullable Filter filter;

    FastFilterSubject(int keys, Function<long[], Filter> builder) {
        this.builder = builder;
        this.noted = new long[keys];
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
        return Objects.requireNonNull(filter).mayContain(BareHash.hash(key));
    }

    @Override
    public void remove(String key) {
        Objects.requireNonNull(filter).remove(BareHash.hash(key));
    }
}
