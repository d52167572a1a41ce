package io.github.untaken.servlet;

import io.github.untaken.spi.IdentifierKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request to the availability endpoint asks: one text for each kind it names, in its order, at least one. Read from
 * the raw query string or from the bytes of the body, never through the container's parameters, so that every container
 * gives the same answer. Parameters that name no kind are ignored.
 *
 * @param fields of pairwise distinct kinds
 */
record AvailabilityRequest(List<Field> fields) {
    static final int MAX_VALUE_BYTES = 256;
    static final int MAX_BODY_BYTES = 8192;

    private static final String FORM = "application/x-www-form-urlencoded";

    /** One question. The text is as typed, not empty, without NUL. */
    record Field(IdentifierKind kind, String text) {}

    /** @param kinds by the name of the parameter */
    static AvailabilityRequest ofQuery(@Nullable String raw, Map<String, IdentifierKind> kinds) throws Refusal {
        return of(FormFields.ofQuery(raw == null ? "" : raw), kinds);
    }

    /** Reads the body. The query string must name no kind: two places for one field would leave a choice. */
    static AvailabilityRequest ofForm(HttpServletRequest request, Map<String, IdentifierKind> kinds) throws Refusal {
        refuseFieldsInQuery(request.getQueryString(), kinds);
        if (request.getContentType() == null && request.getContentLengthLong() == 0) {
            throw new Refusal(Problem.MISSING);
        }
        if (!isPlainForm(request)) {
            throw new Refusal(Problem.WRONG_TYPE);
        }
        if (request.getContentLengthLong() > MAX_BODY_BYTES) {
            throw new Refusal(Problem.TOO_LARGE);
        }
        byte[] body = new byte[MAX_BODY_BYTES + 1];
        int length = read(request, body);
        if (length > MAX_BODY_BYTES) {
            throw new Refusal(Problem.TOO_LARGE);
        }
        return of(FormFields.ofBody(body, length), kinds);
    }

    private static void refuseFieldsInQuery(@Nullable String raw, Map<String, IdentifierKind> kinds) throws Refusal {
        if (raw != null) {
            FormFields pairs = FormFields.ofQuery(raw);
            while (pairs.next()) {
                IdentifierKind kind = kinds.get(name(pairs));
                if (kind != null) {
                    throw new Refusal(Problem.FIELD_IN_QUERY, kind);
                }
            }
        }
    }

    private static boolean isPlainForm(HttpServletRequest request) {
        String encoding = request.getHeader("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            return false;
        }
        String type = request.getContentType();
        if (type == null) {
            return false;
        }
        String[] parts = type.split(";", -1);
        if (!parts[0].strip().equalsIgnoreCase(FORM)) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().toLowerCase(Locale.ROOT).replace("\"", "");
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
                return false;
            }
        }
        return true;
    }

    private static int read(HttpServletRequest request, byte[] body) throws Refusal {
        try {
            InputStream in = request.getInputStream();
            return in.readNBytes(body, 0, body.length);
        } catch (IOException e) {
            // The client went away, was too slow for the container, or sent a broken chunk: not our fault, and not
            // logged.
            throw new Refusal(Problem.UNREADABLE);
        }
    }

    private static AvailabilityRequest of(FormFields pairs, Map<String, IdentifierKind> kinds) throws Refusal {
        List<Field> fields = new ArrayList<>(1);
        while (pairs.next()) {
            IdentifierKind kind = kinds.get(name(pairs));
            if (kind != null) {
                for (Field earlier : fields) {
                    if (earlier.kind().equals(kind)) {
                        throw new Refusal(Problem.DUPLICATED, kind);
                    }
                }
                fields.add(new Field(kind, value(pairs, kind)));
            }
        }
        if (fields.isEmpty()) {
            throw new Refusal(Problem.MISSING);
        }
        return new AvailabilityRequest(fields);
    }

    private static String name(FormFields pairs) throws Refusal {
        try {
            return pairs.name();
        } catch (CharacterCodingException e) {
            throw new Refusal(Problem.MALFORMED);
        }
    }

    private static String value(FormFields pairs, IdentifierKind kind) throws Refusal {
        if (pairs.valueExceeds(MAX_VALUE_BYTES)) {
            throw new Refusal(Problem.TOO_LONG, kind);
        }
        String text;
        try {
            text = pairs.value();
        } catch (CharacterCodingException e) {
            throw new Refusal(Problem.MALFORMED, kind);
        }
        if (text.isEmpty()) {
            throw new Refusal(Problem.EMPTY, kind);
        }
        if (text.indexOf('\0') >= 0) {
            throw new Refusal(Problem.NUL, kind);
        }
        return text;
    }

    /** Without the texts: a request may be logged, an identifier may not. */
    @Override
    public String toString() {
        return "AvailabilityRequest" + fields.stream().map(Field::kind).toList();
    }
}
