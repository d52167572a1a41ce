package io.github.untaken.normalize;

import io.github.untaken.spi.IdentifierNormalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names that no one may register although no one holds them, such as {@code admin}. The checker turns them into keys
 * with the normalizer of their kind ({@link #folded}), so {@code Admin} and its full-width form are refused as well.
 *
 * <p>Look-alikes are refused too, unless names are compared {@link #exactly}: names that differ only in separators
 * ({@code ad.min}), in accents, in digits that are read as letters ({@code adm1n}), or in letters of another script
 * that look Latin. Whole names are compared: {@code adminer} and {@code rooted} are no look-alikes. Nor is
 * {@code heip}, since a letter from a to z stands for itself alone.
 *
 * <p>Immutable, thread-safe, never blocks once it is made.
 */
public final class ReservedNames {

    private static final String RESOURCE = "reserved-names.txt";
    private static final ReservedNames NONE = new ReservedNames(Set.of(), false, null);

    private final Set<String> names;
    private final boolean exact;
    /** Only for keys; null if they are compared exactly. */
    private final @Nullable LookAlikes lookAlikes;

    private ReservedNames(Set<String> names, boolean exact, @Nullable LookAlikes lookAlikes) {
        this.names = names;
        this.exact = exact;
        this.lookAlikes = lookAlikes;
    }

    /**
     * Several hundred names that a public site should keep to itself: the mailboxes of RFC 2142 and others that people
     * trust, names that speak for the site, in English, Chinese and other languages, accounts of operating systems,
     * hosts that clients look up by themselves, usual paths of a site, and words that programs mistake for a value. The
     * jar contains them as {@code reserved-names.txt} in this package.
     */
    public static ReservedNames defaults() {
        return new ReservedNames(Listed.NAMES, false, null);
    }

    /** These names and what looks like them, in any spelling. */
    public static ReservedNames of(Collection<String> names) {
        return new ReservedNames(Set.copyOf(names), false, null);
    }

    /** No name is reserved. */
    public static ReservedNames none() {
        return NONE;
    }

    /** The names of both, compared exactly only if both are. */
    public ReservedNames and(ReservedNames others) {
        Set<String> both = new HashSet<>(names);
        both.addAll(others.names);
        return new ReservedNames(Set.copyOf(both), exact && others.exact, null);
    }

    /** The same names without look-alikes. The checker uses this for phone numbers and e-mail addresses. */
    public ReservedNames exactly() {
        return new ReservedNames(names, true, null);
    }

    /** The same names as keys of the normalizer. A key is its own key, so repeating this changes nothing. */
    public ReservedNames folded(IdentifierNormalizer normalizer) {
        Set<String> keys = new HashSet<>();
        for (String name : names) {
            keys.add(normalizer.key(name));
        }
        return new ReservedNames(Set.copyOf(keys), exact, exact || keys.isEmpty() ? null : new LookAlikes(keys));
    }

    /**
     * Whether exactly this text is among the names. Once they are {@link #folded}: whether a key is one or, unless they
     * are compared {@link #exactly}, looks like one.
     */
    public boolean contains(String key) {
        return lookAlikes == null ? names.contains(key) : lookAlikes.hold(key);
    }

    /**
     * The name that makes {@link #contains} true for a text: itself, or one that it looks like, such as {@code admin}
     * for {@code adm1n}. Of several it is always the same.
     */
    public Optional<String> like(String key) {
        if (lookAlikes == null) {
            return Optional.of(key).filter(names::contains);
        }
        return Optional.ofNullable(lookAlikes.like(key));
    }

    /** The number of names. */
    public int size() {
        return names.size();
    }

    /** Read on first use: an application with its own list never pays for it. */
    private static final class Listed {
        static final Set<String> NAMES = read();

        private static Set<String> read() {
            try (InputStream in = ReservedNames.class.getResourceAsStream(RESOURCE)) {
                if (in == null) {
                    throw new IllegalStateException(RESOURCE + " is missing beside " + ReservedNames.class.getName()
                            + "; if the jar was repackaged, keep its resources");
                }
                Set<String> names = new HashSet<>();
                new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                        .forEach(names::add);
                return Set.copyOf(names);
            } catch (IOException e) {
                throw new UncheckedIOException(RESOURCE + " could not be read from the jar", e);
            }
        }
    }
}
