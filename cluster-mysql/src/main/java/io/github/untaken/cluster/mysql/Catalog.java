package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.Gap;
import io.github.untaken.spi.GapReason;
import java.util.List;
import java.util.Optional;

/**
 * Which server answers, and what decides there what the log tells of a row, and how.
 *
 * @param identity of the server and its log
 * @param started when it was, in seconds: one that was started anew may have lost commits that did not wait for its disk, so that what
 *     was seen to be deleted is there again; or its files were put back to how they were
 * @param fingerprint of the tables and their columns. It also changes where something has been altered and put back, for each table
 *     says when it was made or last altered, if only in whole seconds; the statements themselves stand in the log
 * @param missing what the log needs and has not, as sentences for the operator
 */
record Catalog(String identity, long started, String fingerprint, List<String> missing) {
    private static final long JITTER_SECONDS = 1;

    /** Why a log that was followed when all was as here need not tell of every row now. */
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

    /** Of what is missing. */
    Gap gap() {
        return new Gap(GapReason.SET_UP, "the binary log cannot be followed: " + String.join("; ", missing));
    }
}
