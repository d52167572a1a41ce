package io.github.untaken;

import java.util.List;

/**
 * One question to the store, as reported to {@link CheckListener#storeRead}. Reads by scans and audits are not
 * reported.
 *
 * @param askers what {@link CheckListener#storeAsked} returned for each check that waits for it; empty if only a
 *     watched request does
 * @param keys how many keys the question was for, at least 1
 * @param nanos how long the store took, in nanoseconds
 * @param succeeded whether it answered
 */
public record StoreRead(List<Object> askers, int keys, long nanos, boolean succeeded) {
    public StoreRead {
        askers = List.copyOf(askers);
    }
}
