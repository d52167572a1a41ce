package io.github.untaken.normalize;

import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/** Names nobody may register, compared after folding. Immutable. */
public final class ReservedNames {
    private final Set<String> names;

    private ReservedNames(Set<String> names) {
        this.names = names;
    }

    /** A sensible list for a public site. */
    public static ReservedNames defaults() {
        return of(Set.of("admin", "administrator", "root", "support", "www", "api", "postmaster", "abuse", "security"));
    }

    /** These names. */
    public static ReservedNames of(Collection<String> names) {
        return new ReservedNames(Set.copyOf(names));
    }

    /** No name is reserved. */
    public static ReservedNames none() {
        return new ReservedNames(Set.of());
    }

    /** The same names as keys. */
    public ReservedNames folded(IdentifierNormalizer normalizer) {
        return new ReservedNames(names.stream().map(normalizer::key).collect(Collectors.toUnmodifiableSet()));
    }

    /** Whether a key is reserved. */
    public boolean contains(String key) {
        return names.contains(key);
    }
}
