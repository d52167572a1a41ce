package io.github.untaken.kind;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.untaken.fault.FaultLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Plays the schedules of a race on a model, and fails with the first in which something was thrown. A model is a public class
 * with public methods: those that a race names, and {@code check}, called at the end.
 *
 * <p>Lincheck goes through the schedules of a race in the order of their changes of threads, never plays one twice, and stops
 * after a number of them: {@code -Dmodel.schedules} for more. Whether the number is large enough is not said by it, but by the
 * planted bugs that each race has to notice.
 */
public final class ModelChecker {
    private static final Logger QUIET = Logger.getLogger("io.github.untaken");

    static {
        QUIET.setLevel(Level.OFF); // or it would tell of each rebuild in each schedule
        System.setProperty("lincheck.logLevel", "ERROR"); // it warns of each field of a record, which cannot change
    }

    /**
     * Threads that run at once.
     *
     * @param before what is called before they start
     * @param threads the methods that each of them calls, separated by spaces
     */
    public record Race(String before, List<String> threads) {
        public static Race of(String before, String... threads) {
            return new Race(before, List.of(threads));
        }

        private ExecutionScenario scenario(Class<?> model) {
            return new ExecutionScenario(
                    actors(model, before),
                    threads.stream().map(methods -> actors(model, methods)).toList(),
                    actors(model, "check"),
                    null);
        }

        private static List<Actor> actors(Class<?> model, String methods) {
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

        @Override
        public String toString() {
            return "after " + before + ": " + String.join(" | ", threads);
        }
    }

    private ModelChecker() {}

    static void play(Race race) {
        play(RegistryModel.class, options(), 15, race);
    }

    /**
     * @param options what is one step of this model, and what is not watched
     * @param most how many schedules are played unless {@code model.schedules} says otherwise
     */
    public static void play(Class<?> model, ModelCheckingOptions options, int most, Race race) {
        int schedules = Integer.getInteger("model.schedules", most);
        Judge.judged.set(0);
        long began = System.nanoTime();
        try {
            options.iterations(0)
                    .invocationsPerIteration(schedules)
                    .verifier(Judge.class)
                    .addCustomScenario(race.scenario(model))
                    .check(model);
        } finally {
            int played = Judge.judged.get();
            System.out.printf(
                    "Race       %-86s %6d schedules%s, %.1f s%n",
                    race, played, played < schedules ? ", which are all" : "", (System.nanoTime() - began) / 1e9);
        }
    }

    /*
     * Threads change between steps. One step is what the stand-ins do, and what is proved elsewhere: an operation of a
     * concurrent map, of Caffeine's cache, of the filter. Not watched at all is what a watched monitor guards, what one
     * thread has for itself, and what is only counted. Methods that call back are left out of both.
     */
    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                // Enough for a walk through the table of a map; who goes round more often waits for another thread.
                .loopIterationsBeforeThreadSwitch(40)
                .loopBound(1_000)
                .addGuarantee(forClasses(ModelRows.class.getName())
                        .methods("commit", "delete", "committedAt", "snapshot")
                        .treatAsAtomic())
                .addGuarantee(forClasses(
                                "io.github.untaken.memory.Whitelist",
                                "io.github.untaken.memory.ToldHashes",
                                "io.github.untaken.filter.CuckooFilter")
                        .allMethods()
                        .treatAsAtomic())
                .addGuarantee(forClasses("java.util.concurrent.ConcurrentHashMap")
                        .methods("get", "put", "remove", "containsKey", "isEmpty", "size")
                        .treatAsAtomic())
                .addGuarantee(forClasses("java.util.concurrent.ConcurrentHashMap$KeySetView")
                        .methods("add", "remove", "contains")
                        .treatAsAtomic())
                // The copying of a map too: an object without a hash of its own has another one in what is watched.
                .addGuarantee(forClasses("java.util.HashMap", "java.util.HashSet", "java.util.ArrayDeque")
                        .methods(
                                "putMapEntries",
                                "get",
                                "put",
                                "remove",
                                "containsKey",
                                "add",
                                "contains",
                                "poll",
                                "isEmpty",
                                "size")
                        .ignore())
                .addGuarantee(forClasses(RebuildSchedule.class.getName())
                        .methods("request")
                        .ignore())
                .addGuarantee(forClasses(ModelChecker::isUnwatched).allMethods().ignore());
    }

    private static boolean isUnwatched(String className) {
        return className.equals("java.util.concurrent.atomic.LongAdder")
                || className.equals(FalseAlarms.class.getName())
                || className.equals(FaultLog.class.getName())
                || className.equals(KindCounters.class.getName())
                || className.equals("io.github.untaken.filter.PackedWordHasher")
                || className.startsWith("java.util.ImmutableCollections")
                || className.startsWith("java.util.logging.")
                || className.startsWith("sun.util.logging.")
                || className.startsWith("java.time.");
    }

    /** Judges each schedule. Public, with this constructor, because Lincheck makes it. */
    public static final class Judge implements Verifier {
        private static final AtomicInteger judged = new AtomicInteger();

        public Judge(Class<?> ignored) {}

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            judged.incrementAndGet();
            return results.getThreadsResultsWithClock().stream()
                    .flatMap(List::stream)
                    .noneMatch(result -> result.getResult() instanceof ExceptionResult);
        }
    }
}
