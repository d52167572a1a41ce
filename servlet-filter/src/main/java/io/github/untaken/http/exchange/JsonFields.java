package io.github.untaken.http.exchange;

import java.nio.charset.CharacterCodingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Walks the members of one JSON object, strictly as in RFC 8259: only UTF-8, nothing but blanks around it, and no escape of half a
 * character. Members that hold no text are skipped if they are well-formed and not too deep. Not thread-safe.
 *
 * <p>Written by hand: one level of texts is not worth a dependency of this module.
 */
final class JsonFields {
    /** How deep objects and lists may nest, including the outermost. */
    static final int DEEPEST = 16;

    private static final Pattern WORD_OR_NUMBER =
            Pattern.compile("true|false|null|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

    private final String json;
    private final Matcher plain;
    private int at;
    private boolean begun;
    private String name = "";
    private @Nullable String text;
    private boolean isTrue;

    /** From the first bytes of an array. */
    JsonFields(byte[] body, int length) throws Refusal {
        try {
            this.json = FormFields.utf8(body, length);
        } catch (CharacterCodingException e) {
            throw malformed();
        }
        this.plain = WORD_OR_NUMBER.matcher(json);
    }

    /** Goes to the next member; false after the last, if nothing follows the object. */
    boolean next() throws Refusal {
        boolean first = !begun;
        if (first) {
            begun = true;
            expect('{');
        }
        if (take('}')) {
            blanks();
            if (at < json.length()) {
                throw malformed();
            }
            return false;
        }
        if (!first) {
            expect(',');
        }
        name = string();
        expect(':');
        blanks();
        isTrue = json.startsWith("true", at);
        text = json.startsWith("\"", at) ? string() : null;
        if (text == null) {
            value(1);
        }
        return true;
    }

    String name() {
        return name;
    }

    /** The text that this member holds; null if it holds something else. */
    @Nullable String text() {
        return text;
    }

    /** Whether this member holds the word {@code true}. */
    boolean isTrue() {
        return isTrue;
    }

    private void value(int depth) throws Refusal {
        blanks();
        if (json.startsWith("\"", at)) {
            string();
        } else if (take('{')) {
            members(depth + 1, '}');
        } else if (take('[')) {
            members(depth + 1, ']');
        } else if (plain.region(at, json.length()).lookingAt()) {
            at = plain.end();
        } else {
            throw malformed();
        }
    }

    private void members(int depth, char end) throws Refusal {
        if (depth > DEEPEST) {
            throw malformed();
        }
        if (take(end)) {
            return;
        }
        do {
            if (end == '}') {
                string();
                expect(':');
            }
            value(depth);
        } while (take(','));
        expect(end);
    }

    private String string() throws Refusal {
        expect('"');
        StringBuilder out = new StringBuilder();
        for (char c = any(); c != '"'; c = any()) {
            if (c < ' ') {
                throw malformed();
            }
            out.append(c == '\\' ? escaped() : c);
        }
        // Half a character can only have been escaped.
        if (out.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw malformed();
        }
        return out.toString();
    }

    private char escaped() throws Refusal {
        char c = any();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> (char) (digit() << 12 | digit() << 8 | digit() << 4 | digit());
            default -> throw malformed();
        };
    }

    private int digit() throws Refusal {
        char c = any();
        // Other scripts have digits too.
        int digit = c < 0x80 ? Character.digit(c, 16) : -1;
        if (digit < 0) {
            throw malformed();
        }
        return digit;
    }

    private char any() throws Refusal {
        if (at == json.length()) {
            throw malformed();
        }
        return json.charAt(at++);
    }

    private void blanks() {
        while (at < json.length() && " \t\r\n".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean take(char c) {
        blanks();
        boolean there = at < json.length() && json.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char c) throws Refusal {
        if (!take(c)) {
            throw malformed();
        }
    }

    private static Refusal malformed() {
        return new Refusal(Problem.MALFORMED);
    }
}
