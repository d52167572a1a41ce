package io.github.untaken.http.exchange;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes one JSON text as UTF-8. Escapes more than JSON asks for: {@code <}, {@code >}, {@code &} and JavaScript's two line separators, so
 * that the text is harmless even inside a page; and lone surrogates, so that it is always well-formed UTF-8.
 */
final class JsonText {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    /** An answer about one name fits. */
    private byte[] out = new byte[128];

    private int length;

    JsonText open(char bracket) {
        comma();
        put(bracket);
        return this;
    }

    JsonText close(char bracket) {
        put(bracket);
        return this;
    }

    JsonText name(String name) {
        comma();
        quoted(name);
        put(':');
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
        put(Integer.toString(number));
        return this;
    }

    JsonText value(boolean claim) {
        put(Boolean.toString(claim));
        return this;
    }

    /** Not a copy: write nothing afterwards. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(out, 0, length);
    }

    private void comma() {
        if (length > 0) {
            byte last = out[length - 1];
            if (last != '{' && last != '[' && last != ':') {
                put(',');
            }
        }
    }

    private void put(int octet) {
        if (length == out.length) {
            out = Arrays.copyOf(out, 2 * length);
        }
        out[length++] = (byte) octet;
    }

    private void put(String text) {
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            put(octet);
        }
    }

    private void quoted(String text) {
        put('"');
        for (int i = 0; i < text.length(); i++) {
            int c = text.codePointAt(i);
            if (mustEscape(c)) {
                escaped(c);
            } else if (c < 0x80) {
                put(c);
            } else {
                put(Character.toString(c));
                i += Character.charCount(c) - 1;
            }
        }
        put('"');
    }

    private static boolean mustEscape(int c) {
        return switch (c) {
            case '"', '\\', '<', '>', '&', '\u2028', '\u2029' -> true;
            default ->
                c < 0x20 || c >= 0x7F && c < 0xA0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
        };
    }

    private void escaped(int c) {
        if (c == '"' || c == '\\') {
            put('\\');
            put(c);
        } else {
            put("\\u");
            put(HEX[c >>> 12]);
            put(HEX[c >>> 8 & 15]);
            put(HEX[c >>> 4 & 15]);
            put(HEX[c & 15]);
        }
    }
}
