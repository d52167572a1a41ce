package io.github.untaken.http.spi;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer, complete before its first byte is sent. Immutable, except for the bytes that the body shows.
 *
 * @param status of HTTP
 * @param headers to be set, except {@code Vary}, which is added to what is there; without {@code Content-Length}, which is
 *     {@link ByteBuffer#remaining} of the body wherever there is a {@code Content-Type}
 * @param body UTF-8; left out of the answer to HEAD. Has an array, and must not be changed
 */
public record EndpointResponse(int status, Map<String, String> headers, ByteBuffer body) {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Without a body. */
    public EndpointResponse(int status, Map<String, String> headers) {
        this(status, headers, NOTHING);
    }

    /** The same with more headers. */
    public EndpointResponse with(Map<String, String> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putAll(more);
        return new EndpointResponse(status, all, body);
    }

    /** Whether it has a body, maybe an empty one. */
    public boolean hasBody() {
        return headers.containsKey("Content-Type");
    }
}
