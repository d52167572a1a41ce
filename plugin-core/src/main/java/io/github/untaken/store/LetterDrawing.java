package io.github.untaken.store;

import io.github.untaken.spi.RegisteredIdentifierStore.Grouping;
import io.github.untaken.text.Fold;
import io.github.untaken.text.Letters;
import io.github.untaken.text.NormalForm;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Draws up a database's table of letters. The database sorts all characters into groups that it holds equal, together
 * with texts of several characters that one may stand for. Random texts then reveal what the database holds equal and
 * the table still tells apart, until they reveal nothing more.
 *
 * <p>Used once, by one thread. Blocks for a few seconds.
 */
/*
 * The table maps single characters, so a text's fold is the concatenation of its characters' folds. Each set of equal
 * texts makes a demand: all of them must have one fold. A demand is met by making the table coarser, never finer: two
 * characters become one, or a character becomes what it is written with, or nothing at all. So meeting one demand never
 * breaks another that was met, and the process ends: at worst, everything is nothing. A long text's demand can be met
 * in several ways, so how coarse the table becomes depends on the order; the plainest demands are met first. There is
 * no table if plain letters would count as nothing, or as each other although they differ alone: then a letter with a
 * mark equals something that neither part equals, as in the German phone book. A root stands for itself; a character
 * that stands for others leads to roots.
 */
final class LetterDrawing {
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int ROUNDS_WITHOUT_NEWS = 8;
    private static final int MOST_ROUNDS = 80;
    private static final int FAMILIES = 8;
    /** One below the letter, one above. */
    private static final List<String> OTHER_MARKS = List.of("\u0317", "\u0301");
    /** Ignored by most collations; marks are not reordered across it. */
    private static final String JOINER = "\u034f";

    private final List<Grouping> stores;
    private final RandomGenerator random;
    private final Map<Integer, String> stands = new HashMap<>();
    private boolean singlesMet;

    LetterDrawing(List<Grouping> stores, RandomGenerator random) {
        this.stores = stores;
        this.random = random;
    }

    /** Thrown if no table is as coarse as the database and still useful; the message is part of a sentence. */
    static final class NotDrawn extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private NotDrawn(String how) {
            super(how, null, false, false);
        }
    }

    /**
     * Draws up the table.
     *
     * @throws NotDrawn if that fails
     */
    Letters draw(String drawnFor) {
        List<List<String>> sorted = groups(List.copyOf(asked()));
        for (int length : lengths(sorted)) {
            for (List<String> equal : sorted) {
                if (equal.stream().anyMatch(text -> length(text) == length)) {
                    meet(equal.stream().filter(text -> length(text) <= length).toList());
                }
            }
            singlesMet = true;
        }
        Likely likely = new Likely(random);
        int rounds = 0;
        for (int without = 0; without < ROUNDS_WITHOUT_NEWS; without++) {
            Set<String> texts = new LinkedHashSet<>();
            for (int i = 0; i < FAMILIES; i++) {
                texts.addAll(likely.family());
            }
            for (List<String> group : groups(List.copyOf(texts))) {
                if (meet(group)) {
                    without = -1;
                }
            }
            if (++rounds == MOST_ROUNDS) {
                throw new NotDrawn(
                        "after " + MOST_ROUNDS + " rounds it still held texts equal that no letters explain");
            }
        }
        Map<Integer, String> table = new TreeMap<>();
        stands.keySet().forEach(c -> table.put(c, roots(Character.toString(c)))); // also a blank: it may stand within
        return new Letters(drawnFor, table);
    }

    private static int[] lengths(List<List<String>> sorted) {
        return sorted.stream()
                .flatMap(List::stream)
                .mapToInt(LetterDrawing::length)
                .filter(length -> length > 0)
                .distinct()
                .sorted()
                .toArray();
    }

    private List<List<String>> groups(List<String> texts) {
        return stores.stream()
                .flatMap(store -> store.heldEqualAmong(texts).stream())
                .map(places -> places.stream().map(texts::get).toList())
                .sorted(Comparator.comparingInt(LetterDrawing::shortest))
                .toList();
    }

    private static int shortest(List<String> texts) {
        return texts.stream().mapToInt(LetterDrawing::length).min().orElse(0);
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    // ---------------------------------------------------------------- what is asked

    /** All characters, but only two of each empty plane; the plain ones also in pairs. */
    private static Set<String> asked() {
        Set<String> texts = new LinkedHashSet<>(List.of(""));
        IntStream.rangeClosed(1, Character.MAX_CODE_POINT)
                .filter(c -> c > Character.MAX_VALUE || !Character.isSurrogate((char) c))
                .filter(c -> !Letters.isUnasked(c) || (c & 0xFFFF) == 0 || (c & 0xFFFF) == 0xFFFD)
                .forEach(c -> addFormsOf(c, texts));
        String letters = PLAIN + ".-_ ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        letters.chars()
                .forEach(first -> letters.chars()
                        .forEach(second -> texts.add(Character.toString(first) + Character.toString(second))));
        addBlanks(texts);
        addMarks(texts);
        return texts;
    }

    private static void addFormsOf(int c, Set<String> into) {
        String one = Character.toString(c);
        into.add(one);
        if (!Character.isDefined(c) || Character.isIdeographic(c) || Character.getType(c) == Character.PRIVATE_USE) {
            return;
        }
        if (!Character.UnicodeScript.of(c).equals(Character.UnicodeScript.HANGUL)) {
            into.add("x" + one); // some are ignored only after a letter, and small sigma differs at the end
            into.add("x" + one + "x");
        }
        into.add(Normalizer.normalize(one, Normalizer.Form.NFD));
        addMarked(one, into);
        String plain = Normalizer.normalize(one, Normalizer.Form.NFKD);
        for (String variant : List.of(
                plain, plain.toLowerCase(Locale.ROOT), one.toLowerCase(Locale.ROOT), one.toUpperCase(Locale.ROOT))) {
            into.add(variant);
            addInBothOrders(one, variant, into);
        }
    }

    /**
     * Where a mark shifts which cases are compared, a wide letter meets a blank of another form at the end. Longer texts
     * than those that show which letters are one, whose demands are met first.
     */
    private static void addBlanks(Set<String> into) {
        into.add("xxx\u0301\uff58");
        IntStream.rangeClosed(1, Character.MAX_VALUE)
                .filter(Character::isSpaceChar)
                .forEach(blank -> into.add("xxxx" + Character.toString(blank)));
    }

    /** If accents are ignored but case is not, a mark may shift which letters' cases are compared. */
    private static void addInBothOrders(String one, String variant, Set<String> into) {
        if (!variant.equals(one) && length(variant) == 1) {
            into.add("x\u0301" + one + variant);
            into.add("x" + variant + one);
        }
    }

    /** Marks next to others, in both orders, and doubled, also with a joiner that keeps their order. */
    private static void addMarks(Set<String> into) {
        IntStream.rangeClosed(1, Character.MAX_CODE_POINT)
                .filter(NormalForm::isMark)
                .mapToObj(Character::toString)
                .forEach(mark -> OTHER_MARKS.forEach(other -> {
                    String two = mark + other;
                    into.add(two);
                    into.add(other + mark);
                    into.add(two + two);
                    into.add(two + JOINER + two);
                }));
    }

    /**
     * A marked letter: with another mark added, and with that mark first; and after each plain letter, which may form
     * one with its base letter.
     */
    private static void addMarked(String marked, Set<String> into) {
        String parts = Normalizer.normalize(marked, Normalizer.Form.NFD);
        if (parts.equals(marked)) {
            return;
        }
        int letter = Character.charCount(parts.codePointAt(0));
        for (String mark : OTHER_MARKS) {
            into.add(marked + mark);
            into.add(parts.substring(0, letter) + mark + parts.substring(letter));
        }
        if (parts.charAt(0) < 0x80) {
            PLAIN.chars().forEach(first -> into.add(Character.toString(first) + marked));
        }
    }

    // ---------------------------------------------------------------- demands

    /** Makes the table as coarse as this set of equal texts demands; false if it already was. */
    private boolean meet(List<String> equal) {
        boolean news = false;
        while (true) {
            Set<String> folds = new LinkedHashSet<>();
            equal.forEach(text -> folds.add(fold(text)));
            if (folds.size() < 2) {
                return news;
            }
            news = true;
            String best = Collections.min(folds, Comparator.comparingInt(LetterDrawing::rank));
            folds.remove(best);
            // Here the empty fold is a blank, which folds drop at the end.
            boolean blank = best.isEmpty() && equal.contains(" ") && !equal.contains("");
            int before = stands.size();
            for (String other : folds) {
                unite(blank ? roots(" ") : fold(best), fold(other));
            }
            if (stands.size() == before) {
                throw new IllegalStateException("each demand makes the table coarser");
            }
        }
    }

    /** The fold that the others should become has the lowest rank: the plainest, and among plain ones the shortest. */
    private static int rank(String fold) {
        int[] characters = fold.codePoints().toArray();
        int rank = characters.length;
        for (int c : characters) {
            rank += isPlain(c) ? 0 : c < 0x80 ? 1 << 4 : c < 0x250 ? 1 << 8 : 1 << 12;
        }
        return rank;
    }

    /** Makes two folds one. Their common beginning and end can stay. */
    private void unite(String to, String from) {
        if (to.equals(from)) {
            return;
        }
        int[] a = to.codePoints().toArray();
        int[] b = from.codePoints().toArray();
        int shorter = Math.min(a.length, b.length);
        int begin = 0;
        while (begin < shorter && a[begin] == b[begin]) {
            begin++;
        }
        int end = 0;
        while (end < shorter - begin && a[a.length - 1 - end] == b[b.length - 1 - end]) {
            end++;
        }
        differ(Arrays.copyOfRange(a, begin, a.length - end), Arrays.copyOfRange(b, begin, b.length - end));
    }

    private void differ(int[] a, int[] b) {
        if (a.length == 0 || b.length == 0) {
            IntStream.concat(IntStream.of(a), IntStream.of(b)).forEach(c -> let(c, ""));
        } else if (a.length == b.length) {
            for (int i = 0; i < a.length; i++) {
                make(a[i], b[i]);
            }
        } else if (b.length == 1 && !contains(a, b[0])) {
            let(b[0], text(a));
        } else if (a.length == 1 && !contains(b, a[0])) {
            let(a[0], text(b));
        } else {
            oneTooMany(a, b);
        }
    }

    /** Makes two characters one, the plainer of them. */
    private void make(int one, int other) {
        int[] roots = roots(text(new int[] {one, other})).codePoints().toArray();
        if (roots.length == 2 && roots[0] != roots[1]) {
            if (singlesMet && isPlain(roots[0]) && isPlain(roots[1])) {
                throw new NotDrawn(
                        "in some texts it holds '" + (char) roots[0] + "' equal to '" + (char) roots[1] + "'");
            }
            boolean first = rank(Character.toString(roots[0])) <= rank(Character.toString(roots[1]));
            let(first ? roots[1] : roots[0], Character.toString(first ? roots[0] : roots[1]));
        }
    }

    /**
     * Drops the one character that stands in different places, such as a vowel written before its consonant; failing
     * that, all of them.
     */
    private void oneTooMany(int[] a, int[] b) {
        for (int c :
                IntStream.concat(IntStream.of(a), IntStream.of(b)).distinct().toArray()) {
            if (Arrays.equals(without(c, a), without(c, b))) {
                let(c, "");
                return;
            }
        }
        IntStream.concat(IntStream.of(a), IntStream.of(b)).forEach(c -> let(c, ""));
    }

    private void let(int root, String standFor) {
        if (standFor.isEmpty() && isPlain(root)) {
            throw new NotDrawn("in some texts it ignores '" + (char) root + "'");
        }
        if (!stands.containsKey(root)) {
            stands.put(root, standFor);
        }
    }

    private static boolean isPlain(int c) {
        return PLAIN.indexOf(c) >= 0;
    }

    private static int[] without(int c, int[] characters) {
        return Arrays.stream(characters).filter(each -> each != c).toArray();
    }

    private static boolean contains(int[] characters, int c) {
        return Arrays.stream(characters).anyMatch(each -> each == c);
    }

    private static String text(int[] characters) {
        return new String(characters, 0, characters.length);
    }

    /** By the table so far: the roots, without trailing blanks. */
    private String fold(String text) {
        return Fold.withoutBlanksAtTheEnd(roots(text));
    }

    private String roots(String text) {
        StringBuilder roots = new StringBuilder();
        text.codePoints().map(c -> Letters.isUnasked(c) ? Letters.UNASKED : c).forEach(c -> {
            String other = stands.get(c);
            if (other != null) {
                String rooted = roots(other);
                if (!rooted.equals(other)) {
                    stands.put(c, rooted); // otherwise there would be chains of a thousand
                }
                roots.append(rooted);
            } else if (c != 0) {
                roots.appendCodePoint(c);
            }
        });
        return roots.toString();
    }
}
