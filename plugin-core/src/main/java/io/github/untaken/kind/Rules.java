package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.text.Fold;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one kind turns texts into keys, and what is refused without asking whether it is taken.
 *
 * @param plain whether all that is {@linkplain #acceptAsIs accepted as it is} is plain, see {@link Fold#keepsPlain}
 */
public record Rules(IdentifierKind kind, IdentifierNormalizer normalizer, ReservedNames reserved, boolean plain) {

    /** In characters. Strangers' texts are read up to here; no database's unique index holds a text as long. */
    private static final int LONGEST_TEXT = 65_536;

    private static final Optional<String> TOO_LONG = Optional.of("too_long");

    /**
     * The rules of a kind. If every character is significant, as in a phone number, nothing looks like a reserved text.
     */
    public static Rules of(IdentifierKind kind, IdentifierNormalizer normalizer, ReservedNames reserved) {
        boolean exact = kind.equals(IdentifierKind.PHONE) || kind.equals(IdentifierKind.EMAIL);
        boolean plain = normalizer instanceof UsernameNormalizer names && names.acceptsPlainAsIs();
        return new Rules(kind, normalizer, (exact ? reserved.exactly() : reserved).folded(normalizer), plain);
    }

    /** The same rules with other reserved names, in any spelling. */
    Rules withReserved(ReservedNames names) {
        return of(kind, normalizer, names);
    }

    /** Whether a text is its own key and may be registered, where a quick look can tell. */
    boolean acceptAsIs(String text) {
        return normalizer.acceptsAsIs(text) && !reserved.contains(text);
    }

    /** A text too long to be read is refused, whatever its key would be. */
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
