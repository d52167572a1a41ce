package io.github.untaken.benchmarks.check;

import io.github.untaken.benchmarks.BadOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The command line of {@link CheckCost}.
 *
 * @param sizes numbers of names
 * @param jvms how many JVMs for each size and JDK
 * @param rounds in each of them
 * @param javas the programs that start them
 * @param out the figures file
 */
record CheckOptions(List<Integer> sizes, int jvms, int rounds, List<Path> javas, Path out) {
    static CheckOptions parse(List<String> arguments) {
        CheckOptions options = new CheckOptions(
                List.of(1_000_000, 10_000_000),
                3,
                11,
                List.of(Path.of(System.getProperty("java.home"), "bin", "java")),
                Path.of("benchmarks", "target", "check-figures.jsonl"));
        for (int i = 0; i < arguments.size(); i += 2) {
            String option = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new BadOption(option + " needs a value; --help explains it");
            }
            options = options.with(option, arguments.get(i + 1));
        }
        return options;
    }

    private CheckOptions with(String option, String value) {
        return switch (option) {
            case "--sizes" ->
                new CheckOptions(
                        parts(value)
                                .map(size -> number(option, size.replaceFirst("m$", "000000"), 1_000, 200_000_000))
                                .toList(),
                        jvms,
                        rounds,
                        javas,
                        out);
            case "--jvms" -> new CheckOptions(sizes, number(option, value, 1, 100), rounds, javas, out);
            case "--rounds" -> new CheckOptions(sizes, jvms, number(option, value, 1, 1_000), javas, out);
            case "--java" ->
                new CheckOptions(
                        sizes,
                        jvms,
                        rounds,
                        parts(value).map(CheckOptions::java).toList(),
                        out);
            case "--out" -> new CheckOptions(sizes, jvms, rounds, javas, Path.of(value));
            default -> throw new BadOption("unknown option " + option + "; --help lists them");
        };
    }

    private static Stream<String> parts(String value) {
        return Stream.of(value.split(",", -1));
    }

    private static int number(String option, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new BadOption(option + " takes numbers from " + least + " to " + most + ", but was " + value);
    }

    private static Path java(String text) {
        Path java = Path.of(text);
        if (!Files.isExecutable(java)) {
            throw new BadOption("--java takes paths of java programs, but was " + text);
        }
        return java;
    }
}
