package io.github.untaken.nodes;

import io.github.untaken.KindStats;
import io.github.untaken.Verdict.DecidedBy;
import java.util.Locale;
import java.util.stream.Collectors;

/** A node in figures, as one line of {@code name=value}. The last is the reason, which has blanks. */
record NodeStats(String line) {
    private static final String REASON = " reason=";

    static NodeStats of(KindStats stats) {
        KindStats.Following following = stats.following().orElseThrow();
        long checks = stats.answers().checks();
        return new NodeStats("state=" + stats.state().name()
                + " lease=" + following.lease().age().map(age -> age.toMillis()).orElse(-1L)
                + " bound=" + following.lease().bound().toMillis()
                + " gaps=" + following.gaps().sum()
                + " told=" + following.told()
                + " questions=" + following.questions().answered()
                + " failed=" + following.questions().failed()
                + " checks=" + checks
                + " memory=" + (checks - stats.answers().decided().getOrDefault(DecidedBy.STORE, 0L))
                + " reads=" + stats.reads().made()
                + " scan="
                + stats.scans().sinceLast().map(age -> age.toMillis()).orElse(-1L)
                + " gapsby=" + gapsBy(following.gaps())
                + REASON + stats.reason());
    }

    private static String gapsBy(KindStats.Gaps gaps) {
        return gaps.byReason().entrySet().stream()
                .filter(each -> each.getValue() > 0)
                .map(each -> each.getKey().name().toLowerCase(Locale.ROOT) + ':' + each.getValue())
                .collect(Collectors.joining(","));
    }

    boolean ready() {
        return state().equals("READY") && leaseMillis() >= 0 && leaseMillis() < boundMillis();
    }

    /** What decides for a table: whether it answers from memory now. */
    String mode() {
        return ready() ? "memory" : state().equals("READY") ? "database: no news" : "database: " + state();
    }

    private String state() {
        return text("state");
    }

    /** How old its news are; -1 before there were any. */
    long leaseMillis() {
        return number("lease");
    }

    /** From which age on memory does not say "available". */
    long boundMillis() {
        return number("bound");
    }

    /** How often commits may have been missed. */
    long gaps() {
        return number("gaps");
    }

    /** The gaps that there were, by their reasons. */
    String gapsBy() {
        return text("gapsby");
    }

    /** Values the log has told of. */
    long told() {
        return number("told");
    }

    /** All answers. */
    long checks() {
        return number("checks");
    }

    /** Reads of the database for checks and settling. */
    long storeReads() {
        return number("reads");
    }

    /**
     * How long ago the scan began by which it serves; -1 before there was one. Longer than it runs, if it has gone on with what was kept
     * of an earlier life.
     */
    long scanMillis() {
        return number("scan");
    }

    /** Why memory does not answer. */
    String reason() {
        return line.substring(line.indexOf(REASON) + REASON.length());
    }

    private String text(String name) {
        int at = (' ' + line).indexOf(' ' + name + '=') + name.length() + 1;
        return line.substring(at, line.indexOf(' ', at));
    }

    private long number(String name) {
        return Long.parseLong(text(name));
    }
}
