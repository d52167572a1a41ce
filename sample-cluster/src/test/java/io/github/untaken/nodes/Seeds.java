package io.github.untaken.nodes;

import java.util.Random;

/** The seed of a test: the same each time, unless {@code -Dtest.seed=random} or a number is given. */
final class Seeds {
    private Seeds() {}

    static long next(Class<?> test) {
        String given = System.getProperty("test.seed", "1");
        long seed = given.equals("random") ? new Random().nextInt() : Long.parseLong(given);
        System.out.println(test.getSimpleName() + ": -Dtest.seed=" + seed);
        return seed;
    }
}
