package io.github.untaken.servlet.exchange;

import io.github.untaken.http.spi.CheckBody;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** The bytes of a small body, as many as are here. Not thread-safe. */
final class BodyBytes {
    private final long announced;
    private final byte[] bytes;
    private int length;

    /** None yet, of a body that may be too large. */
    BodyBytes(HttpServletRequest request) {
        int most = CheckBody.MOST_BYTES;
        this.announced = request.getContentLengthLong();
        // One more than may come: whoever fills it sends too much.
        this.bytes = new byte[1 + (announced < 0 ? most : (int) Math.min(announced, most))];
    }

    /** Reads what has arrived of an announced length, and waits for nothing: of one in pieces what is there may be the head of a piece. */
    void readArrived(ServletInputStream in) throws IOException {
        while (announced > length && in.available() > 0 && read(in)) {
            // There is more.
        }
    }

    /** Reads some more, as the stream gives it; false at its end. Once there are too many nothing is read. */
    boolean read(ServletInputStream in) throws IOException {
        int more = isTooLarge() ? -1 : in.read(bytes, length, bytes.length - length);
        length += Math.max(0, more);
        return more >= 0;
    }

    /** Whether all that was announced is here; never of a body without a length. */
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
