package io.github.untaken.servlet.suggest;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * Names that resemble a given one: its parts joined otherwise, swapped or shortened; with the year; with a word; with a
 * number. At least {@link #FEWEST} for any name that is not empty, the ones people would choose first. Equal names have equal
 * variants in any one year, so that asking again shows nothing new.
 */
public final class NameVariants {
    /** How many there are at least. */
    public static final int FEWEST = 50;

    private static final Pattern SEPARATORS = Pattern.compile("[._\\- ]+");
    private static final List<String> JOINTS = List.of("", "_", ".", "-");
    private static final List<String> ENDINGS =
            List.of("hq", "go", "online", "here", "life", "world", "now", "pro", "x");
    private static final List<String> BEGINNINGS = List.of("the", "hey", "its", "real", "mr", "i_am_");
    private static final int NUMBERS = 24;

    /** Long enough for a rule of 32 characters to accept something even of a name that has all of them. */
    private static final int SHORTENED = 24;

    private NameVariants() {}

    /**
     * The variants, without the name itself.
     *
     * @param name a key, of any script
     * @param year the current one
     */
    public static Set<String> of(String name, int year) {
        Set<String> variants = new LinkedHashSet<>();
        List<String> parts = new ArrayList<>();
        for (String part : SEPARATORS.split(name, -1)) {
            if (!part.isEmpty()) {
                parts.add(part);
            }
        }
        if (parts.size() > 1) {
            rearranged(parts, variants);
        }
        String stem = shortened(name);
        for (String joint : JOINTS) {
            variants.add(stem + joint + year);
            variants.add(stem + joint + twoDigits(year));
        }
        for (String ending : ENDINGS) {
            variants.add(stem + ending);
            variants.add(stem + "_" + ending);
        }
        BEGINNINGS.forEach(beginning -> variants.add(beginning + stem));
        // Numbers of the name's own: were they the same for all names, each would soon be taken.
        SplittableRandom numbers = new SplittableRandom(name.hashCode());
        int bound = 100;
        for (int i = 0; i < NUMBERS; i++) {
            variants.add(stem + JOINTS.get(i % 3 == 0 ? 1 : 0) + numbers.nextInt(bound / 10, bound));
            bound = i % 8 == 7 ? bound * 10 : bound;
        }
        for (int number = 2; variants.size() <= FEWEST; number++) {
            variants.add(stem + number);
        }
        variants.remove(name);
        return variants;
    }

    private static void rearranged(List<String> parts, Set<String> variants) {
        List<String> swapped = new ArrayList<>(parts);
        swapped.add(swapped.remove(0));
        for (String joint : JOINTS) {
            variants.add(String.join(joint, parts));
            variants.add(String.join(joint, swapped));
        }
        String first = parts.get(0);
        String last = parts.get(parts.size() - 1);
        variants.add(initial(first) + last);
        variants.add(first + initial(last));
        variants.add(initial(first) + "." + last);
        variants.add(first + "." + initial(last));
    }

    private static String initial(String part) {
        return part.substring(0, part.offsetByCodePoints(0, 1));
    }

    private static String shortened(String name) {
        return name.codePointCount(0, name.length()) <= SHORTENED
                ? name
                : name.substring(0, name.offsetByCodePoints(0, SHORTENED));
    }

    private static String twoDigits(int year) {
        int two = Math.floorMod(year, 100);
        return (two < 10 ? "0" : "") + two;
    }
}
