package io.github.untaken.http.exchange;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.spi.CheckBody;
import io.github.untaken.http.spi.CheckRequest;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a request to the availability endpoint asks: one text for each kind it names, in its order, at least one. Read from the raw query
 * string or the bytes of the body, so that every container gives the same answer. The container's parameters are used only if somebody has
 * read the body before. Parameters that name no kind are ignored.
 *
 * @param fields of pairwise distinct kinds
 * @param suggestions whether to suggest other names if one is taken
 */
public record AvailabilityRequest(List<Field> fields, boolean suggestions) {
    static final int MAX_VALUE_BYTES = 256;

    private static final String SUGGESTIONS = "suggestions";

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";

    /** What a POST may send. */
    static final String TYPES = FORM + ", " + JSON;

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
     * Refuses a POST whose body need not be read. The query string names a kind, so that a field could have two places; the body is neither
     * a plain form nor JSON; or its length says that it is too large. The header is read as it was sent: containers differ in what they do
     * with an unknown charset, and some throw.
     */
    public static void refuseByHead(CheckRequest request, Map<String, IdentifierKind> kinds) throws Refusal {
        refuseFieldsInQuery(request.query(), kinds);
        String type = request.header("Content-Type");
        if (type == null && request.length() == 0) {
            throw new Refusal(Problem.MISSING);
        }
        String encoding = request.header("Content-Encoding");
        if (type == null || encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new Refusal(Problem.WRONG_TYPE);
        }
        refuseOtherTypes(type);
        if (request.length() > CheckBody.MOST_BYTES) {
            throw new Refusal(Problem.TOO_LARGE);
        }
    }

    /** Reads the body of a POST whose head was not refused. */
    public static AvailabilityRequest ofBody(CheckBody body, CheckRequest request, Map<String, IdentifierKind> kinds)
            throws Refusal {
        if (body instanceof CheckBody.Bytes bytes) {
            if (bytes.length() == 0) {
                throw new Refusal(Problem.MISSING);
            }
            return isJson(request.header("Content-Type"))
                    ? ofJson(bytes.array(), bytes.length(), kinds)
                    : of(FormFields.ofBody(bytes.array(), bytes.length()), kinds);
        }
        if (body instanceof CheckBody.Decoded decoded) {
            return ofFields(decoded, kinds);
        }
        throw new Refusal(Problem.valueOf(((CheckBody.Failure) body).name()));
    }

    /** Whether a body of that type is JSON. */
    public static boolean isJson(@Nullable String type) {
        int end = type == null ? -1 : type.indexOf(';');
        return type != null && is(JSON, end < 0 ? type : type.substring(0, end));
    }

    /** Reads the first bytes of a JSON object. Its members are the fields of a form; {@code true} asks for suggestions. */
    private static AvailabilityRequest ofJson(byte[] body, int length, Map<String, IdentifierKind> kinds)
            throws Refusal {
        JsonFields members = new JsonFields(body, length);
        List<Field> fields = new ArrayList<>(1);
        boolean suggestions = false;
        while (members.next()) {
            IdentifierKind kind = kinds.get(members.name());
            if (kind == null) {
                suggestions |= members.name().equals(SUGGESTIONS) && members.isTrue();
            } else {
                refuseTwice(fields, kind);
                String text = members.text();
                if (text == null) {
                    throw new Refusal(Problem.MALFORMED, kind);
                }
                fields.add(new Field(kind, sound(bounded(text, kind), kind)));
            }
        }
        return of(fields, suggestions);
    }

    /**
     * Reads fields that somebody else has decoded, in whatever encoding. What may have been decoded wrongly is refused, so that no answer
     * is about another text than the one sent.
     */
    private static AvailabilityRequest ofFields(CheckBody.Decoded decoded, Map<String, IdentifierKind> kinds)
            throws Refusal {
        List<Field> fields = new ArrayList<>(1);
        for (Map.Entry<String, List<String>> each : decoded.fields().entrySet()) {
            IdentifierKind kind = kinds.get(each.getKey());
            if (kind != null) {
                if (each.getValue().size() != 1) {
                    throw new Refusal(Problem.DUPLICATED, kind);
                }
                String text = each.getValue().get(0);
                if (!isDecoded(text, decoded.encoding())) {
                    throw new Refusal(Problem.MALFORMED, kind);
                }
                fields.add(new Field(kind, sound(bounded(text, kind), kind)));
            }
        }
        return of(fields, decoded.fields().getOrDefault(SUGGESTIONS, List.of()).indexOf("true") == 0);
    }

    /**
     * Whether this is the text that was sent, and not its UTF-8 bytes read in another encoding. If none is named, it was UTF-8 or ISO
     * 8859-1. The latter makes no character over 255, and its bytes are a sound text.
     */
    private static boolean isDecoded(String text, @Nullable String encoding) {
        if (text.indexOf('\uFFFD') >= 0) {
            return false;
        }
        return "UTF-8".equalsIgnoreCase(encoding)
                || text.chars().allMatch(c -> c < 0x80)
                || encoding == null
                        && (text.chars().anyMatch(c -> c > 0xFF)
                                || !FormFields.isUtf8(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Whether a query string names a kind. One that cannot be read up to there names none. */
    public static boolean isNamed(@Nullable String raw, Map<String, IdentifierKind> kinds) {
        try {
            return firstKind(raw, kinds) != null;
        } catch (Refusal malformed) {
            return false;
        }
    }

    private static void refuseFieldsInQuery(@Nullable String raw, Map<String, IdentifierKind> kinds) throws Refusal {
        IdentifierKind kind = firstKind(raw, kinds);
        if (kind != null) {
            throw new Refusal(Problem.FIELD_IN_QUERY, kind);
        }
    }

    private static @Nullable IdentifierKind firstKind(@Nullable String raw, Map<String, IdentifierKind> kinds)
            throws Refusal {
        FormFields pairs = FormFields.ofQuery(raw == null ? "" : raw);
        while (pairs.next()) {
            IdentifierKind kind = kinds.get(name(pairs));
            if (kind != null) {
                return kind;
            }
        }
        return null;
    }

    private static void refuseOtherTypes(String type) throws Refusal {
        String[] parts = type.split(";", -1);
        if (!is(FORM, parts[0]) && !is(JSON, parts[0])) {
            throw new Refusal(Problem.WRONG_TYPE);
        }
        for (int i = 1; i < parts.length; i++) {
            String[] parameter = parts[i].strip().split("=", 2);
            if (parameter[0].strip().equalsIgnoreCase("charset")) {
                String charset = parameter.length < 2 ? "" : unquoted(parameter[1].strip());
                if (charset.isEmpty()) {
                    throw new Refusal(Problem.MALFORMED);
                }
                if (!charset.equalsIgnoreCase("utf-8")) {
                    throw new Refusal(Problem.WRONG_TYPE);
                }
            }
        }
    }

    private static boolean is(String expected, String type) {
        return type.strip().equalsIgnoreCase(expected);
    }

    private static String unquoted(String text) {
        return text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
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
                refuseTwice(fields, kind);
                fields.add(new Field(kind, value(pairs, kind)));
            }
        }
        return of(fields, suggestions);
    }

    private static AvailabilityRequest of(List<Field> fields, boolean suggestions) throws Refusal {
        if (fields.isEmpty()) {
            throw new Refusal(Problem.MISSING);
        }
        return new AvailabilityRequest(fields, suggestions);
    }

    private static void refuseTwice(List<Field> fields, IdentifierKind kind) throws Refusal {
        for (Field earlier : fields) {
            if (earlier.kind().equals(kind)) {
                throw new Refusal(Problem.DUPLICATED, kind);
            }
        }
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
        return sound(text, kind);
    }

    private static String bounded(String text, IdentifierKind kind) throws Refusal {
        if (text.getBytes(StandardCharsets.UTF_8).length > MAX_VALUE_BYTES) {
            throw new Refusal(Problem.TOO_LONG, kind);
        }
        return text;
    }

    private static String sound(String text, IdentifierKind kind) throws Refusal {
        if (text.isEmpty()) {
            throw new Refusal(Problem.EMPTY, kind);
        }
        if (text.indexOf('\0') >= 0) {
            throw new Refusal(Problem.NUL, kind);
        }
        return text;
    }

    /** Leaves out the texts: a request may be logged, an identifier may not. */
    @Override
    public String toString() {
        return "AvailabilityRequest" + fields.stream().map(Field::kind).toList();
    }
}
