package io.github.untaken.benchmarks;

import io.github.untaken.benchmarks.subjects.Subject;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What the benchmarks of this JVM share; JMH makes their states itself, so they have to find it.
 *
 * @param subject the one subject of this JVM, filled
 * @param absent keys that were not added; a power of two of them, in memory in the order of asking
 * @param present keys that were, as new strings in random order
 * @param written keys for the writer, none of them among the others
 * @param words the table of the limit
 */
record Probes(Subject subject, String[] absent, String[] present, String[] written, long[] words) {
    private static final int WRITTEN = 1 << 14;

    private static volatile @Nullable Probes current;

    static Probes current() {
        return Objects.requireNonNull(current, "no probes were made");
    }

    static void use(@Nullable Probes probes) {
        current = probes;
    }

    /** With the keys from 0 to {@code filled} in the subject. Uses none above twice that and the number of probes. */
    static Probes make(Subject subject, Keys keys, int filled, int count, long tableBytes) {
        SplittableRandom random = new SplittableRandom(filled);
        String[] present = new String[count];
        for (int i = 0; i < count; i++) {
            present[i] = keys.key(random.nextInt(filled));
        }
        String[] absent = new String[count];
        keys.fill(absent, filled);
        String[] written = new String[WRITTEN];
        keys.fill(written, (long) filled + count);
        long[] words = random.longs(tableBytes / Long.BYTES).toArray();
        return new Probes(subject, absent, present, written, words);
    }

    /** The same keys in new strings. */
    Probes withNewStrings() {
        return new Probes(subject, copy(absent), copy(present), written, words);
    }

    private static String[] copy(String[] keys) {
        String[] copy = new String[keys.length];
        for (int i = 0; i < keys.length; i++) {
            copy[i] = new String(keys[i].toCharArray());
        }
        return copy;
    }
}
