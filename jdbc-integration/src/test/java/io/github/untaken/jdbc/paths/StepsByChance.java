package io.github.untaken.jdbc.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.KindState;
import io.github.untaken.Verdict.Status;
import io.github.untaken.testkit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Steps by chance, by all writers in turn, with a pool on either side of the watch; after each, the database is the oracle. */
public final class StepsByChance {
    private static final int STEPS = 25;

    private StepsByChance() {}

    private static final class GivenUp extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    public static void play(PathTable table, Pooling pooling) {
        Random random = new Random(Seed.of(StepsByChance.class, 20261122));
        List<String> given = new ArrayList<>();
        try (PathDatabase database = new PathDatabase(table, pooling)) {
            List<Way.Writer> writers =
                    Arrays.stream(Way.values()).map(database::writer).toList();
            for (int i = 0; i < STEPS; i++) {
                Way.Writer writer = writers.get(random.nextInt(writers.size()));
                boolean commits = random.nextInt(3) > 0;
                try {
                    writer.inTransaction(names -> {
                        int steps = 1 + random.nextInt(4);
                        for (int step = 0; step < steps; step++) {
                            step(names, database, given, random);
                        }
                        if (!commits) {
                            throw new GivenUp();
                        }
                    });
                } catch (RuntimeException e) {
                    // given up, or refused by the database
                }
                database.assertNothingCommittedIsAvailable();
            }
            List<String> committed = database.committed();
            assertThat(committed).hasSizeGreaterThan(STEPS / 3);
            given.removeAll(committed);
            given.forEach(name -> assertThat(database.status(name)).isEqualTo(Status.AVAILABLE));
            assertThat(database.state()).as("nothing was unseen").isEqualTo(KindState.READY);
            assertThatThrownBy(() -> writers.get(0).insertAlone(committed.get(0)))
                    .isInstanceOf(RuntimeException.class);
        }
    }

    private static void step(Names names, PathDatabase database, List<String> given, Random random) {
        List<String> committed = database.committed();
        String name = database.freshName();
        given.add(name);
        String known = committed.isEmpty() ? name : committed.get(random.nextInt(committed.size()));
        switch (random.nextInt(7)) {
            case 0, 1 -> names.insert(name);
            case 2 -> names.insertAll(List.of(name, name + "b"));
            case 3 ->
                names.nested(nested -> {
                    nested.insert(name);
                    nested.insert(known);
                });
            case 4 -> names.apart(apart -> apart.insert(name));
            case 5 -> names.insert(known); // refused
            default -> {
                if (!known.equals(name) && random.nextInt(3) == 0) {
                    names.rename(known, name);
                }
            }
        }
    }
}
