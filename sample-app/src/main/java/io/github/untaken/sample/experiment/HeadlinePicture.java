package io.github.untaken.sample.experiment;

import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An experiment as an SVG picture of bars, readable on light and on dark ground, and by a screen reader. */
public final class HeadlinePicture {
    private static final int LEFT = 190;
    private static final int WIDEST = 400;
    private static final int BAR = 22;
    private static final int STEP = 30;
    private static final Map<Mode, String> NAMES = Map.of(
            Mode.NO_FILTER, "no filter",
            Mode.MEMBERSHIP_FILTER, "membership filter",
            Mode.FILTER_AND_WHITELIST, "filter + whitelist");

    private final Result result;
    private final StringBuilder svg = new StringBuilder();
    private int y = 70;

    private HeadlinePicture(Result result) {
        this.result = result;
    }

    public static String svg(Result result) {
        return new HeadlinePicture(result).drawn();
    }

    private String drawn() {
        String title = String.format(
                Locale.ROOT,
                "%,d checks against %,d accounts on disk, seed %d",
                result.plan().checks(),
                result.plan().users(),
                result.plan().seed());
        svg.append("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 390" role="img" aria-labelledby="title">
                <style>
                text { font: 14px system-ui, sans-serif; fill: #1f2328; }
                .head { font-weight: 600; }
                .quiet { fill: #59636e; font-size: 12px; }
                .off { fill: #cf5c36; }
                .on { fill: #2f7d5b; }
                @media (prefers-color-scheme: dark) {
                text { fill: #f0f6fc; }
                .quiet { fill: #9198a1; }
                .off { fill: #e8835f; }
                .on { fill: #4cb488; }
                }
                </style>
                """);
        svg.append("<title id=\"title\">").append(title).append("</title>\n");
        text(20, 30, "head", title);
        bars("Database queries", run -> run.reads().databaseQueries());
        bars("Page reads", run -> run.reads().pageReads());
        y += 4;
        line("Counted, not estimated; the three took turns in %d rounds. Mix of the checks:", Experiment.ROUNDS);
        line("%s.", mix(result.plan().mix()));
        line(
                "The filter took %,d of %,d free texts for taken; what a whitelist spares is asking for those again.",
                result.falsePositives().falsePositives(),
                result.falsePositives().freeTexts());
        line(
                "The registries take %.1f MB (counted); a HashSet of the same keys about %.0f MB (estimated).",
                result.registryBytes() / 1e6,
                ExperimentReport.hashSetBytes(result.plan().users()) / 1e6);
        return svg.append("</svg>\n").toString();
    }

    private static String mix(Mix mix) {
        return Stream.of(
                        share(mix, mix.free(), "free names"),
                        share(mix, mix.typed(), "typed letter by letter"),
                        share(mix, mix.taken(), "taken names"),
                        share(mix, mix.hot(), "popular taken names"),
                        share(mix, mix.phones(), "phone numbers"))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String share(Mix mix, int weight, String what) {
        return weight == 0 ? "" : String.format(Locale.ROOT, "%.0f %% %s", 100.0 * weight / mix.sum(), what);
    }

    private void line(String format, Object... values) {
        text(20, y, "quiet", String.format(Locale.ROOT, format, values));
        y += 18;
    }

    private void bars(String what, ToLongFunction<Run> figure) {
        text(20, y, "head", what);
        y += 12;
        long most = Math.max(1, result.runs().stream().mapToLong(figure).max().orElse(1));
        for (Run run : result.runs()) {
            long value = figure.applyAsLong(run);
            long width = Math.max(1, WIDEST * value / most);
            text(20, y + 16, "name", NAMES.getOrDefault(run.mode(), ""));
            svg.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/>%n",
                    run.mode() == Mode.NO_FILTER ? "off" : "on",
                    LEFT,
                    y,
                    width,
                    BAR));
            text(LEFT + width + 8, y + 16, "value", String.format(Locale.ROOT, "%,d", value));
            y += STEP;
        }
        y += 24;
    }

    private void text(long x, long top, String style, String text) {
        svg.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>%n", x, top, style, text));
    }
}
