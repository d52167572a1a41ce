package io.github.untaken.servlet;

import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Optional;

/** Phone numbers as their ASCII digits. */
final class Digits implements IdentifierNormalizer {
    @Override
    public String key(String value) {
        return value.replaceAll("[^0-9]", "");
    }

    @Override
    public Optional<String> rejection(String text, String key) {
        return key.length() < 5 ? Optional.of("too_short") : Optional.empty();
    }
}
