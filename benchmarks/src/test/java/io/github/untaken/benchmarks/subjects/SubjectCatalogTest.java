package io.github.untaken.benchmarks.subjects;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.filter.FilterSizing;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SubjectCatalogTest {
    private static final int KEYS = 1_000;

    static Stream<SubjectEntry> entries() {
        return SubjectCatalog.entries().stream();
    }

    @Test
    void noTwoSubjectsHaveOneName() {
        assertThat(entries().map(SubjectEntry::name)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void aSubjectIsOfTheTypesThatItsAbilitiesPromise(SubjectEntry entry) {
        try (Subject subject = entry.maker().apply(KEYS)) {
            assertThat(subject instanceof RemovableSubject).isEqualTo(entry.can(Ability.REMOVES));
            assertThat(subject instanceof BatchSubject).isEqualTo(entry.can(Ability.BATCH));
            assertThat(subject instanceof SizedSubject || !entry.can(Ability.GROWS))
                    .isTrue();
        }
    }

    /**
     * Whoever is given hashes gets good ones. A number of bits that is a multiple of 256 is the touchstone: there the low bits
     * of a hash alone say where an entry begins, and must not say how it goes on as well.
     */
    @Test
    void theHashesGivenToCommonsCostItNothingOfItsErrorRate() {
        int keys = 20_000;
        while (Shape.fromNP(keys, FilterSizing.CUCKOO_ERROR_RATE).getNumberOfBits() % 256 != 0) {
            keys++;
        }
        try (Subject subject =
                SubjectCatalog.find("commons-bloom").orElseThrow().maker().apply(keys)) {
            for (int number = 0; number < keys; number++) {
                subject.add("somebody-" + number);
            }
            int asked = 500_000;
            int wrong = 0;
            for (int number = keys; number < keys + asked; number++) {
                wrong += subject.mightContain("somebody-" + number) ? 1 : 0;
            }
            assertThat((double) wrong / asked).isLessThan(2 * FilterSizing.CUCKOO_ERROR_RATE);
        }
    }

    @ParameterizedTest
    @MethodSource("entries")
    void aSubjectHoldsWhatWasAddedAndWasNotRemoved(SubjectEntry entry) {
        String[] keys = IntStream.range(0, KEYS)
                .mapToObj(number -> "somebody-" + number)
                .toArray(String[]::new);
        try (Subject subject = entry.maker().apply(KEYS)) {
            for (String key : keys) {
                assertThat(subject.add(key)).isTrue();
            }
            subject.finish();
            int removed = 0;
            if (subject instanceof RemovableSubject removable) {
                for (; removed < KEYS / 2; removed++) {
                    removable.remove(keys[removed]);
                }
            }
            for (int i = removed; i < KEYS; i++) {
                assertThat(subject.mightContain(keys[i])).isTrue();
            }
            if (subject instanceof BatchSubject batch) {
                boolean[] answers = new boolean[KEYS - removed];
                batch.mightContainAll(keys, removed, answers);
                assertThat(answers).containsOnly(true);
            }
            if (entry.can(Ability.EXACT)) {
                for (int i = 0; i < removed; i++) {
                    assertThat(subject.mightContain(keys[i])).isFalse();
                }
            }
        }
    }
}
