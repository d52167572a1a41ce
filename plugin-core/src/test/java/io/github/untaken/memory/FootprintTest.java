package io.github.untaken.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.text.Letters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What memory weighs at its bounds, in a JVM of its own where nothing else comes and goes. */
@Tag("ci")
class FootprintTest {
    private static final int NAMES = 1_000_000;
    private static final int TEXTS = 100_000;

    private static final Map<String, Long> BYTES = new HashMap<>();

    /** What is weighed, one after the other. */
    static final class Scale {
        private Scale() {}

        public static void main(String[] arguments) {
            weigh("filter", () -> {
                Generation generation = generation();
                for (int i = 0; i < NAMES; i++) {
                    generation.add("name" + i);
                }
                return generation;
            });
            weigh("told", () -> {
                ToldHashes told = new ToldHashes(ToldHashes.MOST);
                for (long i = 1; i <= ToldHashes.MOST; i++) {
                    told.add(i * 0x9e3779b97f4a7c15L);
                }
                return told;
            });
            weigh("open, one a statement", () -> {
                OpenTellings open = new OpenTellings(TEXTS, 600);
                for (int i = 0; i < TEXTS; i++) {
                    Telling telling = new Telling();
                    open.open(telling);
                    open.keep(telling, "username" + i);
                }
                return open;
            });
            weigh("open, one statement", () -> {
                OpenTellings open = new OpenTellings(TEXTS, 600);
                Telling telling = new Telling();
                open.open(telling);
                for (int i = 0; i < 2 * TEXTS; i++) {
                    open.keep(telling, "username" + i); // beyond the bound nothing is kept
                }
                return open;
            });
        }

        private static Generation generation() {
            return GenerationFactory.of(FilterType.CUCKOO, HashAlgorithm.values()[0], Generation.Limits.of(100_000))
                    .generation(Letters.none(""), NAMES * 5L / 4);
        }

        private interface Weight {
            Object made();
        }

        private static void weigh(String what, Weight weight) {
            weight.made(); // what is loaded for it stays
            long before = used();
            Object kept = weight.made();
            long after = used();
            System.out.println(what + "=" + (after - before));
            // So that it is there until then.
            if (kept.hashCode() == 0) {
                System.out.println();
            }
        }

        private static long used() {
            Runtime heap = Runtime.getRuntime();
            long least = Long.MAX_VALUE;
            // What was made before may be reachable for a collection or two.
            for (int i = 0; i < 5; i++) {
                System.gc();
                least = Math.min(least, heap.totalMemory() - heap.freeMemory());
            }
            return least;
        }
    }

    @BeforeAll
    static void weigh() throws IOException, InterruptedException {
        Process scale = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Scale.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(scale.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(scale.waitFor()).isZero();
        System.out.println(out);
        out.lines().filter(line -> line.contains("=")).forEach(line -> {
            String[] parts = line.split("=");
            BYTES.put(parts[0], Long.valueOf(parts[1]));
        });
    }

    private static double bytes(String what) {
        Long found = BYTES.get(what);
        assertThat(found).as(what).isNotNull();
        return found;
    }

    @Test
    void aNameTakesTwoToThreeBytes() {
        assertThat(bytes("filter") / NAMES).isBetween(1.9, 3.1);
    }

    @Test
    void theToldSetTakesSixteenToThirtyTwoBytesAName() {
        assertThat(bytes("told") / ToldHashes.MOST).isBetween(15.9, 32.1);
    }

    @Test
    void aStatementUnderWayTakesAFewHundredBytes() {
        assertThat(bytes("open, one a statement") / TEXTS).isBetween(50.0, 300.0);
    }

    @Test
    void aStatementOfManyTextsTakesNoMoreThanItsTextsUpToTheBound() {
        assertThat(bytes("open, one statement") / TEXTS).isBetween(40.0, 100.0);
    }
}
