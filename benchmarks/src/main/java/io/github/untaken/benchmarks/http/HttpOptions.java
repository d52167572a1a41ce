package io.github.untaken.benchmarks.http;

import io.github.untaken.benchmarks.BadOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The command line.
 *
 * @param engines the databases, of {@code h2}, {@code postgresql} and {@code mariadb}
 * @param rows taken user names in each of them
 * @param rounds in each of which every endpoint is measured once
 * @param seconds for which an endpoint is asked in a round
 * @param connections over which it is asked, each with one request at a time
 * @param out the figures file, which is appended to
 */
record HttpOptions(List<String> engines, int rows, int rounds, double seconds, int connections, Path out) {
    static final String HELP = """
            java -cp benchmarks.jar io.github.untaken.benchmarks.http.HttpRatios [OPTION...]

            Asks an echo servlet, the availability endpoint, and a servlet that reads the database each time, in turns.

              --rounds N       how often each is measured, 1 to 1000 (default 9)
              --seconds N      how long each time, 0.1 to 600 (default 5)
              --connections N  kept open, each with one request at a time, 1 to 1000 (default 16)
              --engines A,B    databases: h2, postgresql, mariadb if packaged with -Pmariadb (default h2,postgresql)
              --rows N         taken user names in each, 1000 to 50000000 (default 1000000)
              --out FILE       figures are appended to it (default benchmarks/target/http-figures.jsonl)
              --help           this
            """;
    private static final Set<String> ENGINES = Set.of("h2", "postgresql", "mariadb");

    static HttpOptions parse(List<String> arguments) {
        List<String> engines = List.of("h2", "postgresql");
        int rows = 1_000_000;
        int rounds = 9;
        double seconds = 5;
        int connections = 16;
        Path out = Path.of("benchmarks", "target", "http-figures.jsonl");
        for (int i = 0; i < arguments.size(); i += 2) {
            String option = arguments.get(i);
            switch (option) {
                case "--rounds" -> rounds = number(arguments, i, 1, 1_000);
                case "--seconds" -> seconds = seconds(arguments, i);
                case "--connections" -> connections = number(arguments, i, 1, 1_000);
                case "--engines" -> engines = engines(value(arguments, i));
                case "--rows" -> rows = number(arguments, i, 1_000, 50_000_000);
                case "--out" -> out = Path.of(value(arguments, i));
                default -> throw new BadOption("unknown option " + option + "; --help lists them");
            }
        }
        return new HttpOptions(engines, rows, rounds, seconds, connections, out);
    }

    private static String value(List<String> arguments, int option) {
        if (option + 1 >= arguments.size()) {
            throw new BadOption(arguments.get(option) + " needs a value; --help explains it");
        }
        return arguments.get(option + 1);
    }

    private static int number(List<String> arguments, int option, int least, int most) {
        String text = value(arguments, option);
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new BadOption(arguments.get(option) + " takes " + least + " to " + most + ", but was " + text);
    }

    private static double seconds(List<String> arguments, int option) {
        String text = value(arguments, option);
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0.1 && seconds <= 600) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new BadOption(arguments.get(option) + " takes 0.1 to 600, but was " + text);
    }

    private static List<String> engines(String text) {
        List<String> engines = List.of(text.split(",", -1));
        if (!ENGINES.containsAll(engines) || Set.copyOf(engines).size() != engines.size()) {
            throw new BadOption("--engines takes h2, postgresql and mariadb, with commas between, but was " + text);
        }
        return engines;
    }
}
