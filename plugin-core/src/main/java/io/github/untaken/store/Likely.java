package io.github.untaken.store;

import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Random texts that a database is likely to hold equal: a few characters in other cases, widths and forms, with marks,
 * and with characters that some collation ignores; alone and concatenated.
 */
final class Likely {
    private static final String[] OFTEN_NOTHING = {
        " ", "\t", "-", "_", ".", "'", "\u00ad", "\u200b", "\u200d", "\ufeff", "\u0001", "\ufe0f", "\u0640", "\u3000",
        "7"
    };
    /** First and last of ranges with many letters, plain ones first. */
    private static final int[][] RANGES = {
        {'a', 'z'},
        {'a', 'z'},
        {'0', '9'},
        {0xa0, 0x24f},
        {0x370, 0x52f},
        {0x250, 0x2fff},
        {0x3040, 0x30ff},
        {0xa640, 0xffef},
        {0x10000, 0x1ffff}
    };

    private static final String LETTERS = "aeikosuy01";
    private static final List<ValuePair> LOOK_ALIKE = Stream.of(
                    "o 0", "l 1", "i 1", "i l", "e 3", "a 4", "s 5", "t 7", "b 8", "rn m", "vv w")
            .map(pair -> pair.split(" ", 2))
            .map(pair -> new ValuePair(pair[0], pair[1]))
            .toList();
    private static final int MOST_ELEMENTS = 7;

    private final RandomGenerator random;

    Likely(RandomGenerator random) {
        this.random = random;
    }

    /** What one database or another ignores. */
    static List<String> oftenNothing() {
        return List.of(OFTEN_NOTHING);
    }

    /** Look-alikes, and letters beside their other cases, widths and forms. */
    List<ValuePair> plainPairs() {
        List<ValuePair> pairs = new ArrayList<>(LOOK_ALIKE);
        LETTERS.chars().forEach(letter -> {
            List<String> relatives = new ArrayList<>();
            addRelatives(letter, relatives);
            relatives.stream()
                    .distinct()
                    .forEach(relative -> pairs.add(new ValuePair(Character.toString(letter), relative)));
        });
        return pairs;
    }

    /** Some related texts of up to three elements. */
    Set<String> family() {
        List<String> elements = new ArrayList<>();
        addRelatives(letter(), elements);
        addRelatives(letter(), elements);
        Set<String> chosen = new LinkedHashSet<>();
        while (chosen.size() < Math.min(MOST_ELEMENTS, elements.size())) {
            chosen.add(elements.get(random.nextInt(elements.size())));
            if (chosen.size() == new LinkedHashSet<>(elements).size()) {
                break;
            }
        }
        chosen.add(OFTEN_NOTHING[random.nextInt(OFTEN_NOTHING.length)]);
        Set<String> texts = new LinkedHashSet<>();
        for (String first : chosen) {
            texts.add(first);
            for (String second : chosen) {
                texts.add(first + second);
                for (String third : chosen) {
                    texts.add(first + second + third);
                }
            }
        }
        return texts;
    }

    private int letter() {
        int[] range = RANGES[random.nextInt(RANGES.length)];
        int c;
        do {
            c = random.nextInt(range[0], range[1] + 1);
        } while (c <= Character.MAX_VALUE && Character.isSurrogate((char) c));
        return c;
    }

    private void addRelatives(int c, List<String> into) {
        String one = Character.toString(c);
        String marked = one + Character.toString(random.nextInt(0x300, 0x350));
        for (String text : List.of(one, marked)) {
            into.add(text);
            for (Normalizer.Form form : Normalizer.Form.values()) {
                into.add(Normalizer.normalize(text, form));
            }
            into.add(text.toUpperCase(Locale.ROOT));
            into.add(text.toLowerCase(Locale.ROOT));
            into.add(text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT));
        }
        into.add(Character.toString(c ^ 0x20));
        into.add(Character.toString(Character.toTitleCase(c)));
        if (c > ' ' && c < 0x7f) {
            into.add(Character.toString(c + 0xfee0)); // full width
        }
        into.removeIf(text -> text.isEmpty() || text.chars().anyMatch(unit -> unit == 0) || hasHalfAPair(text));
    }

    private static boolean hasHalfAPair(String text) {
        return text.codePoints().anyMatch(c -> c <= Character.MAX_VALUE && Character.isSurrogate((char) c));
    }
}
