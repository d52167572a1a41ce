package io.github.untaken.sample.pages;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a form post, read strictly: each field at most once, well-formed percent codes, well-formed UTF-8, no NUL.
 * A servlet container's own parser replaces what it cannot read, and a user name with a replacement character in it would
 * be somebody else's.
 */
final class Form {
    private static final int LONGEST_BODY = 8 * 1024;
    private static final int LONGEST_VALUE = 256;
    private static final String MEDIA_TYPE = "application/x-www-form-urlencoded";

    private final Map<String, String> fields = new HashMap<>();

    private Form() {}

    /** Reads the body of a request. */
    static Form of(HttpServletRequest request) throws BadRequestException {
        refuseOtherTypes(Optional.ofNullable(request.getHeader("Content-Type")).orElse(MEDIA_TYPE));
        byte[] body;
        try {
            body = request.getInputStream().readNBytes(LONGEST_BODY + 1);
        } catch (IOException e) {
            throw BadRequestException.tooSlow(); // or the client has gone, and hears nothing
        }
        if (body.length > LONGEST_BODY) {
            throw new BadRequestException("request", "too_long");
        }
        Form form = new Form();
        form.add(new String(body, StandardCharsets.ISO_8859_1));
        return form;
    }

    /** By the raw header: asked for what it means, the container throws where it does not know the charset. */
    private static void refuseOtherTypes(String type) throws BadRequestException {
        String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
        if (!parts[0].strip().equals(MEDIA_TYPE)) {
            throw new BadRequestException("request", "not_a_form");
        }
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("charset=")
                    && !parameter.equals("charset=utf-8")
                    && !parameter.equals("charset=\"utf-8\"")) {
                throw new BadRequestException("request", "not_utf8");
            }
        }
    }

    /** Reads the query string alone. */
    static Form ofQuery(HttpServletRequest request) throws BadRequestException {
        return new Form().withQueryOf(request);
    }

    /** Adds the fields of the query string to those of the body. */
    Form withQueryOf(HttpServletRequest request) throws BadRequestException {
        add(Optional.ofNullable(request.getQueryString()).orElse(""));
        return this;
    }

    private void add(String encoded) throws BadRequestException {
        for (String pair : encoded.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = decoded("request", equals < 0 ? pair : pair.substring(0, equals), true);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            boolean known = name.equals("username") || name.equals("phone");
            if (fields.putIfAbsent(name, decoded(known ? name : "request", value, true)) != null) {
                throw new BadRequestException(known ? name : "request", "duplicate");
            }
        }
    }

    /** The text of a field that must be there and not be empty. */
    String required(String name) throws BadRequestException {
        String value = fields.get(name);
        if (value == null || value.isEmpty()) {
            throw new BadRequestException(name, value == null ? "missing" : "empty");
        }
        return value;
    }

    /** The text of a field that may be absent or blank. */
    Optional<String> optional(String name) {
        @Nullable String value = fields.get(name);
        return value == null || value.isBlank() ? Optional.empty() : Optional.of(value);
    }

    /** A whole number within bounds. */
    long number(String name, long otherwise, long least, long most) throws BadRequestException {
        Optional<String> text = optional(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text.get());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the same answer as for a number out of range
        }
        throw BadRequestException.outOfRange(name, least, most);
    }

    /**
     * Undoes percent coding.
     *
     * @param field whom to blame
     * @param plusIsSpace as in forms, not as in paths
     */
    static String decoded(String field, String encoded, boolean plusIsSpace) throws BadRequestException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                int high = i + 2 < encoded.length() ? Character.digit(encoded.charAt(i + 1), 16) : -1;
                int low = i + 2 < encoded.length() ? Character.digit(encoded.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw new BadRequestException(field, "malformed");
                }
                bytes.write(high << 4 | low);
                i += 2;
            } else if (c > 0xFF) {
                throw new BadRequestException(field, "malformed");
            } else {
                bytes.write(plusIsSpace && c == '+' ? ' ' : c);
            }
        }
        if (bytes.size() > LONGEST_VALUE) {
            throw new BadRequestException(field, "too_long");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
            if (text.indexOf('\0') >= 0) {
                throw new BadRequestException(field, "malformed");
            }
            return text;
        } catch (CharacterCodingException e) {
            throw new BadRequestException(field, "malformed");
        }
    }
}
