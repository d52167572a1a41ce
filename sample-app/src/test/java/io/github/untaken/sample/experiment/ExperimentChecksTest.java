package io.github.untaken.sample.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.experiment.ExperimentChecks.Check;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExperimentChecksTest {
    private static final int USERS = 1_000;
    private static final int MANY = 20_000;

    private final Set<String> names = new HashSet<>();
    private final Set<String> numbers = new HashSet<>();

    ExperimentChecksTest() {
        for (int i = 0; i < USERS; i++) {
            names.add(MadeUpAccounts.username(i));
            if (MadeUpAccounts.hasPhone(i)) {
                numbers.add(MadeUpAccounts.phone(i));
            }
        }
    }

    @Test
    void theSameSeedGivesTheSameChecks() {
        List<Check> checks = ExperimentChecks.list(5, MANY, USERS, Mix.DEFAULT);
        assertThat(checks).hasSize(MANY).isEqualTo(ExperimentChecks.list(5, MANY, USERS, Mix.DEFAULT));
        assertThat(checks).isNotEqualTo(ExperimentChecks.list(6, MANY, USERS, Mix.DEFAULT));
    }

    @Test
    void freeNamesAreFreeAndTakenOnesTaken() {
        assertThat(ExperimentChecks.list(1, MANY, USERS, new Mix(1, 0, 0, 0, 0)))
                .noneMatch(check -> names.contains(check.text()));
        assertThat(ExperimentChecks.list(1, MANY, USERS, new Mix(0, 1, 0, 0, 0)))
                .allMatch(check -> names.contains(check.text()));
    }

    @Test
    void hotNamesAreAFewTakenOnes() {
        List<Check> hot = ExperimentChecks.list(1, MANY, USERS, new Mix(0, 0, 0, 1, 0));
        assertThat(hot).allMatch(check -> names.contains(check.text()));
        assertThat(new HashSet<>(hot)).hasSize(16);
    }

    @Test
    void typingAddsOneLetterAtATime() {
        List<Check> typed = ExperimentChecks.list(1, MANY, USERS, new Mix(0, 0, 1, 0, 0));
        int begun = 0;
        for (int i = 1; i < MANY; i++) {
            String before = typed.get(i - 1).text();
            String now = typed.get(i).text();
            if (now.length() == 3) {
                begun++;
            } else {
                assertThat(now).startsWith(before).hasSize(before.length() + 1);
            }
        }
        assertThat(begun).isGreaterThan(MANY / 20);
        assertThat(typed).anyMatch(check -> names.contains(check.text()));
    }

    @Test
    void halfOfThePhonesAreTaken() {
        List<Check> phones = ExperimentChecks.list(1, MANY, USERS, new Mix(0, 0, 0, 0, 1));
        assertThat(phones).allMatch(check -> check.kind().equals(IdentifierKind.PHONE));
        long taken =
                phones.stream().filter(check -> numbers.contains(check.text())).count();
        assertThat(taken).isBetween(MANY * 45L / 100, MANY * 55L / 100);
    }

    @Test
    void eachSortComesAsOftenAsItsWeightSays() {
        long phones = ExperimentChecks.list(1, MANY, USERS, new Mix(30, 20, 20, 10, 20)).stream()
                .filter(check -> check.kind().equals(IdentifierKind.PHONE))
                .count();
        assertThat(phones).isBetween(MANY * 18L / 100, MANY * 22L / 100);
    }

    @Test
    void anEmptyDatabaseHasOnlyFreeNames() {
        assertThat(ExperimentChecks.list(1, 1_000, 0, Mix.DEFAULT)).hasSize(1_000);
    }
}
