package io.github.untaken.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One lookup of a user name, from the {@code String} to the answer. {@link #limit} is what no lookup can do without: the
 * cheapest hash and one load from a random place of a table of the same size.
 *
 * <p>The absolute figures change from machine to machine and from hour to hour; what is to be read are the ratios to the
 * limit, which {@link LookupRatios} measures in turns in one JVM.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@State(Scope.Thread)
public class LookupBenchmark {
    static final int BATCH = 16;

    /** How many keys the subjects hold. */
    @Param("1000000")
    public int keys;

    private Subjects subjects;
    private String[] absent;
    private String[] present;
    private long[] words;
    private int at;
    private final long[] hashes = new long[BATCH];
    private final boolean[] results = new boolean[BATCH];

    @Setup
    public void prepare() {
        subjects = Subjects.of(keys);
        absent = subjects.absent;
        present = subjects.present;
        words = subjects.words;
    }

    private String next(String[] probes) {
        int now = at;
        at = (now + 1) & (probes.length - 1);
        return probes[now];
    }

    @Benchmark
    public long limit() {
        long hash = BareHash.hash(next(absent));
        return words[(int) (((hash >>> 32) * words.length) >>> 32)];
    }

    @Benchmark
    public long hashBare() {
        return BareHash.hash(next(absent));
    }

    @Benchmark
    public long hashKeyed() {
        return subjects.hasher.hash(next(absent));
    }

    @Benchmark
    public boolean cuckooNegative() {
        return subjects.cuckoo.mightContain(subjects.hasher.hash(next(absent)));
    }

    @Benchmark
    public boolean cuckooPositive() {
        return subjects.cuckoo.mightContain(subjects.hasher.hash(next(present)));
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public boolean[] cuckooBatchNegative() {
        for (int i = 0; i < BATCH; i++) {
            hashes[i] = subjects.hasher.hash(next(absent));
        }
        subjects.cuckoo.mightContainAll(hashes, results);
        return results;
    }

    @Benchmark
    public boolean bloomNegative() {
        return subjects.bloom.mightContain(subjects.hasher.hash(next(absent)));
    }

    @Benchmark
    public boolean bloomPositive() {
        return subjects.bloom.mightContain(subjects.hasher.hash(next(present)));
    }

    @Benchmark
    public boolean guavaNegative() {
        return subjects.guava.mightContain(next(absent));
    }

    @Benchmark
    public boolean guavaPositive() {
        return subjects.guava.mightContain(next(present));
    }

    @Benchmark
    public boolean guavaUtf8Negative() {
        return subjects.guavaUtf8.mightContain(next(absent));
    }

    @Benchmark
    public boolean keySetNegative() {
        return subjects.keySet.contains(next(absent));
    }

    @Benchmark
    public boolean keySetPositive() {
        return subjects.keySet.contains(next(present));
    }
}
