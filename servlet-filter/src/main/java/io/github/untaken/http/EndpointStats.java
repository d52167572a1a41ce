package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the endpoint has done since the filter was made, see {@link AvailabilityEndpoint#stats}. Counted while other requests are being
 * answered, so figures read together may differ by those. Immutable; holds no identifier and no address.
 *
 * @param responses by HTTP status, those that occurred
 * @param answers by kind and status, those that occurred; for a blind kind what was told
 * @param refusals by the last part of the problem's type, such as {@code too-many-requests}, those that occurred
 * @param latency of all responses
 * @param forwardedByStrangers requests with {@code X-Forwarded-For} or {@code Forwarded} from a peer that is no named proxy
 * @param faults of the filter's own code, and of the application's where the filter calls it; the first of each kind is logged
 */
public record EndpointStats(
        Map<Integer, Long> responses,
        Map<IdentifierKind, Map<Verdict.Status, Long>> answers,
        Map<String, Long> refusals,
        Latency latency,
        long forwardedByStrangers,
        long faults) {

    /** Takes copies. */
    public EndpointStats {
        responses = Map.copyOf(responses);
        answers = Map.copyOf(answers);
        refusals = Map.copyOf(refusals);
    }

    /**
     * How long responses took, from when the filter got the request until the response was written.
     *
     * @param responses how many
     * @param total of all their times
     * @param longest zero if there were none
     * @param steps in ascending order
     */
    public record Latency(long responses, Duration total, Duration longest, List<Step> steps) {
        /** Takes a copy. */
        public Latency {
            steps = List.copyOf(steps);
        }
    }

    /**
     * A line of the histogram.
     *
     * @param upTo a time
     * @param responses that took at most this, those of earlier steps included
     */
    public record Step(Duration upTo, long responses) {}
}
