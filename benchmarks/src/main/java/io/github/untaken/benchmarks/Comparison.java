package io.github.untaken.benchmarks;

import io.github.untaken.benchmarks.subjects.SubjectEntry;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Starts one JVM after the other, one for each subject and size, and gathers their figures. */
final class Comparison {
    /** What a JVM needs besides the subject: the probes twice, a chunk of keys, the table of the limit. */
    private static final int BESIDES_MEBIBYTES = 500;
    /** A copying collector wants room, and so does a table while it grows. */
    private static final double ROOM = 1.7;

    private static final int QUICK_MOST = 1_000_000;

    private final Options options;
    private final PrintStream progress;

    private final List<String> failures = new ArrayList<>();

    Comparison(Options options, PrintStream progress) {
        this.options = options;
        this.progress = progress;
    }

    private record Job(SubjectEntry entry, int size, Keys keys) {
        /** About how long it takes, in any unit. */
        double weight() {
            return 8 + size / 1e6;
        }

        @Override
        public String toString() {
            return entry.name() + ", " + size + " " + keys.name().toLowerCase(Locale.ROOT);
        }
    }

    /** All figures; they also stand in the file, which is written anew, each JVM's as soon as it ends. */
    List<Figure> run() throws IOException, InterruptedException {
        Files.createDirectories(options.out().toAbsolutePath().getParent());
        Files.write(options.out(), List.of());
        List<Job> jobs = jobs();
        List<Figure> figures = new ArrayList<>();
        double total = jobs.stream().mapToDouble(Job::weight).sum();
        double done = 0;
        long began = System.nanoTime();
        for (int i = 0; i < jobs.size(); i++) {
            Job job = jobs.get(i);
            double seconds = (System.nanoTime() - began) / 1e9;
            String left = i == 0 ? "" : ", about " + minutes(seconds * (total - done) / done) + " left";
            progress.println("[" + (i + 1) + "/" + jobs.size() + left + "] " + job);
            try {
                figures.addAll(run(job));
            } catch (OwnJvm.Failed e) {
                progress.println(job + ": " + e.getMessage());
                failures.add(job.toString());
            }
            done += job.weight();
        }
        return figures;
    }

    /** Which subjects could not be measured; the others were. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    private static String minutes(double seconds) {
        return seconds < 90 ? Math.round(seconds) + " s" : Math.round(seconds / 60) + " min";
    }

    private List<Job> jobs() {
        List<Job> jobs = new ArrayList<>();
        for (SubjectEntry entry : options.subjects()) {
            int last = 0;
            for (int size : options.sizes()) {
                int most = options.effort().equals("quick") && entry.reach().sideline()
                        ? QUICK_MOST
                        : entry.reach().mostKeys();
                int capped = Math.min(size, Math.min(most, entry.reach().mostKeys()));
                if (capped != size) {
                    progress.println(entry.name() + " goes to " + capped + " keys, not to " + size);
                }
                for (Keys keys : options.keysOf(entry, size)) {
                    Job job = new Job(entry, capped, keys);
                    if (heap(job) > options.heapMebibytes()) {
                        progress.println("left out, since it needs " + heap(job) + " MiB of heap and --heap allows "
                                + options.heapMebibytes() + ": " + job);
                    } else if (capped == size || capped > last) {
                        jobs.add(job);
                    }
                }
                last = Math.max(last, capped);
            }
        }
        return jobs;
    }

    /** Room for all probes at once: nobody moves them apart before they are asked. */
    private static final int YOUNG_MEBIBYTES = 320;

    private static long heap(Job job) {
        return BESIDES_MEBIBYTES + (long) (job.size() * job.entry().bytesPerKey() * ROOM / (1 << 20));
    }

    private List<Figure> run(Job job) throws IOException, InterruptedException, OwnJvm.Failed {
        List<Figure> figures = OwnJvm.run(
                options.java(),
                List.of(
                        "-Xmx" + heap(job) + "m",
                        "-Xmn" + YOUNG_MEBIBYTES + "m",
                        "-XX:+UseParallelGC",
                        "-Djmh.ignoreLock=true", // our JVMs run one after the other
                        "-Djava.net.preferIPv4Stack=true"),
                SubjectRun.class,
                List.of(
                        job.entry().name(),
                        Integer.toString(job.size()),
                        job.keys().name(),
                        options.effort()));
        Files.write(options.out(), figures.stream().map(Figure::toJson).toList(), StandardOpenOption.APPEND);
        return figures;
    }
}
