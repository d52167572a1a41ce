package io.github.untaken.http.exchange;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;

/**
 * Walks the {@code name=value} pairs of a query string or an {@code application/x-www-form-urlencoded} body, and strictly decodes those
 * asked for. An incomplete or wrong percent sequence, or bytes that are not the one right UTF-8 form of a text, are an error and never a
 * replacement character.
 *
 * <p>This class exists because containers differ: one drops a malformed parameter, one throws, one replaces.
 */
public final class FormFields {
    private static final byte NEVER_IN_UTF_8 = (byte) 0xFF;

    private final byte[] text;
    private final int length;
    private int nameStart;
    private int nameEnd;
    private int valueStart;
    private int valueEnd;
    private int next;

    private FormFields(byte[] text, int length) {
        this.text = text;
        this.length = length;
    }

    /**
     * From a raw query string. A character outside plain ASCII does not belong there, and which bytes it stood for depends on the
     * container, so it counts as malformed when decoded.
     */
    public static FormFields ofQuery(String raw) {
        byte[] bytes = new byte[raw.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = raw.charAt(i);
            bytes[i] = c > 0x20 && c < 0x7F ? (byte) c : NEVER_IN_UTF_8;
        }
        return new FormFields(bytes, bytes.length);
    }

    /** From the first bytes of an array, which is not copied. */
    public static FormFields ofBody(byte[] body, int length) {
        return new FormFields(body, length);
    }

    /** Goes to the next pair; false after the last. Nothing between two {@code &} is no pair. */
    public boolean next() {
        while (next < length) {
            nameStart = next;
            nameEnd = -1;
            int at = next;
            for (; at < length && text[at] != '&'; at++) {
                if (text[at] == '=' && nameEnd < 0) {
                    nameEnd = at;
                }
            }
            next = at + 1;
            if (at > nameStart) {
                valueEnd = at;
                valueStart = nameEnd < 0 ? at : nameEnd + 1;
                nameEnd = nameEnd < 0 ? at : nameEnd;
                return true;
            }
        }
        return false;
    }

    public String name() throws CharacterCodingException {
        return decode(nameStart, nameEnd);
    }

    /** The value of this pair, empty if there is no {@code =}. */
    public String value() throws CharacterCodingException {
        return decode(valueStart, valueEnd);
    }

    /** Whether the value of this pair is longer than so many bytes after percent-decoding. */
    boolean valueExceeds(int bytes) {
        int count = 0;
        for (int i = valueStart; i < valueEnd && count <= bytes; i++) {
            if (text[i] == '%') {
                i += 2;
            }
            count++;
        }
        return count > bytes;
    }

    /** Whether the value of this pair is this plain text, written without escapes. */
    boolean valueIs(String plain) {
        if (valueEnd - valueStart != plain.length()) {
            return false;
        }
        for (int i = 0; i < plain.length(); i++) {
            if (text[valueStart + i] != plain.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private String decode(int from, int to) throws CharacterCodingException {
        byte[] plain = new byte[to - from];
        int size = 0;
        boolean ascii = true;
        for (int i = from; i < to; i++) {
            byte b = text[i];
            if (b == '%') {
                b = percent(i, to);
                i += 2;
            } else if (b == '+') {
                b = ' ';
            }
            ascii &= b >= 0;
            plain[size++] = b;
        }
        return ascii ? new String(plain, 0, size, StandardCharsets.US_ASCII) : utf8(plain, size);
    }

    private byte percent(int at, int end) throws CharacterCodingException {
        if (at + 2 >= end) {
            throw new MalformedInputException(end - at);
        }
        int high = Character.digit((char) text[at + 1], 16);
        int low = Character.digit((char) text[at + 2], 16);
        if (high < 0 || low < 0) {
            throw new MalformedInputException(3);
        }
        return (byte) (high << 4 | low);
    }

    static boolean isUtf8(byte[] bytes) {
        try {
            return utf8(bytes, bytes.length).length() <= bytes.length;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** The text of the first bytes, if they are UTF-8. */
    static String utf8(byte[] bytes, int size) throws CharacterCodingException {
        CharsetDecoder strict = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer decoded = strict.decode(ByteBuffer.wrap(bytes, 0, size));
        return decoded.toString();
    }
}
