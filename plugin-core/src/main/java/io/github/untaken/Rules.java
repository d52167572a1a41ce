package io.github.untaken;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How one kind turns texts into keys, and what is refused before anybody asks whether it is taken. */
record Rules(IdentifierKind kind, IdentifierNormalizer normalizer, ReservedNames reserved) {

    /** In characters. Texts of strangers are read up to here; no unique index of a database holds one as long. */
    private static final int LONGEST_TEXT = 65_536;

    private static final Optional<String> TOO_LONG = Optional.of("too_long");

    /** The rules of a kind. Where every character says something, as in a phone number, nothing looks like a reserved text. */
    static Rules of(IdentifierKind kind, IdentifierNormalizer normalizer, ReservedNames reserved) {
        boolean exact = kind.equals(IdentifierKind.PHONE) || kind.equals(IdentifierKind.EMAIL);
        return new Rules(kind, normalizer, (exact ? reserved.exactly() : reserved).folded(normalizer));
    }

    /** The same rules with other reserved names, in any spelling. */
    Rules withReserved(ReservedNames names) {
        return of(kind, normalizer, names);
    }

    /** Whether a text is its own key and may be registered, where that is told at a glance. */
    boolean acceptAsIs(String text) {
        return normalizer.acceptsAsIs(text) && !reserved.contains(text);
    }

    /** What is too long to be read is refused, whatever its key would be. */
    String key(String text) {
        return text.length() > LONGEST_TEXT ? text : normalizer.key(text);
    }

    /** The verdict on a text that may not be registered, or null if it may. */
    @Nullable Verdict refusal(String text, String key) {
        Optional<String> rejection = text.length() > LONGEST_TEXT ? TOO_LONG : normalizer.rejection(text, key);
        if (rejection.isPresent()) {
            return new Verdict(kind, Status.INVALID, DecidedBy.NORMALIZER, key, rejection);
        }
        if (reserved.contains(key)) {
            return new Verdict(kind, Status.RESERVED, DecidedBy.RESERVED_LIST, key, Optional.empty());
        }
        return null;
    }
}
