package io.github.untaken.servlet.exchange;

import io.github.untaken.IdentifierKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a request to the availability endpoint asks: one text for each kind it names, in its order, at least one. Read from
 * the raw query string or from the bytes of the body, never through the container's parameters, so that every container
 * gives the same answer. Parameters that name no kind are ignored.
 *
 * @param fields of pairwise distinct kinds
 * @param suggestions whether other names are asked for, should one be taken
 */
public record AvailabilityRequest(List<Field> fields, boolean suggestions) {
    static final int MAX_VALUE_BYTES = 256;
    static final int MAX_BODY_BYTES = 8192;

    /** How long a body may take to arrive. A container's own limit is for each pause in it, which a slow client never reaches. */
    static final long MAX_BODY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final String SUGGESTIONS = "suggestions";

    static final String FORM = "application/x-www-form-urlencoded";

    /** One question. The text is as typed, not empty, without NUL. */
    public record Field(IdentifierKind kind, String text) {}

    /**
     * Reads the query string.
     *
     * @param kinds by the name of the parameter
     */
    public static AvailabilityRequest ofQuery(@Nullable String raw, Map<String, IdentifierKind> kinds) throws Refusal {
        return of(FormFields.ofQuery(raw == null ? "" : raw), kinds);
    }

    /**
     * Reads the body. The query string must name no kind: two places for one field would leave a choice.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    public static AvailabilityRequest ofForm(
            HttpServletRequest request, Map<String, IdentifierKind> kinds, LongSupplier nanoTime) throws Refusal {
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
        int length = read(request, body, nanoTime);
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

    /**
     * Reads a small body that the answer does not depend on, within the time any body gets. A container that finds it unread
     * closes the connection behind the answer, and the client's next request on it fails.
     */
    public static void skipBody(HttpServletRequest request, LongSupplier nanoTime) {
        long length = request.getContentLengthLong();
        boolean asksFirst = request.getHeader("Expect") != null; // and sends it only if we read
        if (length > 0 && length <= MAX_BODY_BYTES && !asksFirst) {
            try {
                int unused = read(request, new byte[(int) length + 1], nanoTime);
            } catch (Refusal refusal) {
                // It is refused already.
            }
        }
    }

    private static int read(HttpServletRequest request, byte[] body, LongSupplier nanoTime) throws Refusal {
        try {
            InputStream in = request.getInputStream();
            long began = nanoTime.getAsLong();
            int length = 0;
            while (length < body.length) {
                int more = in.read(body, length, body.length - length);
                if (more < 0) {
                    return length;
                }
                length += more;
                if (nanoTime.getAsLong() - began > MAX_BODY_NANOS) {
                    throw new Refusal(Problem.TOO_SLOW);
                }
            }
            return length;
        } catch (IOException e) {
            // The client went away, was too slow for the container, or sent a broken chunk: not our fault, and not
            // logged.
            throw new Refusal(Problem.UNREADABLE);
        }
    }

    private static AvailabilityRequest of(FormFields pairs, Map<String, IdentifierKind> kinds) throws Refusal {
        List<Field> fields = new ArrayList<>(1);
        boolean suggestions = false;
        while (pairs.next()) {
            String name = name(pairs);
            IdentifierKind kind = kinds.get(name);
            if (kind == null) {
                suggestions |= name.equals(SUGGESTIONS) && pairs.valueIs("true");
            } else {
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
        return new AvailabilityRequest(fields, suggestions);
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
