package io.github.untaken.servlet.exchange;

import java.nio.charset.StandardCharsets;

/**
 * Writes one JSON text. Escapes more than JSON asks for: {@code <}, {@code >}, {@code &} and the two line separators of
 * JavaScript, so that the text is harmless even where somebody puts it into a page; and lone surrogates, so that it is
 * always well-formed UTF-8.
 */
final class JsonText {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final StringBuilder out = new StringBuilder(160);

    JsonText open(char bracket) {
        comma();
        out.append(bracket);
        return this;
    }

    JsonText close(char bracket) {
        out.append(bracket);
        return this;
    }

    JsonText name(String name) {
        comma();
        quoted(name);
        out.append(':');
        return this;
    }

    JsonText value(String text) {
        quoted(text);
        return this;
    }

    /** A text as one of a list. */
    void element(String text) {
        comma();
        quoted(text);
    }

    JsonText value(int number) {
        out.append(number);
        return this;
    }

    JsonText value(boolean claim) {
        out.append(claim);
        return this;
    }

    byte[] utf8() {
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void comma() {
        if (!out.isEmpty()) {
            char last = out.charAt(out.length() - 1);
            if (last != '{' && last != '[' && last != ':') {
                out.append(',');
            }
        }
    }

    private void quoted(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                out.append(c).append(text.charAt(++i));
            } else if (mustEscape(c)) {
                escaped(c);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static boolean mustEscape(char c) {
        return switch (c) {
            case '"', '\\', '<', '>', '&', '\u2028', '\u2029' -> true;
            default -> c < 0x20 || c >= 0x7F && c < 0xA0 || Character.isSurrogate(c);
        };
    }

    private void escaped(char c) {
        if (c == '"' || c == '\\') {
            out.append('\\').append(c);
        } else {
            out.append("\\u")
                    .append(HEX[c >>> 12])
                    .append(HEX[c >>> 8 & 15])
                    .append(HEX[c >>> 4 & 15])
                    .append(HEX[c & 15]);
        }
    }
}
