package io.github.untaken.http.suggest;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionsTest {

    private static List<String> free(Iterable<String> candidates, String... taken) {
        InMemoryIdentifierStore store = new InMemoryIdentifierStore();
        for (String name : taken) {
            store.add(name);
        }
        try (AvailabilityChecker checker =
                AvailabilityChecker.builder().store(USERNAME, store).build()) {
            Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
            List<String> free = new Suggestions(checker).free(USERNAME, candidates);
            assertThat(checker.stats(USERNAME).reads().made()).isZero();
            return free;
        }
    }

    @Test
    void oneOfEachFamilyIsShown() {
        assertThat(free(NameVariants.of("alice", 2026), "alice"))
                .hasSize(5)
                .anyMatch(name -> name.matches("alice[a-z]+"))
                .anyMatch(name -> name.matches("alice(?!26)\\d\\d"))
                .anyMatch(name -> name.matches("[a-z]+alice"))
                .anyMatch(name -> name.matches("alice\\.[a-z]"))
                .contains("alice26");
    }

    @Test
    void theNextOfAFamilyStandsInForOneThatIsTaken() {
        NameFamilies families = new NameFamilies(
                List.of(List.of("anna1", "anna2", "anna3"), List.of("x", "admin", "bob_1", "bob_2"), List.of("carol")));
        assertThat(free(families, "anna1", "anna2")).containsExactly("anna3", "bob_1", "carol", "bob_2");
        assertThat(free(families, "carol")).containsExactly("anna1", "bob_1", "anna2", "bob_2", "anna3");
    }

    @Test
    void theFirstFewOfOtherCandidatesAreShown() {
        assertThat(free(List.of("anna", "Bob1", "bob1", "admin", "c01", "d01", "e01", "f01"), "anna"))
                .containsExactly("bob1", "c01", "d01", "e01", "f01");
        assertThat(free(List.of())).isEmpty();
    }
}
