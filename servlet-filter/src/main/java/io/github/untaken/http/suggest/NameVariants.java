package io.github.untaken.http.suggest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * Names that resemble a given one, in families: its parts joined differently, swapped or shortened; with a word after it; with a short
 * number; with a word before it; with an initial; with the year. Words and initials are in the script of the name. At least {@link #FEWEST}
 * in all for any name that is not empty. Equal names have equal variants within one year, so asking again shows nothing new.
 */
public final class NameVariants {
    /** How many there are at least. */
    public static final int FEWEST = 50;

    private static final Pattern SEPARATORS = Pattern.compile("[._\\- ]+");
    /** The end of a name that was taken once before: its number. */
    private static final Pattern ENDING = Pattern.compile("[._\\- \\p{Nd}]+$");

    private static final List<String> JOINTS = List.of("_", "", ".", "-");
    private static final int NUMBERS = 48;

    /** Short enough for a rule of 32 characters to accept something even for a name that has all of them. */
    private static final int SHORTENED = 24;

    private NameVariants() {}

    /**
     * The variants, without the name itself.
     *
     * @param name a key, of any script
     * @param year the current one
     */
    public static Iterable<String> of(String name, int year) {
        String stem = stem(name);
        NameWords words = NameWords.of(stem);
        // A choice of the name's own: if all names had the same words and numbers, each would soon be taken.
        SplittableRandom own = new SplittableRandom(name.hashCode());
        List<List<String>> families = new ArrayList<>(rearranged(stem));
        String joint = families.isEmpty() ? words.joint() : jointOf(stem);
        Set<String> after = new LinkedHashSet<>();
        for (String word : from(own, words.after())) {
            after.add(stem + joint + word);
        }
        Set<String> before = new LinkedHashSet<>();
        for (String word : from(own, words.before())) {
            before.add(word + joint + stem);
        }
        for (String word : words.after()) {
            after.add(stem + "_" + word);
        }
        for (String word : words.before()) {
            before.add(word + "_" + stem);
        }
        families.add(new ArrayList<>(after));
        families.add(numbered(stem, own));
        families.add(new ArrayList<>(before));
        families.add(withInitial(stem, from(own, words.initials())));
        families.add(dated(stem, year));
        families.forEach(family -> family.removeIf(name::equals));
        return new NameFamilies(families);
    }

    private static String stem(String name) {
        String stem = ENDING.matcher(name).replaceFirst("");
        stem = stem.isEmpty() ? name : stem;
        return stem.codePointCount(0, stem.length()) <= SHORTENED
                ? stem
                : stem.substring(0, stem.offsetByCodePoints(0, SHORTENED));
    }

    /** Three families for a name that has parts, else none. */
    private static List<List<String>> rearranged(String name) {
        List<String> parts = new ArrayList<>();
        for (String part : SEPARATORS.split(name, -1)) {
            if (!part.isEmpty()) {
                parts.add(part);
            }
        }
        if (parts.size() < 2) {
            return List.of();
        }
        String own = jointOf(name);
        List<String> turned = new ArrayList<>(parts);
        Collections.rotate(turned, -1);
        List<String> joined = new ArrayList<>();
        List<String> swapped = new ArrayList<>(List.of(String.join(own, turned)));
        for (String joint : JOINTS) {
            joined.add(String.join(joint, parts));
            swapped.add(String.join(joint, turned));
        }
        String first = parts.get(0);
        String last = parts.get(parts.size() - 1);
        List<String> shortened = new ArrayList<>();
        for (String joint : List.of("", own)) {
            shortened.add(initial(first) + joint + last);
            shortened.add(first + joint + initial(last));
        }
        return List.of(joined, swapped, shortened);
    }

    private static List<String> numbered(String stem, SplittableRandom own) {
        List<String> numbered = new ArrayList<>();
        int bound = 100;
        for (int i = 0; i < NUMBERS; i++) {
            numbered.add(stem + (i % 4 == 3 ? "_" : "") + own.nextInt(bound / 10, bound));
            bound = i % 16 == 15 ? bound * 10 : bound;
        }
        return numbered;
    }

    private static List<String> withInitial(String stem, List<String> initials) {
        List<String> with = new ArrayList<>();
        for (String initial : initials) {
            with.add(stem + "." + initial);
            with.add(stem + "_" + initial);
        }
        return with;
    }

    private static List<String> dated(String stem, int year) {
        String two = Integer.toString(100 + Math.floorMod(year, 100)).substring(1);
        return new ArrayList<>(
                List.of(stem + two, stem + year, stem + "_" + two, stem + "." + year, stem + "_" + year));
    }

    /** The words in order, starting at one of the name's own. */
    private static List<String> from(SplittableRandom own, List<String> words) {
        List<String> turned = new ArrayList<>(words);
        Collections.rotate(turned, words.isEmpty() ? 0 : own.nextInt(words.size()));
        return turned;
    }

    /** The first separator of a name that has one between its parts. */
    private static String jointOf(String name) {
        var separators = SEPARATORS.matcher(name);
        return separators.find(1) ? separators.group().substring(0, 1) : "";
    }

    private static String initial(String part) {
        return part.substring(0, part.offsetByCodePoints(0, 1));
    }
}
