package io.github.untaken.testkit;

import java.util.random.RandomGenerator;

/**
 * The seed of a random test: the same in each run, unless {@code -Dtest.seed} gives another, a number or
 * {@code random}. It is printed, so that a failure in a varied run can be repeated.
 */
public final class Seed {
    private Seed() {}

    /**
     * The seed of this run, which it prints to standard output.
     *
     * @param usual the test's seed in each run, unless another is given
     * @throws NumberFormatException if {@code -Dtest.seed} is neither a whole number nor {@code random}
     */
    public static long of(Class<?> test, long usual) {
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
