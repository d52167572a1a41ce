package io.github.untaken.nodes;

import io.github.untaken.KindStats;
import io.github.untaken.Verdict.DecidedBy;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A node in figures, as one line of {@code name=value}.
 *
 * @param state whether memory answers
 * @param leaseMillis how old its news are; -1 before there were any
 * @param boundMillis from which age on memory does not say "available"
 * @param gaps how often commits may have been missed
 * @param told values the log has told of
 * @param questions that left a mark in the log and were answered
 * @param failedQuestions those that were not
 * @param checks all answers
 * @param fromMemory those that needed no read of the database
 * @param storeReads reads of the database for checks and settling
 * @param scanMillis how long ago the scan began by which it serves; -1 before there was one. Longer than it runs, if it has gone on
 *     with what was kept of an earlier life
 * @param gapsBy the gaps that there were, by their reasons
 * @param reason why memory does not answer
 */
record NodeStats(
        String state,
        long leaseMillis,
        long boundMillis,
        long gaps,
        long told,
        long questions,
        long failedQuestions,
        long checks,
        long fromMemory,
        long storeReads,
        long scanMillis,
        String gapsBy,
        String reason) {

    static NodeStats of(KindStats stats) {
        KindStats.Following following = stats.following().orElseThrow();
        long stored = stats.answers().decided().getOrDefault(DecidedBy.STORE, 0L);
        return new NodeStats(
                stats.state().name(),
                following.leaseAge().map(age -> age.toMillis()).orElse(-1L),
                following.bound().toMillis(),
                following.gaps(),
                following.told(),
                following.questions(),
                following.failedQuestions(),
                stats.answers().checks(),
                stats.answers().checks() - stored,
                stats.reads().made(),
                stats.scans().sinceLast().map(age -> age.toMillis()).orElse(-1L),
                gapsBy(following),
                stats.reason());
    }

    private static String gapsBy(KindStats.Following following) {
        return following.gapsByReason().entrySet().stream()
                .filter(gaps -> gaps.getValue() > 0)
                .map(gaps -> gaps.getKey().name().toLowerCase(Locale.ROOT) + ':' + gaps.getValue())
                .collect(Collectors.joining(","));
    }

    boolean ready() {
        return state.equals("READY") && leaseMillis >= 0 && leaseMillis < boundMillis;
    }

    /** What decides for a table: whether it answers from memory now. */
    String mode() {
        return ready() ? "memory" : state.equals("READY") ? "database: no news" : "database: " + state;
    }

    String line() {
        return "state=" + state + " lease=" + leaseMillis + " bound=" + boundMillis + " gaps=" + gaps + " told=" + told
                + " questions=" + questions + " failed=" + failedQuestions + " checks=" + checks + " memory="
                + fromMemory
                + " reads=" + storeReads + " scan=" + scanMillis + " gapsby=" + gapsBy + " reason=" + reason;
    }

    static NodeStats parse(String line) {
        int reason = line.indexOf(" reason=");
        Map<String, String> fields = Stream.of(line.substring(0, reason).split(" ", -1))
                .map(field -> field.split("=", 2))
                .collect(Collectors.toMap(field -> field[0], field -> field[1]));
        return new NodeStats(
                fields.getOrDefault("state", ""),
                number(fields, "lease"),
                number(fields, "bound"),
                number(fields, "gaps"),
                number(fields, "told"),
                number(fields, "questions"),
                number(fields, "failed"),
                number(fields, "checks"),
                number(fields, "memory"),
                number(fields, "reads"),
                number(fields, "scan"),
                fields.getOrDefault("gapsby", ""),
                line.substring(reason + " reason=".length()));
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }
}
