package io.github.untaken.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
    private static final Path PAGE = CHECKOUT.root().resolve(Path.of("docs", "correctness.md"));
    private static final String BEGIN = "<!-- tests: begin -->";
    private static final String END = "<!-- tests: end -->";
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

    /** What the page says between its two marks. Where it differs, what it has to say is in a file to be copied from. */
    @Test
    void thePageNamesTheTestsOfEachRule() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        assertThat(begin).as(BEGIN).isNotNegative();
        assertThat(end).as(END).isGreaterThan(begin);
        String table = table(EDITS);
        Path copy = Files.writeString(CHECKOUT.root().resolve(Path.of("planted-bugs", "target", "tests.md")), table);
        assertThat(page.substring(begin + BEGIN.length(), end))
                .as("the tests of each rule; put %s between the marks of %s", copy, PAGE)
                .isEqualTo(table);
    }

    /** A row for each rule, with the classes of tests that notice it broken. */
    private static String table(List<PlantedEdit> edits) {
        Map<String, Set<String>> tests =
                new TreeMap<>(Comparator.comparingInt((String rule) -> Integer.parseInt(rule.substring(1))));
        edits.forEach(edit -> tests.computeIfAbsent(edit.rule(), rule -> new TreeSet<>())
                .add(edit.test().file().getFileName().toString().replace(".java", "")));
        return tests.entrySet().stream()
                .map(row -> "| " + row.getKey() + " | " + String.join(", ", row.getValue()) + " |\n")
                .collect(Collectors.joining("", "\n| Rule | Tests |\n|---|---|\n", ""));
    }

    @Test
    void theRulesOfTheTableAreInTheOrderOfTheirNumbers() {
        assertThat(table(List.of(
                        edit("R10", "a.LateTest$Part#c"), edit("R2", "a.EarlyTest#b"), edit("R10", "a.AlsoTest#a"))))
                .isEqualTo("\n| Rule | Tests |\n|---|---|\n| R2 | EarlyTest |\n| R10 | AlsoTest, LateTest |\n");
    }

    private static PlantedEdit edit(String rule, String test) {
        return new PlantedEdit(rule, rule, "", PlantedEdit.TestName.parse("module " + test), List.of());
    }

    @Test
    void eachRuleIsBrokenByOneAndEachOneBreaksARule() throws IOException {
        String page = Files.readString(PAGE);
        Set<String> rules = Pattern.compile("(?m)^\\*\\*(R[0-9]+) ")
                .matcher(page)
                .results()
                .map(rule -> rule.group(1))
                .collect(Collectors.toSet());
        assertThat(EDITS.stream().map(PlantedEdit::rule).collect(Collectors.toSet()))
                .isEqualTo(rules);
    }

    @Test
    void inSixteenTurnsEachHasOne() {
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
    void aChangeBringsThoseThatEditItThoseThatItTestsAndThoseThatItIsBeforeTheirTurn() {
        for (PlantedEdit edit : EDITS) {
            int itsTurn = EDITS.indexOf(edit);
            Set<Path> changes = Set.of(
                    edit.replacements().get(0).file(),
                    edit.test().file(),
                    Path.of("planted-bugs", "planted", edit.name() + ".edit"));
            assertThat(inSomeTurns(Set.of(), itsTurn)).doesNotContain(edit);
            assertThat(changes).allSatisfy(changed -> {
                assertThat(CHECKOUT.root().resolve(changed)).isRegularFile();
                assertThat(inSomeTurns(Set.of(changed), itsTurn)).contains(edit);
            });
        }
    }

    private static Set<PlantedEdit> inSomeTurns(Set<Path> changed, int after) {
        return IntStream.rangeClosed(1, PlantedEdit.TURNS / 2)
                .mapToObj(turn -> PlantedEdit.chosen(EDITS, changed, after + turn))
                .flatMap(List::stream)
                .collect(Collectors.toSet());
    }
}
