package io.github.untaken.http.exchange;

import java.util.Locale;

/**
 * What can be wrong with a request to the availability endpoint. The texts are fixed, see {@link Language}: nothing of the
 * request appears in them. The last part of {@link #type} is stable; clients may act on it and translate it.
 */
public enum Problem {
    MISSING(400),
    EMPTY(400),
    DUPLICATED(400),
    TOO_LONG(400),
    MALFORMED(400),
    NUL(400),
    FIELD_IN_QUERY(400),
    UNREADABLE(400),
    ANOTHER_SITE(403),
    REFUSED(403),
    REGISTRATION_CLOSED(403),
    WRONG_METHOD(405),
    TOO_SLOW(408),
    TOO_LARGE(413),
    WRONG_TYPE(415),
    TOO_MANY_REQUESTS(429),
    TOO_MANY_ANSWERS(429),
    UNKNOWN(503);

    private final int status;
    private final String code;
    private final String type;

    Problem(int status) {
        this.status = status;
        this.code = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.type = "tag:untaken.github.io,2026:" + code;
    }

    /** Of the response. */
    public int status() {
        return status;
    }

    /** The last part of the type. */
    public String code() {
        return code;
    }

    /** Whether a POST that counted against the client's limit was refused without reading its body. */
    public boolean leavesBodyUnread() {
        return this == WRONG_TYPE || this == FIELD_IN_QUERY;
    }

    /** A URI that names the problem; it leads nowhere. */
    String type() {
        return type;
    }
}
