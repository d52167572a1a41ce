package io.github.untaken.servlet;

import java.util.Locale;

/**
 * What can be wrong with a request to the availability endpoint. The texts are fixed: nothing of the request appears in
 * them. The last part of {@link #type} is stable; clients may act on it and translate it.
 */
enum Problem {
    MISSING(400, "Nothing to check", "No parameter names a kind of identifier that is served here."),
    EMPTY(400, "Empty value", "The field has no value."),
    DUPLICATED(400, "Field given twice", "Each field may be given once."),
    TOO_LONG(400, "Value too long", "A value may have at most 256 bytes in UTF-8."),
    MALFORMED(
            400,
            "Malformed encoding",
            "Names and values must be UTF-8 text, percent-encoded where they are not plain ASCII."),
    NUL(400, "Forbidden character", "A value must not contain the character NUL."),
    FIELD_IN_QUERY(400, "Field in the query string", "Send the fields of a POST in its body."),
    UNREADABLE(400, "Unreadable body", "The body of the request could not be read to its end."),
    REFUSED(403, "Not admitted", "This request may not ask about identifiers of this kind."),
    WRONG_METHOD(405, "Method not allowed", "Use one of the methods that the Allow header lists."),
    TOO_LARGE(413, "Body too large", "The body of the request may have at most 8192 bytes."),
    WRONG_TYPE(
            415,
            "Unsupported media type",
            "Send the fields as application/x-www-form-urlencoded in UTF-8, without a content encoding."),
    TOO_MANY_REQUESTS(429, "Too many requests", "Ask again after the time the Retry-After header states."),
    UNKNOWN(503, "Availability unknown", "At the moment nobody can say whether this is available. Ask again.");

    private final int status;
    private final String title;
    private final String detail;
    private final String type;

    Problem(int status, String title, String detail) {
        this.status = status;
        this.title = title;
        this.detail = detail;
        this.type =
                "tag:untaken.github.io,2026:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    int status() {
        return status;
    }

    String title() {
        return title;
    }

    String detail() {
        return detail;
    }

    /** A URI that names the problem; it leads nowhere. */
    String type() {
        return type;
    }
}
