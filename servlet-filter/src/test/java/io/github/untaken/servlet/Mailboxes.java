package io.github.untaken.servlet;

import io.github.untaken.spi.IdentifierNormalizer;
import java.util.Locale;
import java.util.Optional;

/** E-mail addresses as small letters. */
final class Mailboxes implements IdentifierNormalizer {
    @Override
    public String key(String value) {
        return value.toLowerCase(Locale.ROOT);
    }

    @Override
    public Optional<String> rejection(String text, String key) {
        return key.indexOf('@') < 1 ? Optional.of("no_at_sign") : Optional.empty();
    }
}
