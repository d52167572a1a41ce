package io.github.untaken.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** In every build: the planted bugs still fit the code, so that the long run will not find them stale. */
class PlantedEditsTest {
    private static final Checkout CHECKOUT = Checkout.here();
    private static final List<PlantedEdit> EDITS =
            PlantedEdit.all(CHECKOUT.root().resolve(Path.of("planted-bugs", "planted")));

    @TestFactory
    Stream<DynamicTest> stillAppliesAndNamesAnExistingTest() {
        return EDITS.stream()
                .map(edit -> DynamicTest.dynamicTest(edit.name(), () -> {
                    assertThatCode(() -> CHECKOUT.apply(edit)).doesNotThrowAnyException();
                    assertThat(CHECKOUT.hasTest(edit.test()))
                            .as("%s exists in %s", edit.test(), edit.test().module())
                            .isTrue();
                }));
    }

    @Test
    void eachRuleIsBrokenByOneAndEachOneBreaksARule() throws IOException {
        String page = Files.readString(CHECKOUT.root().resolve(Path.of("docs", "correctness.md")));
        Set<String> rules = Pattern.compile("\\*\\*(R[0-9]+)\\*\\*")
                .matcher(page)
                .results()
                .map(rule -> rule.group(1))
                .collect(Collectors.toSet());
        assertThat(EDITS.stream().map(PlantedEdit::rule).collect(Collectors.toSet()))
                .isEqualTo(rules);
    }

    @Test
    void inEightTurnsEachHasOne() {
        List<PlantedEdit> chosen = IntStream.range(0, PlantedEdit.TURNS)
                .mapToObj(turn -> PlantedEdit.chosen(EDITS, Set.of(), 21 + turn))
                .flatMap(List::stream)
                .toList();
        assertThat(chosen).containsExactlyInAnyOrderElementsOf(EDITS);
    }

    @Test
    void aChangeOfEverythingBringsAShareAndTheNextTurnsTheRest() {
        Set<Path> everything = EDITS.stream().map(edit -> edit.test().file()).collect(Collectors.toSet());
        int shares = (EDITS.size() + PlantedEdit.MOST - 1) / PlantedEdit.MOST;
        List<List<PlantedEdit>> turns = IntStream.range(0, shares)
                .mapToObj(turn -> PlantedEdit.chosen(EDITS, everything, 21 + turn))
                .toList();
        assertThat(turns).allSatisfy(turn -> assertThat(turn).hasSizeLessThanOrEqualTo(PlantedEdit.MOST));
        assertThat(turns.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(EDITS);
    }

    @Test
    void aChangeBringsThoseThatEditItThoseThatItTestsAndThoseThatItIs() {
        for (PlantedEdit edit : EDITS) {
            int anotherTurn = EDITS.indexOf(edit) + 1;
            Set<Path> changes = Set.of(
                    edit.replacements().get(0).file(),
                    edit.test().file(),
                    Path.of("planted-bugs", "planted", edit.name() + ".edit"));
            assertThat(PlantedEdit.chosen(EDITS, Set.of(), anotherTurn)).doesNotContain(edit);
            assertThat(changes).allSatisfy(changed -> {
                assertThat(CHECKOUT.root().resolve(changed)).isRegularFile();
                assertThat(PlantedEdit.chosen(EDITS, Set.of(changed), anotherTurn))
                        .contains(edit);
            });
        }
    }
}
