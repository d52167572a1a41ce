package io.github.untaken.planted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One bug on purpose, read from a file such as this:
 *
 * <pre>
 * rule: R8
 * why: the learner does not ask whether the name was told
 * test: plugin-core io.github.untaken.memory.GenerationTest#whatItWasToldOfIsNotLearnt
 * file: plugin-core/src/main/java/io/github/untaken/memory/Generation.java
 * {@literal <<<<}
 * () -> told.contains(hash)
 * ====
 * () -> false
 * {@literal >>>>}
 * </pre>
 *
 * The old text must stand exactly once in the file, in which any white space is as good as any other; several replacements,
 * each under its file, make one bug.
 */
record PlantedEdit(String name, String rule, String why, TestName test, List<Replacement> replacements) {

    /** A test of a module: its directory, its class, its method. */
    record TestName(String module, String className, String method) {
        static TestName parse(String text) {
            int space = text.indexOf(' ');
            int hash = text.indexOf('#');
            if (space < 0 || hash < space) {
                throw new IllegalArgumentException("a test is written 'module class#method', but was: " + text);
            }
            return new TestName(
                    text.substring(0, space),
                    text.substring(space + 1, hash).trim(),
                    text.substring(hash + 1).trim());
        }

        /** Below the root of the checkout. */
        Path file() {
            String outermost = className.replaceFirst("\\$.*", "");
            return Path.of(module, "src/test/java", outermost.replace('.', '/') + ".java");
        }

        String selector() {
            return className + "#" + method;
        }

        @Override
        public String toString() {
            return className.substring(className.lastIndexOf('.') + 1) + "#" + method;
        }
    }

    /** Text of one file and what is put in its place. */
    record Replacement(Path file, String old, String with) {}

    /** So many take a minute and a half. */
    static final int MOST = 12;

    /** In so many everyone has had one. */
    static final int TURNS = 16;

    private static final Set<String> HEADINGS = Set.of("rule", "why", "test", "file");

    static List<PlantedEdit> all(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".edit"))
                    .sorted()
                    .map(PlantedEdit::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Those that a change touches, in what they edit, in their test or in themselves, and of the others those whose turn it is. Of more
     * than {@link #MOST} that are touched a share has its turn, too: the next turns bring the rest.
     *
     * @param changed below the root of the checkout
     * @param turn any number; the next one brings others
     */
    static List<PlantedEdit> chosen(List<PlantedEdit> all, Set<Path> changed, int turn) {
        List<PlantedEdit> touched =
                all.stream().filter(edit -> edit.isTouchedBy(changed)).toList();
        int shares = (touched.size() + MOST - 1) / MOST;
        return IntStream.range(0, all.size())
                .filter(i -> {
                    int place = touched.indexOf(all.get(i));
                    return place < 0 ? Math.floorMod(i - turn, TURNS) == 0 : Math.floorMod(place - turn, shares) == 0;
                })
                .mapToObj(all::get)
                .toList();
    }

    private boolean isTouchedBy(Set<Path> changed) {
        return changed.contains(test.file())
                || changed.contains(Path.of("planted-bugs", "planted", name + ".edit"))
                || replacements.stream().map(Replacement::file).anyMatch(changed::contains);
    }

    private static PlantedEdit read(Path file) {
        String name = file.getFileName().toString().replace(".edit", "");
        try {
            return parse(name, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static PlantedEdit parse(String name, String text) {
        Map<String, String> headings = new HashMap<>();
        List<Replacement> replacements = new ArrayList<>();
        List<String> old = new ArrayList<>();
        List<String> with = new ArrayList<>();
        List<String> block = null;
        for (String line : text.lines().toList()) {
            switch (line) {
                case "<<<<" -> block = old;
                case "====" -> block = with;
                case ">>>>" -> {
                    replacements.add(new Replacement(
                            Path.of(heading(name, headings, "file")), String.join("\n", old), String.join("\n", with)));
                    old.clear();
                    with.clear();
                    block = null;
                }
                default -> {
                    if (block != null) {
                        block.add(line);
                    } else if (!line.isBlank()) {
                        readHeading(name, headings, line);
                    }
                }
            }
        }
        if (replacements.isEmpty() || block != null) {
            throw new IllegalArgumentException(name + " replaces nothing, or its last '>>>>' is missing");
        }
        return new PlantedEdit(
                name,
                heading(name, headings, "rule"),
                heading(name, headings, "why"),
                TestName.parse(heading(name, headings, "test")),
                replacements);
    }

    private static void readHeading(String name, Map<String, String> headings, String line) {
        int colon = line.indexOf(':');
        String heading = colon < 0 ? line : line.substring(0, colon);
        if (!HEADINGS.contains(heading)) {
            throw new IllegalArgumentException(name + " has a line that means nothing: " + line);
        }
        headings.put(heading, line.substring(colon + 1).strip());
    }

    private static String heading(String name, Map<String, String> headings, String wanted) {
        String text = headings.get(wanted);
        if (text == null || text.isEmpty()) {
            throw new IllegalArgumentException(name + " has no '" + wanted + ":'");
        }
        return text;
    }
}
