package io.github.untaken.planted;

import io.github.untaken.planted.PlantedEdit.Replacement;
import io.github.untaken.planted.PlantedEdit.TestName;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The source tree and what Maven compiled of it. It is only read. */
record Checkout(Path root) {
    /** Where this build has its classes: those that no gate has seen are kept apart. */
    private static final Path CLASSES = Path.of("target", System.getProperty("classes.folder", "classes"));

    /** The one this module belongs to. */
    static Checkout here() {
        Path module = Path.of("").toAbsolutePath();
        return new Checkout(module.endsWith("planted-bugs") ? module.getParent() : module);
    }

    /**
     * The edited files with their new text.
     *
     * @throws UnusableEditException if some old text is not there exactly once
     */
    Map<Path, String> apply(PlantedEdit edit) {
        Map<Path, String> edited = new LinkedHashMap<>();
        for (Replacement replacement : edit.replacements()) {
            edited.compute(replacement.file(), (file, text) -> replace(edit, replacement, text));
        }
        return edited;
    }

    private String replace(PlantedEdit edit, Replacement replacement, String already) {
        Path file = root.resolve(replacement.file());
        if (already == null && !Files.isRegularFile(file)) {
            throw new UnusableEditException(edit.name() + " edits " + replacement.file() + ", which does not exist");
        }
        String text = already == null ? read(file) : already;
        String[] words = replacement.old().strip().split("\\s+");
        Pattern old = Pattern.compile(Stream.of(words).map(Pattern::quote).collect(Collectors.joining("\\s+")));
        List<MatchResult> places = old.matcher(text).results().toList();
        if (replacement.old().isBlank() || places.size() != 1) {
            throw new UnusableEditException(edit.name() + " looks for text that stands " + places.size()
                    + " times, not once, in " + replacement.file() + ": " + replacement.old());
        }
        MatchResult place = places.get(0);
        return text.substring(0, place.start()) + replacement.with() + text.substring(place.end());
    }

    /** Whether the sources have the test, judged by their text alone. */
    boolean hasTest(TestName test) {
        Path file = root.resolve(test.file());
        if (!Files.isRegularFile(file)) {
            return false;
        }
        String text = read(file);
        boolean hasNested =
                Stream.of(test.className().split("\\$")).skip(1).allMatch(name -> text.contains("class " + name + " "));
        return hasNested
                && Pattern.compile("\\bvoid " + Pattern.quote(test.method()) + "\\(")
                        .matcher(text)
                        .find();
    }

    /** What a test of the module runs with: its own classes, those of every module, the libraries. */
    String classPath(String module) {
        List<Path> directories = new ArrayList<>();
        directories.add(root.resolve(module).resolve("target/test-classes"));
        directories.add(root.resolve("planted-bugs").resolve("target/test-classes"));
        try (Stream<Path> modules = Files.list(root)) {
            modules.map(each -> each.resolve(CLASSES))
                    .filter(Files::isDirectory)
                    .sorted()
                    .forEach(directories::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!Files.isDirectory(directories.get(0))) {
            throw new IllegalStateException(
                    directories.get(0) + " is not there: compile the tests of " + module + " first");
        }
        String libraries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.startsWith(root.toString()))
                .collect(Collectors.joining(File.pathSeparator));
        return directories.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))
                + File.pathSeparator
                + libraries;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An edit that shows nothing, because it does not fit the code. */
    static final class UnusableEditException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnusableEditException(String message) {
            super(message);
        }
    }
}
