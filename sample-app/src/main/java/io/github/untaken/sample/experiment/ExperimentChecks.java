package io.github.untaken.sample.experiment;

import io.github.untaken.IdentifierKind;
import io.github.untaken.sample.database.MadeUpAccounts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * The list of checks an experiment replays, made from a seed: the same for the same arguments, at every start. Each check
 * is drawn from five sorts by their weights.
 */
public final class ExperimentChecks {
    private static final int HOT_NAMES = 16;
    private static final int SHORTEST_PREFIX = 3;

    /** One question. */
    public record Check(IdentifierKind kind, String text) {}

    private final SplittableRandom random;
    private final int users;
    private String typing = "";
    private int typed;

    private ExperimentChecks(long seed, int users) {
        this.random = new SplittableRandom(seed);
        this.users = users;
    }

    /**
     * So many checks.
     *
     * @param users accounts the database was seeded with; with none, every name and number is free
     * @throws IllegalArgumentException if all weights are 0
     */
    public static List<Check> list(long seed, int count, int users, Mix mix) {
        ExperimentChecks source = new ExperimentChecks(seed, users);
        List<Check> checks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            checks.add(source.next(mix));
        }
        return checks;
    }

    /** The same checks, one after the other and without an end. */
    public static Supplier<Check> endless(long seed, int users, Mix mix) {
        ExperimentChecks source = new ExperimentChecks(seed, users);
        return () -> source.next(mix);
    }

    private Check next(Mix mix) {
        int drawn = random.nextInt(mix.sum());
        if ((drawn -= mix.free()) < 0) {
            return name(free());
        }
        if ((drawn -= mix.taken()) < 0) {
            return name(taken());
        }
        if ((drawn -= mix.typed()) < 0) {
            return name(keystroke());
        }
        if (drawn - mix.hot() < 0) {
            return name(users == 0 ? free() : random.nextInt(Math.min(HOT_NAMES, users)));
        }
        int index = random.nextBoolean() ? taken() : free();
        // Only even ones have a phone.
        return new Check(IdentifierKind.PHONE, MadeUpAccounts.phone(index < users ? index / 2 * 2 : index));
    }

    private String keystroke() {
        if (typed >= typing.length()) {
            typing = MadeUpAccounts.username(random.nextBoolean() ? taken() : free());
            typed = SHORTEST_PREFIX - 1;
        }
        typed++;
        return typing.substring(0, typed);
    }

    private static Check name(int index) {
        return name(MadeUpAccounts.username(index));
    }

    private static Check name(String text) {
        return new Check(IdentifierKind.USERNAME, text);
    }

    private int taken() {
        return users == 0 ? free() : random.nextInt(users);
    }

    private int free() {
        return random.nextInt(users, MadeUpAccounts.NAMES);
    }
}
