package io.github.untaken;

import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.GapReason;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The figures of one kind, at about one moment, in groups; docs/metrics.md says what is normal.
 *
 * @param state whether answers come from memory
 * @param reason why they do not, as a sentence for people. Empty when {@code READY}, unless the last look at the tables
 *     or the log's news are too     old, so the database answers all the same. In any state it ends with the number of
 *     store reads that do not come back, if there are any
 * @param obstacles what keeps memory from answering, whatever is scanned; empty when {@code READY}, and while only a
 *     scan is missing
 * @param memory what the serving generation holds
 * @param underWay what is not over yet
 * @param answers how checks were answered
 * @param reads what the store was asked
 * @param scans how well the store is scanned
 * @param missesProved committed identifiers found missing from memory; look for the cause of anything but 0
 * @param audit what samples have shown since the start
 * @param sinceLastLook how long ago the last good look at the tables was sent; the longest, if there are several data
 *     sources; empty before the     first, and where no one can look. Past two and a half look intervals, the database
 *     answers
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
     * What the serving generation holds. All but {@code renewals} are 0 until one serves.
     *
     * @param entries entries in the membership filter
     * @param bytes memory of the membership filter and what is kept exactly beside it
     * @param told names it was told of since its birth or renewal, at least; for these the database is asked
     * @param renewals how often told and whitelisted names have started afresh without a scan, since the start
     * @param whitelisted names proved absent although the filter says maybe; approximate
     * @param variants stored values that are spelt differently from their key, where that is checked
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
     * @param lingering pieces of work of which it is unknown whether the database is done with them; each lingers ten
     *     minutes
     * @param mentioned texts that watched requests under way mention
     */
    public record UnderWay(int open, int lingering, int mentioned) {}

    /**
     * How checks were answered since the start. Refused and timed-out checks were answered {@code UNKNOWN}.
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
     * Store reads, for checks and for watched requests, each for one text or many. Scans and audits are not counted.
     *
     * @param made reads that have ended since the start, or were given up
     * @param waiting reads that wait for one of the registry's threads now
     * @param failed reads that failed; a check whose read is repeated alone may still have been answered
     */
    public record Reads(long made, int waiting, long failed) {}

    /**
     * How well the store is scanned.
     *
     * @param sinceLast how long ago the last scan that finished began; empty before the first has. Past the rescan
     *     interval and a margin the kind is {@code DEGRADED}
     * @param progress of the scan under way
     * @param failed scans that did not finish, since the start
     */
    public record Scans(Optional<Duration> sinceLast, Optional<Progress> progress, long failed) {}

    /**
     * How far a scan has come.
     *
     * @param rows rows read
     * @param expectedRows rows when it began, 0 if the store cannot tell
     * @param rowsPerSecond mean rate so far
     * @param secondsLeft at that rate; {@code NaN} while unknown
     */
    public record Progress(long rows, long expectedRows, double rowsPerSecond, double secondsLeft) {}

    /**
     * How well this process follows its database's log. Equal for all kinds of one feed, except for {@code latest}.
     *
     * @param lease how old its news is
     * @param told values reported since the start, whoever wrote them, some more than once
     * @param questions what was asked for that news
     * @param gaps how often commits may have been missed
     * @param latest whether each check of the kind asks for everything committed before it
     * @param figures how much of the log waits
     */
    public record Following(
            Lease lease, long told, Questions questions, Gaps gaps, boolean latest, ChangeFeed.Figures figures) {}

    /**
     * For how long the log's news is believed.
     *
     * @param age how long ago the last question was asked whose mark was reached; empty before the first
     * @param bound the age beyond which memory does not say "available"
     */
    public record Lease(Optional<Duration> age, Duration bound) {}

    /**
     * Questions asked since the start.
     *
     * @param answered their mark was reached in time
     * @param failed they failed or took too long
     */
    public record Questions(long answered, long failed) {}

    /**
     * How often commits may have been missed, so that a scan was needed.
     *
     * @param byReason has an entry for every reason
     * @param last what happened at the last one, or why the log is still not followed, as a sentence for people
     */
    public record Gaps(Map<GapReason, Long> byReason, Optional<String> last) {

        /** For any reason. */
        public long sum() {
            return byReason.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Findings from comparing samples of memory and store.
     *
     * @param rows committed rows looked up in memory
     * @param missing rows that memory did not know, proved by a second read; look for the cause of anything but 0
     * @param freeKeys made-up keys looked up in the membership filter
     * @param falsePositives made-up keys that it took for members although the store has none
     * @param storeReads the cost beside the samples: store reads of one key each
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
