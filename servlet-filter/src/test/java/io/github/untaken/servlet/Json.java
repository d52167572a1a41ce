package io.github.untaken.servlet;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A strict reader of JSON text, as RFC 8259 has it: objects, lists, strings, numbers that are whole, booleans. */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    public static Map<?, ?> object(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.expect(json.at == text.length(), "the end");
        return (Map<?, ?>) value;
    }

    private Object value() {
        return switch (peek()) {
            case '{' -> members();
            case '[' -> elements();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            default -> number();
        };
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        take('{');
        while (peek() != '}') {
            if (!members.isEmpty()) {
                take(',');
            }
            String name = string();
            take(':');
            expect(members.put(name, value()) == null, "distinct names");
        }
        take('}');
        return members;
    }

    private List<Object> elements() {
        List<Object> elements = new ArrayList<>();
        take('[');
        while (peek() != ']') {
            if (!elements.isEmpty()) {
                take(',');
            }
            elements.add(value());
        }
        take(']');
        return elements;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        take('"');
        while (peek() != '"') {
            char c = text.charAt(at++);
            expect(c >= 0x20, "no bare control character");
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escape = text.charAt(at++);
            switch (escape) {
                case '"', '\\', '/' -> out.append(escape);
                case 'u' -> {
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> expect(false, "a known escape");
            }
        }
        take('"');
        return out.toString();
    }

    private Object word(String word, boolean meaning) {
        expect(text.startsWith(word, at), word);
        at += word.length();
        return meaning;
    }

    private Integer number() {
        int start = at;
        while (Character.isDigit(peek())) {
            at++;
        }
        return Integer.valueOf(text.substring(start, at));
    }

    private char peek() {
        expect(at < text.length(), "more");
        return text.charAt(at);
    }

    private void take(char c) {
        expect(peek() == c, "'" + c + "'");
        at++;
    }

    private void expect(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("expected " + what + " at " + at + " of " + text);
        }
    }
}
