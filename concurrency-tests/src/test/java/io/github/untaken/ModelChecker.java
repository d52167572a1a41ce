package io.github.untaken;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Plays every schedule of a {@link RegistryModel} that changes threads no more often than the bound, or fails with the
 * first schedule in which something was thrown. The start and the end of a thread count as changes too.
 *
 * <p>Lincheck goes through the schedules in the order of their changes and never plays one twice; it would stop after a
 * number of them, which says little. So this watches the number of changes it has come to, and stops there.
 */
final class ModelChecker {
    /** Added to every bound: each more change takes about ten times as long. */
    private static final int DEEPER = Integer.getInteger("model.deeper", 0);
    /** The most schedules of one model: beyond it the rest of the last round is left out, and that is said. */
    private static final int MOST = Integer.getInteger("model.schedules", 300);

    private static final Logger QUIET = Logger.getLogger("io.github.untaken");

    static {
        QUIET.setLevel(Level.OFF); // or it would tell of each rebuild in each schedule
        System.setProperty("lincheck.logLevel", "ERROR"); // it warns of each field of a record, which cannot change
    }

    private ModelChecker() {}

    /** @param threads the methods each thread calls, separated by spaces */
    static void playAll(Class<? extends RegistryModel> model, int changes, String... threads) {
        List<List<Actor>> parallel = new ArrayList<>();
        for (String thread : threads) {
            parallel.add(actors(model, thread));
        }
        Schedules.bound = changes + DEEPER;
        Schedules.played = 0;
        long began = System.nanoTime();
        String extent;
        try {
            options()
                    .addCustomScenario(
                            new ExecutionScenario(actors(model, "begin"), parallel, actors(model, "check"), null))
                    .check(model);
            extent = Schedules.played < MOST
                    ? "all there are"
                    : "all with up to " + (Schedules.changes() - 1) + " changes of threads, and some with one more";
        } catch (BoundReached e) {
            extent = "all with up to " + Schedules.bound + " changes of threads";
        } finally {
            Progress.strategy = null;
        }
        System.out.printf(
                "%-10s %-46s %6d schedules (%s) in %.1f s%n",
                model.getSimpleName(),
                String.join(" | ", threads),
                Schedules.played,
                extent,
                (System.nanoTime() - began) / 1e9);
    }

    /*
     * Threads change between steps. One step is what the stand-ins do, and what is proved elsewhere: an operation of a
     * concurrent map, of Caffeine's cache, of the filter. Not watched at all is what a watched monitor guards, what one
     * thread has for itself, and what is only counted. Methods that call back are left out of both.
     */
    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(MOST)
                .verifier(Schedules.class)
                // Enough for a walk through the table of a map; who goes round more often waits for another thread.
                .loopIterationsBeforeThreadSwitch(40)
                .loopBound(1_000)
                .addGuarantee(forClasses(ModelRows.class.getName())
                        .methods("commit", "delete", "committedAt", "snapshot")
                        .treatAsAtomic())
                .addGuarantee(forClasses(Whitelist.class.getName(), "io.github.untaken.filter.CuckooFilter")
                        .allMethods()
                        .treatAsAtomic())
                .addGuarantee(forClasses("java.util.concurrent.ConcurrentHashMap")
                        .methods("get", "put", "remove", "containsKey", "isEmpty", "size")
                        .treatAsAtomic())
                .addGuarantee(forClasses("java.util.HashMap", "java.util.HashSet", "java.util.ArrayDeque")
                        .methods("get", "put", "remove", "containsKey", "add", "contains", "poll", "isEmpty", "size")
                        .ignore())
                .addGuarantee(
                        forClasses(Rebuild.class.getName()).methods("request").ignore())
                .addGuarantee(forClasses(ModelChecker::isUnwatched).allMethods().ignore());
    }

    private static boolean isUnwatched(String className) {
        return className.equals(Progress.class.getName())
                || className.equals(NonCanonicalKeys.class.getName())
                || className.equals("java.util.concurrent.atomic.LongAdder")
                || className.equals(RegistryCounters.class.getName())
                || className.equals("io.github.untaken.filter.KeyHasher")
                || className.startsWith("java.util.ImmutableCollections")
                || className.startsWith("java.util.logging.")
                || className.startsWith("sun.util.logging.")
                || className.startsWith("java.time.");
    }

    private static List<Actor> actors(Class<? extends RegistryModel> model, String methods) {
        List<Actor> actors = new ArrayList<>();
        for (String name : methods.split(" ")) {
            try {
                actors.add(new Actor(model.getMethod(name), List.of()));
            } catch (NoSuchMethodException e) {
                throw new IllegalArgumentException(e);
            }
        }
        return actors;
    }

    /** Finds out how far Lincheck has come, which it keeps to itself. */
    static final class Progress {
        private static volatile Object strategy;

        private Progress() {}

        /** Called by a thread of the model; only those know who plays them. */
        static void find() {
            if (strategy == null) {
                try {
                    Class<?> threads = Class.forName("sun.nio.ch.lincheck.ThreadDescriptor", true, null);
                    Object current =
                            threads.getMethod("getCurrentThreadDescriptor").invoke(null);
                    strategy = threads.getMethod("getEventTracker").invoke(current);
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError("another version of Lincheck keeps its strategy elsewhere", e);
                }
            }
        }

        static int changes() {
            try {
                var field = strategy.getClass().getDeclaredField("maxNumberOfSwitches");
                field.setAccessible(true);
                return field.getInt(strategy);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError("another version of Lincheck counts in another field", e);
            }
        }
    }

    /** Ends a search in which nothing was found. */
    private static final class BoundReached extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Judges each schedule. Public, with this constructor, because Lincheck makes it. */
    public static final class Schedules implements Verifier {
        private static int bound;
        private static int played;

        public Schedules(Class<?> ignored) {}

        private static int changes() {
            return Progress.changes();
        }

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            if (changes() > bound) {
                throw new BoundReached();
            }
            played++;
            return results.getThreadsResultsWithClock().stream()
                    .flatMap(List::stream)
                    .noneMatch(result -> result.getResult() instanceof ExceptionResult);
        }
    }
}
