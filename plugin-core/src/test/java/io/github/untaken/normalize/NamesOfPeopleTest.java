package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How many real names the policy refuses, and why; it is printed, by script and language. */
class NamesOfPeopleTest {
    private static final Pattern ESCAPE = Pattern.compile("\\\\u(\\p{XDigit}{4})");
    private static final UsernameNormalizer USUAL = UsernameNormalizer.defaults();
    private static final UsernameNormalizer WITH_APOSTROPHES =
            UsernameNormalizer.builder().apostrophes(true).build();

    /** docs/decisions/0048 says of each of them why it stays reserved. */
    private static final Set<String> RESERVED = Set.of(
            "bot",
            "gr\u00fcnder",
            "guest",
            "host",
            "jobs",
            "list",
            "pop",
            "root",
            "sales",
            "self",
            "you",
            "مشرف",
            "رسمي",
            "راهنما",
            "सुरक्षा");

    /** A non-joiner where nothing would be joined, a joiner before a virama, and a variant of a Han character: all of them invisible. */
    private static final Set<String> ILLEGAL = Set.of(
            "امیر\u200cعلی", "محمد\u200cرضا", "میر\u200cحسینی", "پور\u200cمحمدی", "র\u200d্যাচেল", "辻\udb40\udd00");

    /** A name, and the code of its refusal; empty if it is accepted. */
    private record Judged(String name, String key, String code) {}

    @Test
    void fewNamesOfPeopleAreRefusedAndEachForAReason() throws Exception {
        Map<String, List<Judged>> usual = judged(USUAL);
        Map<String, List<Judged>> withApostrophes = judged(WITH_APOSTROPHES);
        print("The usual policy", usual);
        print("With apostrophes", withApostrophes);

        assertThat(usual).hasSizeGreaterThan(20);
        assertThat(all(usual)).hasSizeGreaterThan(2_000);
        assertThat(share(usual)).as("refused").isLessThan(0.055);
        assertThat(share(withApostrophes)).as("refused with apostrophes").isLessThan(0.03);
        usual.forEach((block, names) ->
                assertThat(share(Map.of(block, names))).as(block).isLessThan(0.25));
        withApostrophes.forEach((block, names) ->
                assertThat(share(Map.of(block, names))).as(block).isLessThan(0.2));
    }

    @Test
    void oneOrTwoLettersOfAnAlphabetAreTooShortAndNothingElseButAStroke() throws Exception {
        assertThat(keysRefused("too_short"))
                .isNotEmpty()
                .allSatisfy(key -> assertThat(key).matches("[\\p{IsLatin}\\p{IsCyrillic}\\p{IsGeorgian}]{1,2}|\u4e00"));
    }

    @Test
    void theNamesThatStayReservedAreKnown() throws Exception {
        assertThat(keysRefused("reserved")).isEqualTo(new TreeSet<>(RESERVED));
    }

    @Test
    void withApostrophesNoCharacterOfANameIsIllegalButWhatNobodySees() throws Exception {
        assertThat(keysRefused("illegal_character")).isEqualTo(new TreeSet<>(ILLEGAL));
    }

    @Test
    void noNameMixesScripts() throws Exception {
        assertThat(keysRefused("mixed_scripts")).isEmpty();
    }

    private static TreeSet<String> keysRefused(String code) throws Exception {
        return all(judged(WITH_APOSTROPHES)).stream()
                .filter(name -> name.code().equals(code))
                .map(Judged::key)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Judged> all(Map<String, List<Judged>> blocks) {
        return blocks.values().stream().flatMap(List::stream).toList();
    }

    private static double share(Map<String, List<Judged>> blocks) {
        List<Judged> names = all(blocks);
        return (double) names.stream().filter(name -> !name.code().isEmpty()).count() / names.size();
    }

    private static void print(String policy, Map<String, List<Judged>> blocks) {
        Map<String, Long> codes = all(blocks).stream()
                .filter(name -> !name.code().isEmpty())
                .collect(Collectors.groupingBy(Judged::code, TreeMap::new, Collectors.counting()));
        System.out.printf(
                "%s refuses %.1f %% of %d names: %s%n",
                policy, 100 * share(blocks), all(blocks).size(), codes);
        blocks.forEach(NamesOfPeopleTest::print);
    }

    private static void print(String block, List<Judged> names) {
        Map<String, List<String>> refused = names.stream()
                .filter(name -> !name.code().isEmpty())
                .collect(Collectors.groupingBy(
                        Judged::code, TreeMap::new, Collectors.mapping(Judged::name, Collectors.toList())));
        System.out.printf("%5.1f %% of %3d %s %s%n", 100 * share(Map.of(block, names)), names.size(), block, refused);
    }

    private static Map<String, List<Judged>> judged(UsernameNormalizer policy) throws Exception {
        ReservedNames reserved = ReservedNames.defaults().folded(policy);
        Map<String, List<Judged>> judged = new LinkedHashMap<>();
        names().forEach((block, names) -> judged.put(
                block,
                names.stream().map(name -> judged(policy, reserved, name)).toList()));
        return judged;
    }

    private static Judged judged(UsernameNormalizer policy, ReservedNames reserved, String name) {
        String key = policy.key(name);
        return new Judged(name, key, policy.rejection(name, key).orElse(reserved.contains(key) ? "reserved" : ""));
    }

    private static Map<String, List<String>> names() throws Exception {
        Map<String, List<String>> names = new LinkedHashMap<>();
        try (var in = NamesOfPeopleTest.class.getResourceAsStream("names-of-people.txt")) {
            String block = "";
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (line.startsWith("## ")) {
                    block = line.substring(3);
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    List<String> some = names.computeIfAbsent(block, key -> new ArrayList<>());
                    for (String name : line.split(" ", -1)) {
                        some.add(ESCAPE.matcher(name)
                                .replaceAll(found -> Character.toString(Integer.parseInt(found.group(1), 16))));
                    }
                }
            }
        }
        return names;
    }
}
