package io.github.untaken.normalize;

import io.github.untaken.spi.IdentifierNormalizer;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;

/** User names: compatibility forms and case do not matter. */
public final class UsernameNormalizer implements IdentifierNormalizer {
    private static final UsernameNormalizer DEFAULTS = new UsernameNormalizer();

    private UsernameNormalizer() {}

    /** The default policy. */
    public static UsernameNormalizer defaults() {
        return DEFAULTS;
    }

    @Override
    public String key(String value) {
        String before = value;
        while (true) {
            String after = Normalizer.normalize(
                    Normalizer.normalize(before, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT), Normalizer.Form.NFKC);
            if (after.equals(before)) {
                return before;
            }
            before = after;
        }
    }

    @Override
    public Optional<String> rejection(String text, String key) {
        int length = key.codePointCount(0, key.length());
        if (length < 2) {
            return Optional.of("too_short");
        }
        if (length > 32) {
            return Optional.of("too_long");
        }
        return key.codePoints().allMatch(c -> Character.isLetterOrDigit(c) || c == '.' || c == '_' || c == '-')
                ? Optional.empty()
                : Optional.of("illegal_character");
    }
}
