package io.github.untaken.benchmarks;

import io.github.untaken.benchmarks.subjects.BareHash;
import io.github.untaken.benchmarks.subjects.BatchSubject;
import io.github.untaken.benchmarks.subjects.RemovableSubject;
import io.github.untaken.benchmarks.subjects.Subject;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * What is timed, of the one subject of this JVM: from a {@code String} to the answer. {@link #limit} is what no lookup can do
 * without: the cheapest hash, and one load from a random place of a table as large as the cuckoo filter's.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class SubjectBenchmark {
    static final int BATCH = 16;

    private Subject subject;
    private @Nullable BatchSubject batching;
    private @Nullable RemovableSubject removable;
    private String[] absent;
    private String[] present;
    private String[] written;
    private long[] words;
    private int mask;
    private int at;
    private int writes;
    private final boolean[] results = new boolean[BATCH];

    /** Each thread begins elsewhere. */
    @Setup(Level.Trial)
    public void prepare(ThreadParams threads) {
        Probes probes = Probes.current();
        subject = probes.subject();
        absent = probes.absent();
        present = probes.present();
        written = probes.written();
        words = probes.words();
        batching = subject instanceof BatchSubject able ? able : null;
        removable = subject instanceof RemovableSubject able ? able : null;
        mask = absent.length - 1;
        at = (int) ((long) absent.length * threads.getThreadIndex() / threads.getThreadCount());
    }

    private String next(String[] probes) {
        int now = at;
        at = (now + 1) & mask;
        return probes[now];
    }

    @Benchmark
    public long limit() {
        long hash = BareHash.hash(next(absent));
        return words[(int) (((hash >>> 32) * words.length) >>> 32)];
    }

    @Benchmark
    public boolean negative() {
        return subject.mightContain(next(absent));
    }

    @Benchmark
    public boolean positive() {
        return subject.mightContain(next(present));
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public boolean[] batch() {
        int from = at & -BATCH;
        at = (from + BATCH) & mask;
        Objects.requireNonNull(batching).mightContainAll(absent, from, results);
        return results;
    }

    @Benchmark
    @Group("besideWriter")
    public boolean reader() {
        return subject.mightContain(next(present));
    }

    /** The size stays: each key that comes is one that went before, if the subject can remove. */
    @Benchmark
    @Group("besideWriter")
    public boolean writer() {
        int now = writes++;
        RemovableSubject able = removable;
        if (able == null) {
            return subject.add(written[now & (written.length - 1)]);
        }
        String key = written[(now >>> 1) & (written.length - 1)];
        if ((now & 1) == 0) {
            return subject.add(key);
        }
        able.remove(key);
        return true;
    }
}
