package io.github.untaken.jpa;

import java.util.random.RandomGenerator;

/**
 * The seed of a random test: the same in each run, unless {@code -Dtest.seed} says another, a number or {@code random}. It is
 * printed, so that what a varied run finds can be played again.
 */
public final class Seed {
    private static final long USUAL = 20261122;

    private Seed() {}

    public static long of(String test) {
        String asked = System.getProperty("test.seed", String.valueOf(USUAL));
        long seed = asked.equals("random") ? RandomGenerator.getDefault().nextLong() : Long.parseLong(asked);
        System.out.println("seed " + seed + " of " + test);
        return seed;
    }
}
