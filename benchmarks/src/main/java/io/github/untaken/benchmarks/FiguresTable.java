package io.github.untaken.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures as people read them: a table for each number and sort of keys, a row for each subject. It leaves out what the file has
 * besides and what follows from other columns; on the page also what few readers choose a filter by.
 */
final class FiguresTable {
    static final String BEGIN = "<!-- figures: begin -->";
    static final String END = "<!-- figures: end -->";

    private static final List<String> HEAD = List.of(
            "subject",
            "negative ns",
            "x limit",
            "fastest x",
            "positive, x limit",
            "insert ns",
            "bits/key",
            "error rate",
            "2 readers",
            "beside writer",
            "batch ns",
            "growth ns",
            "B/lookup");

    private static final List<String> ON_THE_PAGE =
            List.of("subject", "negative ns", "x limit", "insert ns", "bits/key", "error rate");

    private record Section(long n, String keys) {}

    /** section, then subject, then figure */
    private final Map<Section, Map<String, Map<String, Figure>>> sections = new LinkedHashMap<>();

    FiguresTable(List<Figure> figures) {
        figures.stream()
                .map(figure -> new Section(figure.n(), figure.text("keys")))
                .distinct()
                .sorted((a, b) ->
                        a.n() != b.n() ? Long.compare(a.n(), b.n()) : a.keys().compareTo(b.keys()))
                .forEach(section -> sections.put(section, new LinkedHashMap<>()));
        for (Figure figure : figures) {
            sections.get(new Section(figure.n(), figure.text("keys")))
                    .computeIfAbsent(figure.text("subject"), ignored -> new LinkedHashMap<>())
                    .put(figure.text("figure"), figure);
        }
    }

    /** In columns of one width. */
    String text() {
        StringBuilder text = new StringBuilder();
        sections.forEach((section, subjects) -> {
            text.append(title(section, subjects)).append('\n');
            List<List<String>> rows = rows(subjects);
            int[] widths = new int[HEAD.size()];
            for (List<String> row : rows) {
                Arrays.setAll(widths, i -> Math.max(widths[i], row.get(i).length()));
            }
            for (List<String> row : rows) {
                for (int i = 0; i < widths.length; i++) {
                    text.append(String.format(i == 0 ? "%-" + widths[i] + "s" : "  %" + widths[i] + "s", row.get(i)));
                }
                text.append('\n');
            }
            text.append('\n');
        });
        return text.toString();
    }

    private String markdown() {
        StringBuilder text = new StringBuilder();
        sections.forEach((section, subjects) -> {
            text.append("\n### ").append(title(section, subjects)).append("\n\n");
            line(text, ON_THE_PAGE);
            text.append("|---").append("|---:".repeat(ON_THE_PAGE.size() - 1)).append("|\n");
            List<List<String>> rows = rows(subjects);
            rows.subList(1, rows.size()).forEach(row -> line(text, onThePage(row)));
        });
        return text.append('\n').toString();
    }

    private static List<String> onThePage(List<String> row) {
        return ON_THE_PAGE.stream().map(column -> row.get(HEAD.indexOf(column))).toList();
    }

    private static void line(StringBuilder text, List<String> row) {
        text.append("| ").append(String.join(" | ", row)).append(" |\n");
    }

    /** The page with the table between its two marks. */
    String into(String page) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new BadOption("the page needs a line " + BEGIN + " and below it a line " + END);
        }
        return page.substring(0, begin + BEGIN.length()) + "\n" + markdown() + page.substring(end);
    }

    /** All of a section were measured by one program on one machine; how busy that was differs. */
    private static String title(Section section, Map<String, Map<String, Figure>> subjects) {
        List<Figure> all = subjects.values().stream()
                .flatMap(figures -> figures.values().stream())
                .toList();
        double[] limits = all.stream()
                .filter(figure -> figure.text("figure").equals("limit"))
                .mapToDouble(figure -> figure.number("nanos"))
                .toArray();
        double load = Turns.median(
                all.stream().mapToDouble(figure -> figure.number("load")).toArray());
        return String.format(
                Locale.ROOT,
                "%,d %s, Java %s: limit %.1f ns (%.1f to %.1f), load before each start %.1f",
                section.n(),
                section.keys(),
                all.get(0).text("java"),
                Turns.median(limits),
                Arrays.stream(limits).min().orElse(Double.NaN),
                Arrays.stream(limits).max().orElse(Double.NaN),
                load);
    }

    private static List<List<String>> rows(Map<String, Map<String, Figure>> subjects) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        subjects.forEach((subject, figures) -> {
            List<String> row = new ArrayList<>(List.of(subject));
            row.add(number("%.0f", figures.get("lookup-negative"), "nanos"));
            row.add(besideLimit(figures.get("lookup-negative")));
            row.add(number("%.2f", figures.get("lookup-negative"), "fastRatio"));
            row.add(besideLimit(figures.get("lookup-positive")));
            row.add(number("%.0f", figures.get("insert"), "nanos"));
            row.add(number("%.1f", figures.get("bits-per-key"), "bits"));
            row.add(rate(figures.get("error-rate")));
            row.add(number("%.2f", figures.get("readers-2"), "ratioToAlone"));
            row.add(number("%.2f", figures.get("reader-beside-writer"), "ratioToAlone"));
            row.add(number("%.0f", figures.get("batch"), "nanos"));
            row.add(number("%.1f", figures.get("growth"), "nanos"));
            row.add(number("%.0f", figures.get("allocation"), "bytes"));
            rows.add(row);
        });
        return rows;
    }

    private static String besideLimit(@Nullable Figure figure) {
        String ratio = number("%.2f", figure, "ratioToLimit");
        return figure == null
                ? ratio
                : ratio + " (" + number("%.2f", figure, "ratioLow") + "-" + number("%.2f", figure, "ratioHigh") + ")";
    }

    private static String rate(@Nullable Figure figure) {
        if (figure == null) {
            return "-";
        }
        double rate = figure.number("rate");
        return rate == 0 ? "0" : String.format(Locale.ROOT, "%.1e", rate);
    }

    private static String number(String format, @Nullable Figure figure, String field) {
        return figure == null || !figure.has(field) ? "-" : String.format(Locale.ROOT, format, figure.number(field));
    }
}
