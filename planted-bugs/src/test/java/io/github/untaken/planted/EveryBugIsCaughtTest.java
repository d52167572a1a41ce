package io.github.untaken.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.planted.PlantedBug.Outcome;
import io.github.untaken.planted.PlantedBug.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each planted bug is compiled and its test run; {@code -Dplanted=} and names with commas between them runs only those. With {@code
 * -Dplanted.changed=}, a file that lists the files of a change, those run that the change touches, and of the others a sixteenth,
 * which {@code -Dplanted.turn=} picks. The table is printed and kept in target/planted-bugs.txt.
 */
@Tag("ci")
class EveryBugIsCaughtTest {
    private static final int AT_A_TIME = Integer.getInteger("planted.atATime", 2);

    @Test
    void byTheTestThatNamesItsRule() throws InterruptedException, ExecutionException, IOException {
        Checkout checkout = Checkout.here();
        List<PlantedEdit> all = PlantedEdit.all(checkout.root().resolve(Path.of("planted-bugs", "planted")));
        List<PlantedEdit> edits = wanted(all);

        List<Result> results = runAll(checkout, edits);

        String table = table(results);
        System.out.println(table);
        Files.writeString(checkout.root().resolve(Path.of("planted-bugs", "target", "planted-bugs.txt")), table);
        assertThat(results.stream()
                        .filter(result -> result.outcome() != Outcome.CAUGHT)
                        .map(result -> result.edit().name() + " ("
                                + result.edit().why() + ") " + result.outcome() + ": " + result.detail()))
                .as("planted bugs that nobody noticed")
                .isEmpty();
    }

    private static List<PlantedEdit> wanted(List<PlantedEdit> all) throws IOException {
        String changed = System.getProperty("planted.changed");
        if (changed != null) {
            Set<Path> files =
                    Files.readAllLines(Path.of(changed)).stream().map(Path::of).collect(Collectors.toSet());
            return PlantedEdit.chosen(all, files, Integer.getInteger("planted.turn", 0));
        }
        String wanted = System.getProperty("planted", "all");
        List<PlantedEdit> named = all.stream()
                .filter(edit ->
                        wanted.equals("all") || Set.of(wanted.split(",")).contains(edit.name()))
                .toList();
        assertThat(named).as("planted bugs called " + wanted).isNotEmpty();
        return named;
    }

    private static List<Result> runAll(Checkout checkout, List<PlantedEdit> edits)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<Result>> running = new ArrayList<>();
            for (PlantedEdit edit : edits) {
                running.add(threads.submit(() -> new PlantedBug(checkout, edit).run()));
            }
            List<Result> results = new ArrayList<>();
            for (Future<Result> each : running) {
                results.add(each.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    private static String table(List<Result> results) {
        StringBuilder table = new StringBuilder(
                String.format("%-44s %-5s %7s  %-12s %s%n", "planted bug", "rule", "seconds", "outcome", "test"));
        double seconds = 0;
        int caught = 0;
        for (Result result : results) {
            seconds += result.seconds();
            caught += result.outcome() == Outcome.CAUGHT ? 1 : 0;
            table.append(String.format(
                    "%-44s %-5s %7.1f  %-12s %s%n",
                    result.edit().name(),
                    result.edit().rule(),
                    result.seconds(),
                    result.outcome(),
                    result.edit().test()));
        }
        return table.append(String.format(
                        "%d of %d caught, %.0f s of work, %d at a time%n", caught, results.size(), seconds, AT_A_TIME))
                .toString();
    }
}
