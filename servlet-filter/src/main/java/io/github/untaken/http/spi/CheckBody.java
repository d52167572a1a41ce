package io.github.untaken.http.spi;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What became of a request's body. Immutable, except for bytes, which whoever made it must leave alone. */
@SuppressWarnings("exports") // callers need not see JSpecify's annotations
public sealed interface CheckBody {
    /** How many bytes of it are read at most. */
    int MOST_BYTES = 8192;

    /** It has more than {@link #MOST_BYTES}. */
    CheckBody TOO_LARGE = Failure.TOO_LARGE;

    /** It did not arrive in time. */
    CheckBody TOO_SLOW = Failure.TOO_SLOW;

    /** It did not arrive whole: the client has gone, or sent a broken piece. */
    CheckBody UNREADABLE = Failure.UNREADABLE;

    /** Somebody else has read it, and could not decode it. */
    CheckBody MALFORMED = Failure.MALFORMED;

    /** All of it, as it was sent. */
    static CheckBody of(byte[] bytes) {
        return new Bytes(bytes, bytes.length);
    }

    /** All of it, as it was sent: the first bytes of an array, which is not copied. */
    static CheckBody of(byte[] bytes, int length) {
        return new Bytes(bytes, length);
    }

    /**
     * The fields of a form that somebody else has read and decoded.
     *
     * @param encoding the one used; null if nobody has said
     */
    static CheckBody decoded(Map<String, List<String>> fields, @Nullable String encoding) {
        return new Decoded(fields, encoding);
    }

    /** As it was sent. */
    final class Bytes implements CheckBody {
        private final byte[] bytes;
        private final int length;

        private Bytes(byte[] bytes, int length) {
            this.bytes = bytes;
            this.length = length;
        }

        /** The array that begins with it; not a copy. */
        public byte[] array() {
            return bytes;
        }

        /** Its length in that array. */
        public int length() {
            return length;
        }
    }

    /** Decoded by somebody else. */
    record Decoded(
            Map<String, List<String>> fields, @Nullable String encoding) implements CheckBody {}

    /** Why there is none. */
    enum Failure implements CheckBody {
        TOO_LARGE,
        TOO_SLOW,
        UNREADABLE,
        MALFORMED
    }
}
