package io.github.untaken.servlet.exchange;

import io.github.untaken.http.spi.CheckBody;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** The bytes of a small body that are here so far. Not thread-safe. */
final class BodyBytes {
    private final long announced;
    private final byte[] bytes;
    private int length;

    /** Starts empty, for a body that may be too large. */
    BodyBytes(HttpServletRequest request) {
        int most = CheckBody.MOST_BYTES;
        this.announced = request.getContentLengthLong();
        // One more than may come: a body that fills it is too large.
        this.bytes = new byte[1 + (announced < 0 ? most : (int) Math.min(announced, most))];
    }

    /**
     * Reads what has arrived of a body with an announced length, without waiting. A chunked body is not read: what has arrived of it may be
     * only the head of a chunk.
     */
    void readArrived(ServletInputStream in) throws IOException {
        while (announced > length && in.available() > 0 && read(in)) {
            // There is more.
        }
    }

    /** Reads some more, as the stream gives it; false at the end. Reads nothing once there are too many. */
    boolean read(ServletInputStream in) throws IOException {
        int more = isTooLarge() ? -1 : in.read(bytes, length, bytes.length - length);
        length += Math.max(0, more);
        return more >= 0;
    }

    /** Whether all that was announced is here; never true for a body without a length. */
    boolean isWhole() {
        return length == announced;
    }

    boolean isTooLarge() {
        return length == bytes.length;
    }

    boolean isEmpty() {
        return length == 0;
    }

    CheckBody body() {
        return isTooLarge() ? CheckBody.TOO_LARGE : CheckBody.of(bytes, length);
    }
}
