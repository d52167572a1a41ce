package io.github.untaken.jpa;

import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Locale;
import java.util.Optional;

/** Lower case is the key, and everything may be registered. */
final class Folding implements IdentifierNormalizer {
    @Override
    public String key(String value) {
        return value.toLowerCase(Locale.ROOT);
    }

    @Override
    public Optional<String> rejection(String text, String key) {
        return Optional.empty();
    }
}
