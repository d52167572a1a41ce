package io.github.untaken.planted;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * An edit at work: the edited files are compiled into a directory of their own, which is put before everything else on the
 * class path of a JVM that runs the one test.
 */
final class PlantedBug {
    /** What became of it. Only the first is good. */
    enum Outcome {
        CAUGHT,
        NOT_CAUGHT,
        DOES_NOT_APPLY,
        DOES_NOT_COMPILE,
        NO_SUCH_TEST,
        FAILED_OTHERWISE,
        /** What the test waited for did not come, which may be the machine's fault. */
        WAITED_IN_VAIN,
        TIMED_OUT
    }

    record Result(PlantedEdit edit, Outcome outcome, double seconds, String detail) {}

    private static final long PATIENCE_SECONDS = 900;
    private static final int LONGEST_DETAIL = 200;

    private final Checkout checkout;
    private final PlantedEdit edit;

    PlantedBug(Checkout checkout, PlantedEdit edit) {
        this.checkout = checkout;
        this.edit = edit;
    }

    Result run() {
        long began = System.nanoTime();
        Path work = null;
        try {
            work = Files.createTempDirectory("planted-");
            Result unfinished = plantAndTest(work);
            return new Result(edit, unfinished.outcome(), (System.nanoTime() - began) / 1e9, unfinished.detail());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            delete(work);
        }
    }

    private Result plantAndTest(Path work) throws IOException, InterruptedException {
        Map<Path, String> edited;
        try {
            edited = checkout.apply(edit);
        } catch (Checkout.UnusableEditException e) {
            return result(Outcome.DOES_NOT_APPLY, e.getMessage());
        }
        String classPath = checkout.classPath(edit.test().module());
        Path overlay = Files.createDirectory(work.resolve("classes"));
        StringWriter errors = new StringWriter();
        if (!compile(edited, overlay, classPath, errors)) {
            return result(Outcome.DOES_NOT_COMPILE, errors.toString());
        }
        return test(overlay + File.pathSeparator + classPath, work.resolve("output.txt"));
    }

    private Result test(String classPath, Path output) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dfile.encoding=UTF-8",
                        "-Duser.language=en",
                        "-Duser.country=US",
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1", // each JVM lives for a few seconds
                        "-XX:+UseSerialGC",
                        "-Dmodel.schedules=20000", // it stops at the first that fails
                        "-cp",
                        classPath,
                        OneTest.class.getName(),
                        edit.test().selector())
                .directory(checkout.root().resolve(edit.test().module()).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return result(Outcome.TIMED_OUT, "no end after " + PATIENCE_SECONDS + " s");
            }
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        return switch (process.exitValue()) {
            case OneTest.FAILED -> result(Outcome.CAUGHT, lastLine(said));
            case OneTest.PASSED -> result(Outcome.NOT_CAUGHT, "the test passes");
            case OneTest.WAITED -> result(Outcome.WAITED_IN_VAIN, lastLine(said));
            case OneTest.NOT_FOUND -> result(Outcome.NO_SUCH_TEST, lastLine(said));
            default -> result(Outcome.FAILED_OTHERWISE, said);
        };
    }

    private Result result(Outcome outcome, String detail) {
        return new Result(edit, outcome, 0, detail);
    }

    private static boolean compile(Map<Path, String> edited, Path into, String classPath, StringWriter errors) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> units = new ArrayList<>();
        edited.forEach((file, text) -> units.add(new Source(file, text)));
        List<String> options = List.of(
                "--release",
                "17",
                "-parameters",
                "-proc:none",
                "-implicit:none",
                "-nowarn",
                "-Xlint:none",
                "-d",
                into.toString(),
                "-cp",
                classPath);
        return compiler.getTask(errors, null, null, options, null, units).call();
    }

    private static String lastLine(String said) {
        String last = said.lines().reduce("", (before, line) -> line);
        return last.length() <= LONGEST_DETAIL ? last : last.substring(0, LONGEST_DETAIL) + " ...";
    }

    private static void delete(Path directory) {
        if (directory == null) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(Path file, String text) {
            super(URI.create("string:///" + file.getFileName()), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
