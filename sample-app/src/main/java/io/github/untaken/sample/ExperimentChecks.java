package io.github.untaken.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The list of checks an experiment replays: what people type into a sign-up form, made from a seed. Seven in ten are free
 * names, one and a half in ten taken ones, and as many are the beginnings of a name on its way to being typed.
 */
final class ExperimentChecks {
    private static final int FREE_PERCENT = 70;
    private static final int TAKEN_PERCENT = 15;
    private static final int SHORTEST_PREFIX = 3;

    private ExperimentChecks() {}

    /**
     * The same texts for the same arguments, at every start.
     *
     * @param users accounts the database was seeded with
     */
    static List<String> texts(long seed, int checks, int users) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> texts = new ArrayList<>(checks);
        while (texts.size() < checks) {
            int percent = random.nextInt(100);
            if (percent < FREE_PERCENT) {
                texts.add(free(random, users));
            } else if (percent < FREE_PERCENT + TAKEN_PERCENT && users > 0) {
                texts.add(MadeUpAccounts.username(random.nextInt(users)));
            } else {
                String name = free(random, users);
                texts.add(name.substring(0, random.nextInt(SHORTEST_PREFIX, name.length())));
            }
        }
        return texts;
    }

    private static String free(SplittableRandom random, int users) {
        return MadeUpAccounts.username(random.nextInt(users, MadeUpAccounts.NAMES));
    }
}
