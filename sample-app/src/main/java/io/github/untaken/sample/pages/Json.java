package io.github.untaken.sample.pages;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, collections, texts, numbers, booleans and null as JSON (RFC 8259). */
final class Json {
    private Json() {}

    static String text(@Nullable Object value) {
        StringBuilder out = new StringBuilder(256);
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            char before = '{';
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                quote(out, String.valueOf(entry.getKey()));
                out.append(':');
                write(out, entry.getValue());
                before = ',';
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Collection<?> items) {
            char before = '[';
            for (Object item : items) {
                out.append(before);
                write(out, item);
                before = ',';
            }
            out.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            out.append("null");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            quote(out, value.toString());
        }
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
