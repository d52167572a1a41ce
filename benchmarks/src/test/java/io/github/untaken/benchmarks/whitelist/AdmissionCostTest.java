package io.github.untaken.benchmarks.whitelist;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.benchmarks.Keys;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdmissionCostTest {
    private static final int NAMES = 100_000;
    private static final long SEED = 20_261_127;

    @ParameterizedTest
    @EnumSource
    void threeQuartersOfTheRequestsAreForNamesThatAreAskedForOnce(RequestStream stream) {
        int[] requests = stream.requests(NAMES, SEED);
        int[] once = Arrays.stream(requests).filter(name -> name >= NAMES).toArray();
        assertThat((double) once.length / requests.length).isBetween(0.74, 0.76);
        assertThat(Arrays.stream(once).distinct().count()).isEqualTo(once.length);
        assertThat(requests).isEqualTo(stream.requests(NAMES, SEED));
    }

    /** Of 100,000 names the first has 0.019 of the requests under 0.8, and 0.13 under 1.1. */
    @Test
    void theFirstNameIsAskedForAsOftenAsTheDistributionSays() {
        assertThat(shareOfTheFirst(RequestStream.UNIFORM)).isBetween(0.0, 0.0002);
        assertThat(shareOfTheFirst(RequestStream.ZIPF_08)).isBetween(0.017, 0.024);
        assertThat(shareOfTheFirst(RequestStream.ZIPF_11)).isBetween(0.12, 0.16);
    }

    private static double shareOfTheFirst(RequestStream stream) {
        int[] again = Arrays.stream(stream.requests(NAMES, SEED))
                .filter(name -> name < NAMES)
                .toArray();
        return (double) Arrays.stream(again).filter(name -> name == 0).count() / again.length;
    }

    @Test
    void neitherMemoryHoldsMoreThanItMay() {
        for (Absences absences : List.of(Absences.caffeine(100), Absences.leastRecent(100))) {
            for (int name = 0; name < 10_000; name++) {
                absences.learn(name, List.of());
            }
            assertThat(absences.size()).isBetween(1L, 100L);
        }
    }

    @Test
    void theLeastRecentlyAskedGivesWay() {
        Absences absences = Absences.leastRecent(2);
        absences.learn("a", List.of());
        absences.learn("b", List.of());
        assertThat(absences.has("a")).isTrue();
        absences.learn("c", List.of());
        assertThat(absences.has("b")).isFalse();
        assertThat(absences.has("a")).isTrue();
    }

    /** Nothing is forgotten before as many others were entered, and all is after twice as many. */
    @Test
    void whatWasAskedIsKnownUntilManyOthersWere() {
        AskedBefore asked = new AskedBefore(1_000);
        BitSet wrong = new BitSet();
        for (int i = 0; i < 10_000; i++) {
            wrong.set(i, asked.wasAsked(hash(i)));
            assertThat(asked.wasAsked(hash(Math.max(0, i - 400)))).isTrue();
        }
        assertThat(wrong.cardinality()).isLessThan(400); // 1 % of each of two filters
        assertThat(asked.wasAsked(hash(5_000))).isFalse();
    }

    private static long hash(int i) {
        return Keys.mix(i);
    }
}
