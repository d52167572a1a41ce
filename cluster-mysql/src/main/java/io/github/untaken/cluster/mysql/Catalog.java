package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.Gap;
import io.github.untaken.spi.GapReason;
import java.util.List;
import java.util.Optional;

/**
 * Which server answers, and what decides there what the log reports of a row, and how.
 *
 * @param identity of the server and its log
 * @param started when it was, in seconds. A server that has restarted may have lost commits that did not wait for its disk, so a row
 *     that was seen deleted is back; or its files were replaced by older ones
 * @param fingerprint of the tables and their columns. It changes even if something was altered and put back, since each table shows
 *     when it was made or last altered, though only in whole seconds; the statements themselves are in the log
 * @param missing what keeps the log from being followed, as sentences for the operator
 */
record Catalog(String identity, long started, String fingerprint, List<String> missing) {
    private static final long JITTER_SECONDS = 1;

    /** Why a log that was followed under this catalog may not report every row now. */
    Optional<Gap> differs(Catalog now) {
        if (!identity.equals(now.identity) || Math.abs(started - now.started) > JITTER_SECONDS) {
            return Optional.of(new Gap(
                    GapReason.SERVER,
                    "another server answers, or this one has restarted, so what was read of its log may have been"
                            + " undone"));
        }
        if (!now.missing.isEmpty()) {
            return Optional.of(now.gap());
        }
        if (!fingerprint.equals(now.fingerprint)) {
            return Optional.of(new Gap(
                    GapReason.ALTERED,
                    "the watched tables have been altered, and rows may have changed without the log"));
        }
        return Optional.empty();
    }

    /** The gap to report for what is missing. */
    Gap gap() {
        return new Gap(GapReason.SET_UP, "the binary log cannot be followed: " + String.join("; ", missing));
    }
}
