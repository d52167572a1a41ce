package io.github.untaken;

import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.GapReason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One kind in figures, at about one moment, in groups; docs/metrics.md says what is normal.
 *
 * @param state whether answers come from memory
 * @param reason why they do not, a sentence for people. When {@code READY} it is empty, but while the tables could not be looked at lately,
 *     so that the database answers all the same. It ends with how many store reads do not come back, if there are such, in any state
 * @param obstacles what keeps memory from answering whatever is scanned; empty when {@code READY}, and while a scan is all that lacks
 * @param memory what the serving generation holds
 * @param underWay what is not over yet
 * @param answers what checks were answered
 * @param reads what the store was asked
 * @param scans how well the store is scanned
 * @param missesProved committed identifiers found missing from memory; anything but 0 deserves a search for the cause
 * @param audit what samples have shown since the start
 * @param sinceLastLook how long ago the last good look at the tables was sent; of several data sources' the longest; empty before the
 *     first, and where nobody can look. Past two and a half times the interval of the looks the database answers
 * @param following how well the database's log is followed; empty for a kind that no feed covers
 */
public record KindStats(
        KindState state,
        String reason,
        Set<Obstacle> obstacles,
        Memory memory,
        UnderWay underWay,
        Answers answers,
        Reads reads,
        Scans scans,
        long missesProved,
        Audit audit,
        Optional<Duration> sinceLastLook,
        Optional<Following> following) {

    /**
     * What the serving generation holds: 0 of everything before the first serves, but for {@code renewals}.
     *
     * @param entries entries in the membership filter
     * @param bytes memory of the membership filter and what stands exactly beside it
     * @param told names it was told of since its birth or renewal, at least; these are asked of the database
     * @param renewals how often told and whitelisted names have begun anew without a scan, since the start
     * @param whitelisted names proved absent although the filter says maybe; approximate
     * @param variants stored values that are spelt in another way than their key, where that is looked at
     */
    public record Memory(long entries, long bytes, int told, long renewals, long whitelisted, int variants) {

        /** {@code bytes} in bits for each entry; 0 without entries. */
        public double bitsPerKey() {
            return entries == 0 ? 0 : bytes * 8.0 / entries;
        }
    }

    /**
     * What is not over yet.
     *
     * @param open texts of work under way, which a generation born now would be told of
     * @param lingering pieces of work of which nobody knows whether the database is done with them; each lingers ten minutes
     * @param mentioned texts that watched requests under way mention
     */
    public record UnderWay(int open, int lingering, int mentioned) {}

    /**
     * What checks were answered since the start. Those refused and those that timed out were answered {@code UNKNOWN}.
     *
     * @param decided checks by what decided them; each value has an entry
     * @param refused checks whose store read found the queue full
     * @param timedOut checks that waited for the store for the whole recheck timeout
     */
    public record Answers(Map<Verdict.DecidedBy, Long> decided, long refused, long timedOut) {

        /** All checks answered. */
        public long checks() {
            return decided.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Store reads, for checks and for watched requests, each for one text or for many. Scans and audits are not counted.
     *
     * @param made those that have ended since the start, or were given up
     * @param waiting those that wait for a thread of the registry now
     * @param failed those that failed; a check whose read is repeated alone may still have been answered
     */
    public record Reads(long made, int waiting, long failed) {}

    /**
     * How well the store is scanned.
     *
     * @param sinceLast how long ago the last scan that reached its end began; empty before the first has. Past the rescan interval
     *     and a margin the kind is {@code DEGRADED}
     * @param progress of the scan under way
     * @param failed scans that did not reach their end, since the start
     */
    public record Scans(Optional<Duration> sinceLast, Optional<Progress> progress, long failed) {}

    /**
     * How far a scan is.
     *
     * @param rows rows read
     * @param expectedRows rows there were when it began, 0 if the store cannot tell
     * @param rowsPerSecond mean rate so far
     * @param secondsLeft at that rate; {@code NaN} while unknown
     */
    public record Progress(long rows, long expectedRows, double rowsPerSecond, double secondsLeft) {}

    /**
     * How well this process follows the log of its database. All kinds of one feed have the same, but for {@code latest}.
     *
     * @param leaseAge how long ago the last question was asked whose mark was reached; empty before the first
     * @param bound the age of the lease beyond which memory does not say "available"
     * @param told values told of since the start, whoever wrote them, some more than once
     * @param questions asked since the start whose mark was reached in time
     * @param failedQuestions those that failed or took too long
     * @param gapsByReason how often commits may have been missed, so that a scan was needed; every reason is there
     * @param lastGap what happened at the last one, or why the log is still not followed, a sentence for people
     * @param latest whether each check of the kind asks for all that was committed before it
     * @param backlog how much of the log is not told of; empty if nobody can tell
     * @param readers what the database keeps of its log for all processes; empty if nobody can tell
     */
    public record Following(
            Optional<Duration> leaseAge,
            Duration bound,
            long told,
            long questions,
            long failedQuestions,
            Map<GapReason, Long> gapsByReason,
            Optional<String> lastGap,
            boolean latest,
            Optional<ChangeFeed.Backlog> backlog,
            Optional<ChangeFeed.Readers> readers) {

        /** How often commits may have been missed, for whatever reason. */
        public long gaps() {
            return gapsByReason.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * What was found by comparing samples of memory and store.
     *
     * @param rows committed rows looked up in memory
     * @param missing those that memory did not know, proved by a second read; anything but 0 deserves a search for the cause
     * @param freeKeys made-up keys looked up in the membership filter
     * @param falsePositives those it took for members although the store has none
     * @param storeReads what that cost beside the samples: store reads of one key each
     */
    public record Audit(long rows, long missing, long freeKeys, long falsePositives, long storeReads) {

        /** The share of committed rows that memory did not know, as measured; 0 before the first row. */
        public double falseNegativeRate() {
            return rows == 0 ? 0 : (double) missing / rows;
        }

        /** The share of free keys that would have cost a store read, as measured; 0 before the first key. */
        public double falsePositiveRate() {
            return freeKeys == 0 ? 0 : (double) falsePositives / freeKeys;
        }
    }
}
