package io.github.untaken.normalize;

import io.github.untaken.spi.IdentifierNormalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Names nobody may register although nobody holds them, such as {@code admin}. The checker turns the names into keys with
 * the normalizer of their kind ({@link #folded}), so that {@code Admin} and its full-width form are refused as well.
 *
 * <p>Immutable, thread-safe, never blocks once it is made.
 */
public final class ReservedNames {

    private static final String RESOURCE = "reserved-names.txt";
    private static final ReservedNames NONE = new ReservedNames(Set.of());

    /** Tells most other names apart without hashing them. */
    private static final int ENDS = 1 << 6;

    private final Set<String> names;
    private final long[] ends = new long[ENDS];

    private ReservedNames(Set<String> names) {
        this.names = names;
        for (String name : names) {
            int number = ends(name);
            ends[number >>> 6 & ENDS - 1] |= 1L << number;
        }
    }

    /** A number of the length, the first and the last character. */
    private static int ends(String name) {
        int length = name.length();
        return length == 0 ? 0 : 31 * (31 * name.charAt(0) + name.charAt(length - 1)) + length;
    }

    /**
     * About two hundred names that a public site had better keep to itself: the mailboxes of RFC 2142 and others that
     * people trust, names that speak for the site, accounts of operating systems, hosts that clients look up by themselves,
     * usual paths of a site, and words that programs mistake for a value. The jar holds them as {@code reserved-names.txt}
     * in this package.
     */
    public static ReservedNames defaults() {
        return new ReservedNames(Listed.NAMES);
    }

    /** These names and no others. Any spelling will do. */
    public static ReservedNames of(Collection<String> names) {
        return new ReservedNames(Set.copyOf(names));
    }

    /** No name is reserved. */
    public static ReservedNames none() {
        return NONE;
    }

    /** The names of both. */
    public ReservedNames and(ReservedNames others) {
        Set<String> both = new HashSet<>(names);
        both.addAll(others.names);
        return of(both);
    }

    /** The same names as keys of the normalizer. A key stays what it is, so doing it twice changes nothing. */
    public ReservedNames folded(IdentifierNormalizer normalizer) {
        Set<String> keys = new HashSet<>();
        for (String name : names) {
            keys.add(normalizer.key(name));
        }
        return of(keys);
    }

    /** Whether this very text is among the names; a question about a key once the names are {@link #folded}. */
    public boolean contains(String key) {
        int number = ends(key);
        return (ends[number >>> 6 & ENDS - 1] >>> number & 1) != 0 && names.contains(key);
    }

    /** How many names there are. */
    public int size() {
        return names.size();
    }

    /** Read when first asked for: an application with a list of its own never pays for it. */
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
