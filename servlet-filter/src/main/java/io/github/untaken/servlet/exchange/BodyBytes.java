package io.github.untaken.servlet.exchange;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** The bytes of a small body, as many as are here. Not thread-safe. */
final class BodyBytes {
    private final long announced;
    private final boolean json;
    private final byte[] bytes;
    private int length;

    /** None yet, of a body that may be too large. */
    BodyBytes(HttpServletRequest request) {
        int most = AvailabilityRequest.MAX_BODY_BYTES;
        this.announced = request.getContentLengthLong();
        this.json = AvailabilityRequest.isJson(request);
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

    Form form() {
        return kinds -> json
                ? AvailabilityRequest.ofJson(bytes, length, kinds)
                : AvailabilityRequest.ofForm(bytes, length, kinds);
    }

    /** The rest of JSON, which no container makes parameters of: waits for it on this thread, as those do for a form. */
    static Form ofJson(Call call) {
        return kinds -> {
            BodyBytes body = new BodyBytes(call.request());
            try {
                ServletInputStream in = call.request().getInputStream();
                while (body.read(in)) {
                    // There is more.
                }
            } catch (IOException | RuntimeException e) {
                // Somebody has it, or the client has gone: it is not whole.
                body.length = 0;
            }
            if (body.isTooLarge()) {
                throw new Refusal(Problem.TOO_LARGE);
            }
            if (body.isEmpty()) {
                throw new Refusal(body.announced > 0 ? Problem.UNREADABLE : Problem.MISSING);
            }
            return body.form().read(kinds);
        };
    }
}
