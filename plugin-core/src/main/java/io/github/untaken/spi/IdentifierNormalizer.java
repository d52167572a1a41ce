package io.github.untaken.spi;

import java.util.Optional;

/**
 * Decides which spellings are one identifier, and which texts a person may register. The checker has one normalizer for
 * each kind and applies it to what people type; stored values are compared as the database compares.
 *
 * <p>A store may be unable to sort texts into those that it holds equal, and not say that it compares exactly
 * ({@link RegisteredIdentifierStore.Grouping}, {@link RegisteredIdentifierStore.ColumnDescription}). Only then does the
 * key stand for how it compares: two values that the unique constraint holds equal must then have equal keys, or a
 * taken name can look free.
 *
 * <p>Implementations are immutable, thread-safe and never block.
 */
public interface IdentifierNormalizer {

    /**
     * The key of any value, even one that {@link #rejection} refuses. Total and idempotent:
     * {@code key(key(v)).equals(key(v))}. Returns the argument itself, without allocating, if it is its own key.
     * Strangers choose the text: the time must not grow faster than its length, as it does for some texts in
     * {@link java.text.Normalizer} and {@link String#toLowerCase()}.
     */
    String key(String value);

    /**
     * Why a typed text may not be registered, as a stable code of lower-case letters and {@code _} that a client can
     * translate (such as {@code too_short}); empty if it may.
     *
     * @param text what was typed
     * @param key {@code key(text)}, which the caller already has
     */
    Optional<String> rejection(String text, String key);

    /**
     * Whether a text is its own key and may be registered, as seen by a quick look. For the many texts where both hold
     * this saves the calls of {@link #key} and {@link #rejection}, which must agree; false may mean anything.
     */
    default boolean acceptsAsIs(String text) {
        return false;
    }

    /**
     * A normalizer whose keys can be told from those of any other, so that knowledge about keys may outlive the
     * process.
     */
    interface Named extends IdentifierNormalizer {

        /**
         * Different for each function that makes different keys of any text: what it is, all its settings, and a
         * version that rises with each change. Two normalizers of the same name must have the same {@link #key};
         * otherwise a taken name would be called free after a restart. At most a few kilobytes.
         */
        String name();
    }
}
