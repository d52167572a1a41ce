package io.github.untaken.text;

import io.github.untaken.spi.IdentifierNormalizer;

/**
 * How texts are made equal before they are hashed: texts that the database holds equal have one fold. A fold that is
 * too coarse costs reads; one that is too fine would call a taken name free. Immutable and thread-safe; never blocks.
 */
public interface Fold {

    /** The fold of any text: the text itself, without allocating, if it is its own fold. Takes at most linear time. */
    String of(String text);

    /**
     * Whether texts of small ASCII letters, digits, dots, hyphens and underscores are their own folds, as far as the
     * kind's normalizer accepts them as they are. To be asked only of such texts.
     */
    boolean keepsPlain();

    /** For stores that cannot be asked how they compare; they promise that texts they hold equal have one key. */
    static Fold byKey(IdentifierNormalizer normalizer) {
        return new ByKey(normalizer);
    }

    /** Many databases ignore them. */
    static String withoutBlanksAtTheEnd(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return end == text.length() ? text : text.substring(0, end);
    }

    /** The key is the fold. */
    record ByKey(IdentifierNormalizer normalizer) implements Fold {
        @Override
        public String of(String text) {
            return withoutBlanksAtTheEnd(normalizer.key(text));
        }

        /** For texts that a normalizer accepts as they are, which are their own keys. */
        @Override
        public boolean keepsPlain() {
            return true;
        }
    }
}
