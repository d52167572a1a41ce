package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;

/**
 * Told what the endpoint does, for metrics and alarms. Never given an identifier or an address. Called on the thread that answers; for all
 * bodies that come too late that is a single thread. So it must be quick and must not block. What it throws is logged and otherwise
 * ignored. Implementations are thread-safe.
 */
public interface EndpointListener {

    /** A field was answered; for a blind kind this is what was told, not what is known. */
    default void answered(IdentifierKind kind, Verdict.Status status) {}

    /**
     * A request was refused as a whole.
     *
     * @param status of the response, such as 429
     * @param problem the last part of the problem's type, such as {@code too-many-requests}
     */
    default void refused(int status, String problem) {}

    /**
     * A response was written, or could not be since the connection had broken. Told once for each request to the endpoint, whatever the
     * answer.
     *
     * @param status of the response
     * @param nanos since the filter got the request, including the wait in blind mode
     */
    default void responded(int status, long nanos) {}

    /**
     * A request came with a header in which a proxy says for whom it speaks, from a peer that {@link EndpointSettingsBuilder#proxies} does
     * not name. If it is your proxy, all clients behind it share one limit until it is named. The first is also logged as a warning.
     *
     * @param header its name
     */
    default void forwardedByStranger(String header) {}

    /**
     * An unusual share of the answers was "taken": somebody may be trying a list of identifiers. Told once in each window of
     * {@link EndpointSettingsBuilder#sweepAlarm}, and also logged as a warning.
     *
     * @param answers in the window so far
     * @param taken how many of them
     */
    default void sweepSuspected(IdentifierKind kind, long answers, long taken) {}
}
