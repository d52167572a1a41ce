package io.github.untaken.benchmarks.check;

import io.github.untaken.benchmarks.Figure;
import io.github.untaken.benchmarks.OwnJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The cost of a check in several JVMs of each JDK, by turns, and the median of them with the least and the largest: a compiler that has
 * luck in one JVM and none in the next is part of what is measured.
 */
public final class CheckCost {
    private static final int BESIDES_MEBIBYTES = 900;
    private static final int YOUNG_MEBIBYTES = 320;
    /** The filter of the checker, one beside it, and as much again while tables are made. */
    private static final int BYTES_A_NAME = 12;

    private final CheckOptions options;
    private final PrintStream progress;

    private CheckCost(CheckOptions options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Measures, and prints the table. Blocks for minutes.
     *
     * @param arguments as the help of the benchmarks says
     * @return whether all JVMs ended well
     */
    public static boolean run(List<String> arguments, PrintStream out, PrintStream progress)
            throws IOException, InterruptedException {
        return new CheckCost(CheckOptions.parse(arguments), progress).run(out);
    }

    private boolean run(PrintStream out) throws IOException, InterruptedException {
        Files.createDirectories(options.out().toAbsolutePath().getParent());
        Files.write(options.out(), List.of());
        boolean well = true;
        List<Figure> figures = new ArrayList<>();
        for (int jvm = 1; jvm <= options.jvms(); jvm++) {
            for (int size : options.sizes()) {
                for (Path java : options.javas()) {
                    for (boolean cataloged : new boolean[] {false, true}) {
                        progress.println("[" + jvm + "/" + options.jvms() + "] " + size + " names, " + java
                                + (cataloged ? ", with a catalog" : ""));
                        try {
                            figures.addAll(measured(size, java, cataloged));
                        } catch (OwnJvm.Failed e) {
                            progress.println(e.getMessage());
                            well = false;
                        }
                    }
                }
            }
        }
        print(figures, out);
        progress.println("figures: " + options.out());
        return well;
    }

    private List<Figure> measured(int size, Path java, boolean cataloged)
            throws IOException, InterruptedException, OwnJvm.Failed {
        List<Figure> figures = OwnJvm.run(
                java,
                List.of(
                        "-Xmx" + (BESIDES_MEBIBYTES + ((long) size * BYTES_A_NAME >> 20)) + "m",
                        "-Xmn" + YOUNG_MEBIBYTES + "m",
                        "-XX:+UseParallelGC"),
                CheckRun.class,
                List.of(Integer.toString(size), Integer.toString(options.rounds()), Boolean.toString(cataloged)));
        Files.write(options.out(), figures.stream().map(Figure::toJson).toList(), StandardOpenOption.APPEND);
        return figures;
    }

    private static void print(List<Figure> figures, PrintStream out) {
        out.printf(
                "%-14s %-8s %-8s %10s %5s %18s %18s %18s%n",
                "", "store", "java", "names", "JVMs", "ns", "lookup ns", "x lookup, bytes");
        figures.stream()
                .map(CheckCost::row)
                .distinct()
                .sorted()
                .forEach(row -> print(
                        row, figures.stream().filter(f -> row(f).equals(row)).toList(), out));
    }

    /** Which figures are one row of the table. */
    private static String row(Figure figure) {
        return String.format(
                Locale.ROOT,
                "%-14s %-8s %-8s %10s",
                figure.text("figure"),
                figure.text("store"),
                figure.text("java").replaceFirst("[.+].*", ""),
                figure.text("n"));
    }

    private static void print(String row, List<Figure> figures, PrintStream out) {
        boolean compared = !Double.isNaN(figures.get(0).number("ratioToLookup"));
        out.printf(
                "%s %5d %18s %18s %18s%n",
                row,
                figures.size(),
                spread(figures, "nanos", "%.0f"),
                spread(figures, "lookupNanos", "%.0f"),
                compared ? spread(figures, "ratioToLookup", "%.2f") : spread(figures, "bytes", "%.0f"));
    }

    private static String spread(List<Figure> figures, String field, String format) {
        double[] values =
                figures.stream().mapToDouble(figure -> figure.number(field)).toArray();
        if (Double.isNaN(values[0])) {
            return "-";
        }
        Arrays.sort(values);
        return String.format(
                Locale.ROOT,
                format + " (" + format + "-" + format + ")",
                CheckRun.median(values),
                values[0],
                values[values.length - 1]);
    }
}
