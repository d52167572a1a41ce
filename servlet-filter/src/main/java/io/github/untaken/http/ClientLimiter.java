package io.github.untaken.http;

import io.github.untaken.http.limit.Rate;
import java.time.Duration;

/**
 * Decides how often a client may ask. Asked once for each request to the availability endpoint, before anything of the request is read. A
 * request that names several kinds counts once; none can name a kind twice.
 *
 * <p>Implementations are thread-safe, keep bounded memory and do not block. If one throws, the client is told that nobody knows, and no
 * check is made.
 */
@FunctionalInterface
public interface ClientLimiter {

    /** Counts a request of this client and says whether it may go on. */
    Decision admit(ClientKey client);

    /**
     * A token bucket for each client, and one for each network around it, which counts as so many clients. A request needs a token from
     * each, and takes none if one is missing. Uses two megabytes of memory, however many there are: if more clients and networks than it
     * has room for (131,072) have asked lately, it may forget those who asked least. Nobody is refused for what others did, except others
     * in the same network.
     *
     * @param requests admitted a minute on average, 1 to 60 million
     * @param burst admitted at once, 1 to a million
     * @throws IllegalArgumentException if one is out of its range
     */
    static ClientLimiter perMinute(int requests, int burst) {
        return new TokenBucketLimiter(Rate.perMinute(requests, burst));
    }

    /** A limiter that refuses nobody: for demonstrations, tests, and behind a gateway that already limits. */
    static ClientLimiter unlimited() {
        return UnlimitedClients.INSTANCE;
    }

    /**
     * A limiter's decision.
     *
     * @param admitted whether the request may go on
     * @param retryAfter when asking again makes sense, zero or more; sent in whole seconds, rounded up, at least one. Meaningless for an
     *     admitted request
     */
    record Decision(boolean admitted, Duration retryAfter) {
        private static final Decision ADMITTED = new Decision(true, Duration.ZERO);

        /** @throws IllegalArgumentException if {@code retryAfter} is negative */
        public Decision {
            if (retryAfter.isNegative()) {
                throw new IllegalArgumentException("retryAfter must be zero or more, but was " + retryAfter);
            }
        }

        /** The request may go on. */
        public static Decision admit() {
            return ADMITTED;
        }

        /** The request is answered 429. */
        public static Decision refuse(Duration retryAfter) {
            return new Decision(false, retryAfter);
        }
    }
}
