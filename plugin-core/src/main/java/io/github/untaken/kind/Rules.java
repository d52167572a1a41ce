package io.github.untaken.kind;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.filter.KeyHasher;
import io.github.untaken.memory.Generation;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How one kind turns texts into keys, and what is refused without asking whether it is taken. */
public record Rules(IdentifierKind kind, IdentifierNormalizer normalizer, ReservedNames reserved) {

    /** In characters. Strangers' texts are read up to here; no database's unique index holds a text as long. */
    private static final int LONGEST_TEXT = 65_536;

    private static final Optional<String> TOO_LONG = Optional.of("too_long");

    /**
     * The rules of a kind. If every character is significant, as in a phone number, nothing looks like a reserved text.
     */
    public static Rules of(IdentifierKind kind, IdentifierNormalizer normalizer, ReservedNames reserved) {
        boolean exact = kind.equals(IdentifierKind.PHONE) || kind.equals(IdentifierKind.EMAIL);
        return new Rules(kind, normalizer, (exact ? reserved.exactly() : reserved).folded(normalizer));
    }

    /** The same rules with other reserved names, in any spelling. */
    Rules withReserved(ReservedNames names) {
        return of(kind, normalizer, names);
    }

    /** Whether a text is its own key and may be registered, where a quick look can tell. */
    boolean acceptAsIs(String text) {
        return normalizer.acceptsAsIs(text) && !reserved.contains(text);
    }

    /** Whether {@link #freeAtOnce} may be true; for others it need not be called. */
    static boolean isReadAtOnce(String text) {
        int length = text.length();
        return length >= 8 && length <= 24;
    }

    /**
     * Whether a text is its own key, may be registered and is not in memory, from a single reading of its characters.
     * That costs a tenth less than three readings. False may mean anything.
     */
    boolean freeAtOnce(String text, Generation serving) {
        int length = text.length();
        if (!isReadAtOnce(text) || !(normalizer instanceof UsernameNormalizer names)) {
            return false;
        }
        long first = KeyHasher.eight(text, 0);
        long middle = length > 16 ? KeyHasher.eight(text, 8) : first;
        long last = KeyHasher.eight(text, length - 8);
        return serving.fold().keepsPlain()
                && (first | middle | last) >= 0
                && names.acceptsAsIs(first, middle, last, length)
                && !reserved.mayContain(first, last)
                && !serving.mightContain(serving.hash(first, middle, last, length));
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
