package io.github.untaken.benchmarks;

import io.github.untaken.benchmarks.check.CheckCost;
import io.github.untaken.benchmarks.large.ManyNames;
import io.github.untaken.benchmarks.plots.Plots;
import io.github.untaken.benchmarks.shared.SharedFilterTrial;
import io.github.untaken.benchmarks.subjects.SubjectCatalog;
import io.github.untaken.benchmarks.subjects.SubjectEntry;
import io.github.untaken.benchmarks.whitelist.AdmissionCost;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The door: what the runnable jar does, by its arguments. */
public final class Benchmarks {
    private Benchmarks() {}

    /** Ends with 0, with 2 and one line on a bad option, or with 1 if a measurement failed. */
    public static void main(String[] arguments) {
        System.exit(run(Arrays.asList(arguments), System.out, System.err));
    }

    static int run(List<String> arguments, PrintStream out, PrintStream progress) {
        try {
            if (arguments.contains("--help") || arguments.contains("-h")) {
                out.print(Options.HELP);
            } else if (arguments.contains("--list")) {
                list(out);
            } else if (!arguments.isEmpty() && arguments.get(0).equals("table")) {
                table(arguments.subList(1, arguments.size()), out);
            } else if (!arguments.isEmpty() && arguments.get(0).equals("plots")) {
                plots(arguments.subList(1, arguments.size()));
            } else if (!arguments.isEmpty() && arguments.get(0).equals("whitelist")) {
                AdmissionCost.run(arguments.subList(1, arguments.size()), out);
            } else if (!arguments.isEmpty() && arguments.get(0).equals("many")) {
                ManyNames.run(arguments.subList(1, arguments.size()), out);
            } else if (!arguments.isEmpty() && arguments.get(0).equals("shared")) {
                SharedFilterTrial.run(arguments.subList(1, arguments.size()), out);
            } else if (!arguments.isEmpty() && arguments.get(0).equals("checks")) {
                return CheckCost.run(arguments.subList(1, arguments.size()), out, progress) ? 0 : 1;
            } else {
                Options options = Options.parse(arguments);
                Comparison comparison = new Comparison(options, progress);
                out.print(new FiguresTable(comparison.run()).text());
                progress.println("figures: " + options.out());
                if (!comparison.failures().isEmpty()) {
                    progress.println("not measured, see above: " + String.join("; ", comparison.failures()));
                    return 1;
                }
            }
            return 0;
        } catch (BadOption e) {
            progress.println(e.getMessage());
            return 2;
        } catch (IOException e) {
            progress.println(e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    private static void list(PrintStream out) {
        for (SubjectEntry entry : SubjectCatalog.entries()) {
            out.printf("%-26s %s%n", entry.name(), entry.interfaceUsed());
        }
    }

    private static void table(List<String> arguments, PrintStream out) throws IOException {
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw new BadOption("table takes a figures file, and a page to write the table into if you like");
        }
        FiguresTable table = new FiguresTable(figures(Path.of(arguments.get(0))));
        if (arguments.size() == 1) {
            out.print(table.text());
            return;
        }
        Path page = Path.of(arguments.get(1));
        if (!Files.isRegularFile(page)) {
            throw new BadOption("no such page: " + page);
        }
        Files.writeString(page, table.into(Files.readString(page)));
    }

    private static void plots(List<String> arguments) throws IOException {
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw new BadOption("plots takes a directory, and a figures file for the costs if you like");
        }
        Path directory = Path.of(arguments.get(0));
        List<Figure> figures = arguments.size() == 2 ? figures(Path.of(arguments.get(1))) : List.of();
        Files.createDirectories(directory);
        Plots.draw(directory);
        if (!figures.isEmpty()) {
            Files.writeString(
                    directory.resolve("cost-against-n.svg"),
                    new CostChart(figures).chart().svg());
        }
    }

    static List<Figure> figures(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new BadOption("no such figures file: " + file);
        }
        List<Figure> figures = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank()) {
                figures.add(Figure.parse(line));
            }
        }
        return figures;
    }
}
