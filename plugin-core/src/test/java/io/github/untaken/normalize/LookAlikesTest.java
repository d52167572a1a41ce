package io.github.untaken.normalize;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LookAlikesTest {
    private static final long SEED = Seed.of(LookAlikesTest.class, 0x5EED_100CL);

    private static final UsernameNormalizer NAMES = UsernameNormalizer.defaults();
    private static final ReservedNames RESERVED = ReservedNames.defaults().folded(NAMES);

    /** What an impostor writes for a letter; a table of the test's own. */
    private static final Map<Character, String> DISGUISES = Map.ofEntries(
            Map.entry('a', "4\u0430\u03b1\uff21"),
            Map.entry('b', "8\u0432\uff22"),
            Map.entry('c', "\u0441\u0421"),
            Map.entry('d', "\u0501\u0111"),
            Map.entry('e', "3\u0435\u0395"),
            Map.entry('g', "69"),
            Map.entry('h', "\u041d\u0397"),
            Map.entry('i', "1\u0456\u03b9\u0130"),
            Map.entry('k', "\u043a\u03ba\u212a"),
            Map.entry('l', "1\u0142\u04cf\u2113"),
            Map.entry('m', "\u041c\u039c"),
            Map.entry('n', "\u039d\u03b7"),
            Map.entry('o', "0\u043e\u03bf\u00f8\u3007"),
            Map.entry('p', "\u0440\u03c1"),
            Map.entry('s', "5\u0455\u017f"),
            Map.entry('t', "7\u0442\u03a4"),
            Map.entry('u', "\u03c5\u00b5"),
            Map.entry('v', "\u03bd\u0475"),
            Map.entry('w', "\u051d\u03c9"),
            Map.entry('x', "\u0445\u03c7"),
            Map.entry('y', "\u0443\u03a5"),
            Map.entry('z', "2\u0396"));

    @Test
    void nothingMadeFromAReservedWordIsFree() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        List<String> words = listed();
        for (int n = 0; n < 50_000; n++) {
            String word = words.get(random.nextInt(words.size()));
            String disguised = disguised(word, random);
            assertThat(RESERVED.contains(NAMES.key(disguised)))
                    .as("%s as %s, seed %d", word, disguised, SEED)
                    .isTrue();
        }
    }

    private static String disguised(String word, SplittableRandom random) {
        boolean accents = random.nextInt(3) == 0;
        boolean separators = random.nextInt(3) == 0;
        int oneIn = random.nextInt(1, 5);
        StringBuilder disguised = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            String others = DISGUISES.getOrDefault(c, "");
            char written = !others.isEmpty() && random.nextInt(oneIn) == 0
                    ? others.charAt(random.nextInt(others.length()))
                    : random.nextInt(4) == 0 ? Character.toUpperCase(c) : c;
            if (i == word.length() - 1 && Character.isDigit(written)) {
                written = c; // a number at the end
            }
            if (separators && !disguised.isEmpty() && random.nextInt(3) == 0 && c < 0x80) {
                disguised.append("._-\u02bc\u0640\u4e00"
                        .charAt(
                                disguised.charAt(disguised.length() - 1) < 0x80
                                        ? random.nextInt(6)
                                        : random.nextInt(3)));
            }
            disguised.append(written);
            if (accents && written >= 'a' && written <= 'z' && random.nextInt(3) == 0) {
                disguised.append("\u0301\u0308\u0323\u0332".charAt(random.nextInt(4)));
            }
        }
        return disguised.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ad.min",
                "ad_min",
                "a-d-m-i-n",
                "adm1n",
                "4dmin",
                "4DM1N",
                "\u00e1dmin",
                "adm\u0131n",
                "r00t",
                "r.0.0.t",
                "p0p3",
                "ema1l-support",
                "b1111ng",
                "1nfo",
                "\u0430\u0501\u043ci\u03b7",
                "\u0441\u0435\u043e",
                "\u03c1\u03bf\u03c1",
                "r\u3007\u3007t",
                "r\u53e3\u30edt",
                "ad\u30fcmin",
                "ad\u4e00min",
                "\u1d00\u1d05\u1d0d\u026a\u0274",
                "adm\u0661n",
                "4\u0434\u043c\u0438\u043d",
                "\u0430.\u0434\u043c\u0438\u043d",
                "\u7ba1\u7406_\u5458",
                "sign_up",
                "well.known",
                "contrasena",
                "sogutto.d\u00e9fauts"
            })
    void aNameThatLooksReservedIsReserved(String name) {
        ReservedNames names = ReservedNames.defaults()
                .and(ReservedNames.of(List.of("Email-Support", "sogutto.defauts")))
                .folded(NAMES);
        assertThat(names.contains(NAMES.key(name))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "adminer",
                "admin5",
                "user5",
                "rooted",
                "r2d2",
                "pope",
                "ali",
                "lil",
                "heip",
                "maii",
                "\u30b5\u30dd\u30c8",
                "\u0438",
                "...",
                "-",
                ""
            })
    void aNameThatOnlyComesCloseIsNot(String name) {
        assertThat(RESERVED.contains(NAMES.key(name))).isFalse();
    }

    @Test
    void ordinaryNamesAreNotRefused() {
        List<String> names = new ArrayList<>(OrdinaryNames.REAL);
        names.addAll(OrdinaryNames.made(10_000, new SplittableRandom(SEED)));
        for (String name : names) {
            String key = NAMES.key(name);
            assertThat(NAMES.rejection(name, key)).as(name).isEmpty();
            assertThat(RESERVED.contains(key)).as(name).isFalse();
        }
    }

    @Test
    void mostNamesAreToldApartAtAGlance() throws Exception {
        Glance glance = new Glance();
        listed().forEach(name -> glance.add(Skeleton.of(name)));
        List<String> names = OrdinaryNames.made(10_000, new SplittableRandom(SEED));
        assertThat(names.stream().filter(glance::mayResemble).count())
                .as("of 10,000")
                .isLessThan(250);
    }

    @Test
    void ordinaryBeginningsAreToldApartAtAGlance() throws Exception {
        Glance glance = new Glance();
        listed().forEach(name -> glance.add(Skeleton.of(name)));
        assertThat(Stream.of("anna", "carlos", "maria", "logan", "lily", "robert", "max.power", "bob_1990", "user4711")
                        .filter(glance::mayResemble))
                .isEmpty();
    }

    /** Listed words with something else in a place or two, so that many only just look alike and many only just do not. */
    @Test
    void noShortCutMissesWhatLooksListed() throws Exception {
        compareWithEachListedName(20_000);
    }

    @Test
    @Tag("nightly")
    void noShortCutMissesWhatLooksListedAmongTwoMillion() throws Exception {
        compareWithEachListedName(2_000_000);
    }

    private static void compareWithEachListedName(int texts) throws Exception {
        Map<Integer, List<String>> meant = listed().stream()
                .map(Skeleton::of)
                .collect(Collectors.groupingBy(name -> name.codePointCount(0, name.length())));
        List<String> words = listed();
        String others =
                "abeilorst0134579._-'Az\u00b7\u0301\u0430\u043e\u0f0b\u200c\u200d\u2019\uff41\u0663\u4e00\ud800";
        SplittableRandom random = new SplittableRandom(SEED);
        int held = 0;
        for (int n = 0; n < texts; n++) {
            StringBuilder text = new StringBuilder(words.get(random.nextInt(words.size())));
            for (int changes = random.nextInt(3); changes > 0; changes--) {
                char other = others.charAt(random.nextInt(others.length()));
                int place = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(place, other);
                    case 1 -> text.insert(random.nextInt(text.length() + 1), other);
                    default -> text.setCharAt(place, disguise(text.charAt(place), random));
                }
            }
            String key = NAMES.key(text.toString());
            String skeleton = Skeleton.of(key);
            boolean alike = looksLikeAny(
                    skeleton, meant.getOrDefault(skeleton.codePointCount(0, skeleton.length()), List.of()));
            held += alike ? 1 : 0;
            if (RESERVED.contains(key) != alike) {
                throw new AssertionError("seed " + SEED + ", as a whole: " + alike + ": " + key);
            }
        }
        assertThat(held).isBetween(texts / 4, texts / 4 * 3);
    }

    private static char disguise(char c, SplittableRandom random) {
        String others = DISGUISES.getOrDefault(c, "x");
        return others.charAt(random.nextInt(others.length()));
    }

    /** Texts of few characters, so that look-alikes come often, against a comparison with each name and no short cut. */
    @Test
    void noShortCutMissesWhatLooksAlike() {
        String characters = "ab1i\u0456l._-'\u200c0\u0301\uff41A\u043e\u4e00\u304b\u3099\u5b98\u65b9\u53e3";
        Set<String> reserved = Set.of(
                "ab",
                "a",
                "ali-b",
                "\u043e1",
                "\u00e1bbi",
                "--",
                "ba\u4e00",
                "la\u03c3",
                "\u304c\u5b98",
                "\u5b98\u65b9",
                "\u65b9",
                "oo");
        LookAlikes lookAlikes = new LookAlikes(reserved);
        List<String> meant = reserved.stream().map(Skeleton::of).toList();
        SplittableRandom random = new SplittableRandom(SEED);
        int held = 0;
        for (int n = 0; n < 100_000; n++) {
            int kinds = random.nextInt(1, characters.length() + 1);
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(7); left > 0; left--) {
                text.append(characters.charAt(random.nextInt(kinds)));
            }
            boolean alike = looksLikeAny(Skeleton.of(text.toString()), meant);
            held += alike ? 1 : 0;
            if (lookAlikes.hold(text.toString()) != alike) {
                throw new AssertionError("as a whole: " + alike + ", with short cuts: " + !alike + ": " + text);
            }
        }
        assertThat(held).isGreaterThan(1_000);
    }

    private static boolean looksLikeAny(String text, List<String> names) {
        return names.stream().anyMatch(name -> looksLike(text, name));
    }

    private static boolean looksLike(String text, String name) {
        int[] read = text.codePoints().toArray();
        int[] meant = name.codePoints().toArray();
        int end = read.length - 1;
        boolean number = end >= 0 && Character.isDigit(read[end]) && end < meant.length && read[end] != meant[end];
        return read.length == meant.length
                && !number
                && IntStream.range(0, read.length).allMatch(i -> LatinReadings.mayPass(read[i], meant[i]));
    }

    @Test
    void whateverReadsAlikeHasOneOutline() {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            for (int letter = 'a'; letter <= 'z'; letter++) {
                if (LatinReadings.mayPass(c, letter)) {
                    assertThat(LatinReadings.outline(c)).as("U+%04X", c).isEqualTo(LatinReadings.outline(letter));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"555-0100,5550100", "a@example.com,a@examp1e.com", "admin,adm1n"})
    void nothingLooksLikeANameThatIsComparedExactly(String reserved, String other) {
        ReservedNames exact = ReservedNames.of(List.of(reserved)).exactly().folded(NAMES);
        assertThat(exact.contains(reserved)).isTrue();
        assertThat(exact.contains(other)).isFalse();
        assertThat(exact.and(ReservedNames.none().exactly()).folded(NAMES).contains(other))
                .isFalse();
        assertThat(exact.and(ReservedNames.none()).folded(NAMES).contains(other))
                .isTrue();
    }

    private static List<String> listed() throws Exception {
        try (var in = ReservedNames.class.getResourceAsStream("reserved-names.txt")) {
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(NAMES::key)
                    .toList();
        }
    }
}
