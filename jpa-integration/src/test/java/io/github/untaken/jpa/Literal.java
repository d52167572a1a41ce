package io.github.untaken.jpa;

import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Optional;

/** A value is its own key, and everything may be registered. */
public final class Literal implements IdentifierNormalizer {
    @Override
    public String key(String value) {
        return value;
    }

    @Override
    public Optional<String> rejection(String text, String key) {
        return Optional.empty();
    }
}
