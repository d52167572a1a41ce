package io.github.untaken.sample.console;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What to tell people each second until all answers come from memory, and once when they do. */
public final class WarmUp implements AutoCloseable {
    private final AvailabilityChecker checker;
    private final Progress progress;
    private volatile boolean told;

    public WarmUp(AvailabilityChecker checker, PrintStream out) {
        this.checker = checker;
        this.progress = new Progress(out, this::line);
    }

    public void start() {
        progress.start();
    }

    private String line() {
        if (told) {
            return "";
        }
        Map<String, KindStats> kinds = new TreeMap<>();
        for (IdentifierKind kind : checker.kinds()) {
            kinds.put(kind.name(), checker.stats(kind));
        }
        told = kinds.values().stream().allMatch(stats -> stats.state() == KindState.READY);
        String figures = kinds.entrySet().stream()
                .map(kind -> kind.getKey() + " " + (told ? size(kind.getValue()) : state(kind.getValue())))
                .collect(Collectors.joining("; "));
        return (told ? "Warmed up, answering from memory: " : "Warming up, the database answers meanwhile: ") + figures;
    }

    private static String state(KindStats stats) {
        return stats.scans()
                .progress()
                .map(scan -> String.format(
                        Locale.ROOT,
                        "%,d of %,d rows, %,.0f a second%s",
                        scan.rows(),
                        scan.expectedRows(),
                        scan.rowsPerSecond(),
                        Double.isFinite(scan.secondsLeft())
                                ? String.format(Locale.ROOT, ", %.0f s left", Math.ceil(scan.secondsLeft()))
                                : ""))
                .orElseGet(() -> stats.state().toString().toLowerCase(Locale.ROOT)
                        + (stats.reason().isEmpty() ? "" : " (" + stats.reason() + ")"));
    }

    private static String size(KindStats stats) {
        return String.format(
                Locale.ROOT,
                "%,d entries in %.2f MB, %.1f bits each",
                stats.memory().entries(),
                stats.memory().bytes() / 1e6,
                stats.memory().bitsPerKey());
    }

    @Override
    public void close() {
        progress.close();
    }
}
