package io.github.untaken.jdbc.collations;

import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.text.Fold;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Texts by chance that a database holds equal surprisingly often: from a few atoms at a time, which are letters of many scripts, what they
 * are in other cases and forms, ligatures, letters of two signs, what counts for nothing, emoji, blanks at the end. The database sorts them;
 * of each set that it holds equal, all must have one fold.
 */
public final class AlikeTexts {
    private static final String[] ATOMS = {
        "a",
        "b",
        "c",
        "e",
        "h",
        "i",
        "j",
        "l",
        "n",
        "o",
        "s",
        "u",
        "v",
        "w",
        "y",
        "z",
        "0",
        "1",
        "7",
        "A",
        "C",
        "H",
        "I",
        "S",
        "\u00df",
        "\u1e9e",
        "ss",
        "\u00e6",
        "ae",
        "\u0153",
        "oe",
        "\u0133",
        "ij",
        "\ufb01",
        "fi",
        "\ufb00",
        "\u01c6",
        "\u01c4",
        "dz",
        "\u017e",
        "lj",
        "nj",
        "aa",
        "\u00e5",
        "\u212b",
        "ch",
        "cH",
        "Ch",
        "ll",
        "dzs",
        "ddzs",
        "\u00fe",
        "th",
        "\u00f0",
        "\u0111",
        "\u0142",
        "\u00f8",
        "\u0131",
        "\u0130",
        "i\u0307",
        "\u017f",
        "\u212a",
        "\u2126",
        "\u00b5",
        "\u03bc",
        "\u03c3",
        "\u03c2",
        "\u03a3",
        "\u1fb3",
        "\u03b1\u0345",
        "\u0439",
        "\u0438\u0306",
        "\u0451",
        "\u0435\u0308",
        "\u0456",
        "\u0457",
        "\u04cf",
        "\u0531",
        "\u10d0",
        "\u1c90",
        "\uab70",
        "\u13a0",
        "\u05d1\u05bc",
        "\ufb31",
        "\u05e9\u05c1",
        "\u0628",
        "\ufe8f",
        "\u0644\u0627",
        "\ufefb",
        "\u0623",
        "\u064e",
        "\u0640",
        "\u0661",
        "\u06f1",
        "\u0967",
        "\u09e7",
        "\u0915",
        "\u0915\u093c",
        "\u0958",
        "\u09cb",
        "\u09c7\u09be",
        "\u0bca",
        "\u0e40",
        "\u0e01",
        "\u0e48",
        "\u0ec0",
        "\u0e81",
        "\u0f71\u0f72",
        "\u0f73",
        "\u1100\u1161",
        "\uac00",
        "\u11a8",
        "\u3042",
        "\u30a2",
        "\uff71",
        "\u3041",
        "\u304c",
        "\u304b\u3099",
        "\u30fc",
        "\u4e2d",
        "\uf900",
        "\u8c48",
        "\u2f00",
        "\u4e00",
        "\u3400",
        "\ud840\udc00",
        "\ud87e\udc00",
        "\uff41",
        "\uff11",
        "\u2460",
        "\u00b2",
        "\u00bd",
        "1\u20442",
        "\u2167",
        "viii",
        "\ud835\udc1a",
        "\ud835\udfd9",
        "\u1d43",
        "\ud83d\ude00",
        "\ud83d\ude01",
        "\ud83d\udc4d\ud83c\udffd",
        "\u2764\ufe0f",
        "\u2764",
        "\ud83c\udde9\ud83c\uddea",
        "\u0301",
        "\u0300",
        "\u0308",
        "\u0323",
        "\u0327",
        "\u030a",
        "\u034f",
        "\u00ad",
        "\u200b",
        "\u200c",
        "\u200d",
        "\u2060",
        "\ufeff",
        "\ufe0f",
        "\udb40\udd00",
        "\u0001",
        "\t",
        " ",
        "\u00a0",
        "\u3000",
        "\u2003",
        "-",
        "_",
        ".",
        "'",
        "\u2019",
        "\u2010",
        "@",
        "+",
        "\ud800\udf30",
        "\ud801\udc00",
        "\ud801\udc28",
        "\ud83a\udd00",
        "\ud83a\udd22",
        "\ue000",
        "\ufffd",
        "\ud8c0\udc00",
        "\udbc0\udc00"
    };
    private static final int IN_A_BATCH = 7;
    private static final int TEXTS = 1_500;
    private static final int LONGEST = 5;
    private static final String LATIN =
            "aaabcdeeefghiiijklmnooopqrstuuuvwxyz0123456789._-\u00e4\u00e9\u00ef\u00f1\u00f8\u00fc\u00df";
    private static final int LATIN_NAMES = 20_000;

    private final SplittableRandom random;
    private long pairs;
    private final Set<String> missed = new LinkedHashSet<>();

    public AlikeTexts(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Compares until the database has held so many pairs equal, in bounded time. */
    public AlikeTexts compare(Grouping store, Fold fold, long most) {
        for (int batch = 0; batch < most / 20 + 10 && pairs < most; batch++) {
            List<String> texts = List.copyOf(batch());
            for (List<Integer> places : store.heldEqualAmong(texts)) {
                List<String> equal = places.stream().map(texts::get).toList();
                pairs += (long) equal.size() * (equal.size() - 1) / 2;
                equal.stream()
                        .filter(text -> !fold.of(text).equals(fold.of(equal.get(0))))
                        .findFirst()
                        .ifPresent(other -> missed.add(points(equal.get(0)) + " and " + points(other)));
            }
        }
        return this;
    }

    /**
     * Of how many Latin names that the database tells apart no other has the same fold: free ones among stored ones are free from memory.
     *
     * @return a share, from 0 to 1
     */
    public double shareOfLatinNamesWithTheirOwnFold(Grouping store, Fold fold) {
        Set<String> names = new LinkedHashSet<>();
        while (names.size() < LATIN_NAMES) {
            StringBuilder name = new StringBuilder();
            for (int left = random.nextInt(5, 13); left > 0; left--) {
                name.append(LATIN.charAt(random.nextInt(LATIN.length())));
            }
            names.add(name.toString());
        }
        List<String> all = List.copyOf(names);
        Set<Integer> others = new HashSet<>(); // all of a set but one
        store.heldEqualAmong(all).forEach(set -> others.addAll(set.subList(1, set.size())));
        List<String> apart = IntStream.range(0, all.size())
                .filter(place -> !others.contains(place))
                .mapToObj(all::get)
                .toList();
        long folds = apart.stream().map(fold::of).distinct().count();
        return (double) folds / apart.size();
    }

    /** How many pairs were held equal. */
    public long pairs() {
        return pairs;
    }

    /** Those that the fold tells apart, by their code points. */
    public Set<String> missed() {
        return missed;
    }

    private Set<String> batch() {
        List<String> atoms = new ArrayList<>();
        while (atoms.size() < IN_A_BATCH) {
            String atom = atom();
            atoms.add(atom);
            String relative = switch (random.nextInt(7)) {
                case 0 -> Normalizer.normalize(atom, Normalizer.Form.NFD);
                case 1 -> Normalizer.normalize(atom, Normalizer.Form.NFC);
                case 2 -> Normalizer.normalize(atom, Normalizer.Form.NFKD);
                case 3 -> atom.toUpperCase(Locale.ROOT);
                case 4 -> atom.toLowerCase(Locale.ROOT);
                case 5 ->
                    Normalizer.normalize(atom + Character.toString(random.nextInt(0x300, 0x32f)), Normalizer.Form.NFC);
                default -> atom();
            };
            atoms.add(relative);
        }
        Set<String> texts = new LinkedHashSet<>(atoms);
        for (int i = 0; i < TEXTS; i++) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(1, LONGEST + 1); left > 0; left--) {
                text.append(atoms.get(random.nextInt(atoms.size())));
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private String atom() {
        if (random.nextInt(5) > 0) {
            return ATOMS[random.nextInt(ATOMS.length)];
        }
        int c;
        do {
            c = random.nextInt(3) > 0 ? random.nextInt(0xa0, 0x3000) : random.nextInt(0xa0, 0x1ffff);
        } while (!Character.isDefined(c) || c <= Character.MAX_VALUE && Character.isSurrogate((char) c));
        return Character.toString(c);
    }

    private static String points(String text) {
        return text.codePoints().mapToObj(c -> String.format("U+%04X", c)).collect(Collectors.joining(" "));
    }
}
