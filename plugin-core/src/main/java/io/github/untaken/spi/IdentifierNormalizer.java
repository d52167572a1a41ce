package io.github.untaken.spi;

import java.util.Optional;

/**
 * Decides which spellings are one identifier, and which texts a person may register. The checker owns one normalizer for
 * each kind and applies it to what people type; what is stored is compared as the database compares.
 *
 * <p>Only where a store can neither sort texts into those that it holds equal nor says that it compares exactly
 * ({@link RegisteredIdentifierStore.Grouping}, {@link RegisteredIdentifierStore.ColumnDescription}), the key stands for what it compares: then two
 * values that the unique constraint holds equal must have equal keys, else a taken name can look free.
 *
 * <p>Implementations are immutable, thread-safe and never block.
 */
public interface IdentifierNormalizer {

    /**
     * The key of any value, also of one that {@link #rejection} refuses. Total and idempotent: {@code key(key(v)).equals(key(v))}. Returns the argument itself, without
     * allocating, where it is its own key. Strangers choose the text: the time this takes must not grow faster than its length,
     * as that of {@link java.text.Normalizer} and {@link String#toLowerCase()} does for some.
     */
    String key(String value);

    /**
     * Why a typed text may not be registered, as a stable code of lower-case letters and {@code _} that a client can
     * translate (such as {@code too_short}), or empty if it may.
     *
     * @param text what was typed
     * @param key {@code key(text)}, which the caller has at hand
     */
    Optional<String> rejection(String text, String key);

    /**
     * Whether a text is its own key and may be registered, told at a glance. For the many texts of which both is true it saves the
     * calls of {@link #key} and {@link #rejection}, which must say the same; false may mean anything.
     */
    default boolean acceptsAsIs(String text) {
        return false;
    }

    /**
     * A normalizer whose keys can be told from those of any other, so that what is known of keys may outlive the process.
     */
    interface Named extends IdentifierNormalizer {

        /**
         * Another one for each function that makes other keys of any text: what it is, all that was set of it, and a version that rises
         * with each change. Two normalizers of one name have one {@link #key}; else a taken name would be called free after a restart. At
         * most some kilobytes.
         */
        String name();
    }
}
