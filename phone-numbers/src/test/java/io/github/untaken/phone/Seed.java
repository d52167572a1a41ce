package io.github.untaken.phone;

import java.util.random.RandomGenerator;

/**
 * The seed of a random test: the same in each run, unless {@code -Dtest.seed} says another, a number or {@code random}. It is
 * printed, so that what a varied run finds can be played again.
 */
final class Seed {
    private Seed() {}

    /** @param usual the one that the test has in each run */
    static long of(Class<?> test, long usual) {
        String asked = System.getProperty("test.seed", "");
        long seed = switch (asked) {
            case "" -> usual;
            case "random" -> RandomGenerator.getDefault().nextLong();
            default -> Long.parseLong(asked);
        };
        System.out.println(test.getSimpleName() + ": -Dtest.seed=" + seed);
        return seed;
    }
}
