package io.github.untaken.http;

/** The header in which a proxy says for whom it speaks. Trust only the one that your proxies really write. */
public enum ForwardingHeader {
    /** {@code Forwarded}, as in RFC 7239. */
    FORWARDED("Forwarded"),
    /** {@code X-Forwarded-For}, a list of addresses. */
    X_FORWARDED_FOR("X-Forwarded-For");

    private final String header;

    ForwardingHeader(String header) {
        this.header = header;
    }

    String header() {
        return header;
    }
}
