package io.github.untaken.servlet;

import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The default rules for user names; counts how often each text was made a key, and throws for texts told. Count texts that
 * are not their own keys: keys may be folded again.
 */
final class CountingNormalizer implements IdentifierNormalizer {
    /** How often a text that a request mentions, and that is not stored, is made a key: at once, to be found by, and by the read at the end. */
    static final int EACH_MENTION = 3;

    private final IdentifierNormalizer rules = UsernameNormalizer.defaults();
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();
    private final String poison;

    CountingNormalizer(String poison) {
        this.poison = poison;
    }

    int asked(String text) {
        return asked.getOrDefault(text, 0);
    }

    @Override
    public String key(String value) {
        asked.merge(value, 1, Integer::sum);
        if (!poison.isEmpty() && value.contains(poison)) {
            throw new IllegalStateException("cannot fold " + value);
        }
        return rules.key(value);
    }

    @Override
    public Optional<String> rejection(String text, String key) {
        return rules.rejection(text, key);
    }
}
