package io.github.untaken.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/**
 * Realistic keys from a seed. One instance never returns the same key twice, and two instances with the same seed
 * return the same keys in the same order, so "added" and "never added" keys are simply two calls.
 *
 * <p>Not thread-safe.
 */
public final class SeededKeys {
    private static final long SUFFIXES = 78_364_164_096L; // 36 to the 7th
    private static final long NUMBERS = 10_000_000_000L;
    private static final String[] COUNTRIES = {"+1", "+7", "+33", "+44", "+49", "+81", "+86", "+91", "+353", "+971"};

    private final long seed;
    private final SplittableRandom random;
    private long next;

    private SeededKeys(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    public static SeededKeys of(long seed) {
        return new SeededKeys(seed);
    }

    /** For a failing test to print. */
    public long seed() {
        return seed;
    }

    /**
     * User names that are their own normal form: 8 to 20 lower-case letters and digits.
     *
     * @param count 0 or more
     */
    public List<String> usernames(int count) {
        return some(count, SUFFIXES, number -> {
            StringBuilder name = new StringBuilder(20);
            int letters = random.nextInt(1, 14);
            for (int i = 0; i < letters; i++) {
                name.append((char) ('a' + random.nextInt(26)));
            }
            String suffix = Long.toString(number, 36);
            return name.append("0".repeat(7 - suffix.length())).append(suffix).toString();
        });
    }

    /**
     * Telephone numbers in E.164 form: 12 to 14 characters with the plus sign. Most belong to no one.
     *
     * @param count 0 or more
     */
    public List<String> phones(int count) {
        return some(count, NUMBERS, number -> {
            String digits = Long.toString(number);
            return COUNTRIES[random.nextInt(COUNTRIES.length)] + "0".repeat(10 - digits.length()) + digits;
        });
    }

    /** Distinct numbers in no visible order: a step coprime to the range visits all of it before repeating. */
    private List<String> some(int count, long range, LongFunction<String> key) {
        List<String> keys = new ArrayList<>(count);
        long start = Math.floorMod(seed * 0x9e37_79b9L, range);
        for (int i = 0; i < count; i++) {
            keys.add(key.apply(Math.floorMod(start + next * 60_013_357L, range)));
            next++;
        }
        return keys;
    }
}
