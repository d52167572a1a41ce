package io.github.untaken.planted;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
        /** What the test waited for did not come, and the edit does not say that this is the bug. */
        WAITED_IN_VAIN,
        TIMED_OUT
    }

    record Result(PlantedEdit edit, Outcome outcome, double seconds, String detail) {}

    private static final long PATIENCE_SECONDS = 300;
    /** How long a test waits for what must come. */
    private static final int TEST_PATIENCE_SECONDS = 20;
    /** How long if it never does. */
    private static final int SHORT_TEST_PATIENCE_SECONDS = 3;

    private static final int LONGEST_DETAIL = 200;

    private final Checkout checkout;
    private final PlantedEdit edit;
    private final int testPatienceSeconds;

    PlantedBug(Checkout checkout, PlantedEdit edit) {
        this(checkout, edit, TEST_PATIENCE_SECONDS);
    }

    PlantedBug(Checkout checkout, PlantedEdit edit, int testPatienceSeconds) {
        this.checkout = checkout;
        this.edit = edit;
        this.testPatienceSeconds = testPatienceSeconds;
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
            if (work != null) {
                LeftServers.end(work);
                delete(work);
            }
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
        String errors = compile(edited, overlay, classPath);
        if (errors != null) {
            return result(Outcome.DOES_NOT_COMPILE, errors);
        }
        String broken = overlay + File.pathSeparator + classPath;
        if (!edit.waits()) {
            return test(broken, testPatienceSeconds, work.resolve("output.txt"));
        }
        int little = Math.min(testPatienceSeconds, SHORT_TEST_PATIENCE_SECONDS);
        Result waited = test(broken, little, work.resolve("output.txt"));
        if (waited.outcome() != Outcome.WAITED_IN_VAIN) {
            return waited;
        }
        // Was it the bug, or is the machine too slow for so little patience?
        Result control = test(classPath, little, work.resolve("control.txt"));
        if (control.outcome() != Outcome.NOT_CAUGHT) {
            waited = test(broken, testPatienceSeconds, work.resolve("again.txt"));
        }
        return waited.outcome() == Outcome.WAITED_IN_VAIN ? result(Outcome.CAUGHT, waited.detail()) : waited;
    }

    private Result test(String classPath, int patienceSeconds, Path output) throws IOException, InterruptedException {
        Path temporary = Files.createTempDirectory(output.getParent(), "tmp");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.net.preferIPv4Stack=true",
                "-Dfile.encoding=UTF-8",
                "-Duser.language=en",
                "-Duser.country=US",
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-Dtest.patience=" + patienceSeconds,
                "-Dmodel.single=true",
                "-Dmodel.schedules=20000",
                "-Dlincheck.programs=30",
                "-Dlincheck.played=200",
                "-Dlincheck.asItIs=true",
                "-Djava.io.tmpdir=" + temporary, // whatever server it leaves has its directory below
                "-Dot.epg.working-dir=" + Path.of(System.getProperty("java.io.tmpdir"), "embedded-pg"), // unpacked once
                "-cp",
                classPath + File.pathSeparator + ownClasses(),
                OneTest.class.getName(),
                edit.test().selector()));
        Process process = new ProcessBuilder(command)
                .directory(checkout.root().resolve(edit.test().module()).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return result(Outcome.TIMED_OUT, "no end after " + PATIENCE_SECONDS + " s");
            }
        } finally {
            end(process);
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

    /** With all that it has started and that still is its descendant: once it is gone, nobody knows whose they are. */
    static void end(Process process) {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
    }

    private Result result(Outcome outcome, String detail) {
        return new Result(edit, outcome, 0, detail);
    }

    /** Null if there were no errors. */
    private static String compile(Map<Path, String> edited, Path into, String classPath) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> units = new ArrayList<>();
        edited.forEach((file, text) -> units.add(new Source(file, text)));
        StringWriter errors = new StringWriter();
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
        boolean compiled =
                compiler.getTask(errors, null, null, options, null, units).call();
        return compiled ? null : errors.toString();
    }

    private static String ownClasses() {
        try {
            return Path.of(OneTest.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String lastLine(String said) {
        String last = said.lines().reduce("", (before, line) -> line);
        return last.length() <= LONGEST_DETAIL ? last : last.substring(0, LONGEST_DETAIL) + " ...";
    }

    /** As far as it can be: whatever is still ending may make and remove files of its own meanwhile. */
    private static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(java.util.Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            System.out.println("left behind: " + directory + ", " + e);
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
