package io.github.untaken.benchmarks;

import io.github.untaken.benchmarks.subjects.SubjectCatalog;
import io.github.untaken.benchmarks.subjects.SubjectEntry;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The command line of a comparison.
 *
 * @param effort {@code smoke}, {@code quick} or {@code whole}
 * @param sizes numbers of keys
 * @param subjects which to compare
 * @param keys sorts of keys
 * @param heapMebibytes the most that one JVM may get
 * @param java the program that starts the JVMs
 * @param out the figures file
 */
record Options(
        String effort,
        List<Integer> sizes,
        List<SubjectEntry> subjects,
        List<Keys> keys,
        long heapMebibytes,
        Path java,
        Path out) {
    static final String HELP = """
            java -jar benchmarks.jar [--quick] [OPTION...]      compares everything, side by side in one run
            java -jar benchmarks.jar table FIGURES [MARKDOWN]   writes the table of a figures file, into a page if named
            java -jar benchmarks.jar plots DIRECTORY [FIGURES]  measures error rates and loads and draws the plots

              --quick             about ten minutes instead of hours: 1 and 10 million keys, fewer rounds
              --smoke             seconds, and figures that say nothing: does it work?
              --sizes N,N         numbers of keys instead of the usual ones (10m is ten million)
              --subjects A,B      only these; --list shows all
              --keys names,phones sorts of keys (default: names; phones too of all at 10 million, with --quick of four at 1)
              --heap SIZE         the most memory of one JVM, as 8g or 900m (default: 60 % of this machine's);
                                  what needs more is left out, and said so
              --java PATH         another java to run everything with
              --out FILE          the figures file (default: benchmarks/target/figures.jsonl)
              --list              shows the subjects and the API that is called of each

            java -jar benchmarks.jar checks [OPTION...]         what a check costs beside its lookup, in several JVMs

              --sizes N,N         numbers of names (default: 1m,10m)
              --jvms N            for each size and JDK (default: 3)
              --rounds N          in each JVM (default: 11)
              --java A,B          each of these, by turns (default: the one that runs this)
              --out FILE          the figures file (default: benchmarks/target/check-figures.jsonl)

            java -jar benchmarks.jar whitelist [NAMES]          reads saved by what the whitelist lets in (default: 10000000 names)
            java -jar benchmarks.jar shared [ROWS]              three nodes beside a Bloom filter in Redis that they share; package with -Pmariadb
            java -jar benchmarks.jar many [NAMES] [FOLDER]      a checker over 1000000000 names, and its file in a folder; needs -Xmx4g
            """;
    private static final Set<String> QUICK_PHONES =
            Set.of("untaken-cuckoo", "guava-bloom", "cuckoofilter4j", "concurrent-key-set");
    private static final int MILLION = 1_000_000;

    static Options parse(List<String> arguments) {
        String effort = "whole";
        List<Integer> sizes = List.of();
        List<SubjectEntry> subjects = SubjectCatalog.entries();
        List<Keys> keys = List.of();
        long heap = physicalMebibytes() * 6 / 10;
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path out = Path.of("benchmarks", "target", "figures.jsonl");
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            switch (option) {
                case "--quick" -> effort = "quick";
                case "--smoke" -> effort = "smoke";
                case "--sizes" -> sizes = parts(value(arguments, ++i), Options::size);
                case "--subjects" -> subjects = parts(value(arguments, ++i), Options::subject);
                case "--keys" -> keys = parts(value(arguments, ++i), Options::keys);
                case "--heap" -> heap = heap(value(arguments, ++i));
                case "--java" -> java = java(value(arguments, ++i));
                case "--out" -> out = Path.of(value(arguments, ++i));
                default -> throw new BadOption("unknown option " + option + "; --help lists them");
            }
        }
        if (sizes.isEmpty()) {
            sizes = switch (effort) {
                case "smoke" -> List.of(2_000);
                case "quick" -> List.of(MILLION, 10 * MILLION);
                default -> List.of(MILLION, 10 * MILLION, 50 * MILLION, 100 * MILLION);
            };
        }
        return new Options(effort, sizes, subjects, keys, heap, java, out);
    }

    /** Which sorts of keys to ask of this subject at this size. */
    List<Keys> keysOf(SubjectEntry entry, int size) {
        if (!keys.isEmpty()) {
            return keys;
        }
        boolean both =
                effort.equals("quick") ? size == MILLION && QUICK_PHONES.contains(entry.name()) : size == 10 * MILLION;
        return both ? List.of(Keys.NAMES, Keys.PHONES) : List.of(Keys.NAMES);
    }

    private interface Part<T> {
        T of(String text);
    }

    private static <T> List<T> parts(String text, Part<T> part) {
        List<T> parts = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            parts.add(part.of(one));
        }
        return List.copyOf(parts);
    }

    private static String value(List<String> arguments, int at) {
        if (at >= arguments.size()) {
            throw new BadOption(arguments.get(at - 1) + " needs a value; --help explains it");
        }
        return arguments.get(at);
    }

    private static int size(String text) {
        String digits = text.toLowerCase(Locale.ROOT).endsWith("m") ? text.substring(0, text.length() - 1) : text;
        try {
            int number = Math.multiplyExact(Integer.parseInt(digits), digits.equals(text) ? 1 : MILLION);
            if (number >= 1_000 && number <= 200 * MILLION) {
                return number;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // said below
        }
        throw new BadOption("--sizes takes numbers from 1000 to 200m, but was " + text);
    }

    private static SubjectEntry subject(String name) {
        return SubjectCatalog.find(name)
                .orElseThrow(() -> new BadOption("--subjects knows no " + name + "; --list shows all"));
    }

    private static Keys keys(String name) {
        return Arrays.stream(Keys.values())
                .filter(keys -> keys.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new BadOption("--keys takes names and phones, but was " + name));
    }

    private static long heap(String text) {
        if (!text.matches("[1-9][0-9]{0,6}[mg]")) {
            throw new BadOption("--heap takes a size as 8g or 900m, but was " + text);
        }
        long number = Long.parseLong(text.substring(0, text.length() - 1));
        return text.endsWith("g") ? number * 1024 : number;
    }

    private static Path java(String text) {
        Path java = Path.of(text);
        if (!Files.isRegularFile(java) || !Files.isExecutable(java)) {
            throw new BadOption("--java takes the path of a java program, but was " + text);
        }
        return java;
    }

    private static long physicalMebibytes() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getTotalMemorySize() >> 20;
    }
}
