package io.github.untaken;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/**
 * Plays the schedules of races on a model, and fails with the first in which something was thrown. A model is a public class
 * with public methods: {@code begin}, which calls {@link #watch}, those that a race names, and {@code check}, called at the end.
 *
 * <p>Lincheck goes through the schedules of a race in the order of their changes of threads and never plays one twice, but
 * stops after a number of them, which says little. So this watches how many changes it has come to, and prints up to which
 * number all were played. The start of the first thread and the end of each but the last count as changes too.
 */
public final class ModelChecker {
    /** The most schedules of one race. */
    private static final int MOST = Integer.getInteger("model.schedules", 50);

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
                    actors(model, "begin " + before),
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

    static void play(List<Race> races) {
        play(RegistryModel.class, options(), races);
    }

    /** @param options what is one step of this model, and what is not watched */
    public static void play(Class<?> model, ModelCheckingOptions options, List<Race> races) {
        options.iterations(0).invocationsPerIteration(MOST).verifier(Judge.class);
        Map<ExecutionScenario, Played> played = new LinkedHashMap<>();
        for (Race race : races) {
            ExecutionScenario scenario = race.scenario(model);
            played.put(scenario, new Played(race));
            options.addCustomScenario(scenario);
        }
        Judge.played = played;
        long began = System.nanoTime();
        try {
            options.check(model);
        } finally {
            played.values().forEach(System.out::println);
            System.out.printf("%d races in %.1f s%n", races.size(), (System.nanoTime() - began) / 1e9);
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
                || className.equals(ModelChecker.class.getName())
                || className.equals(NonCanonicalKeys.class.getName())
                || className.equals("java.util.concurrent.atomic.LongAdder")
                || className.equals(RegistryCounters.class.getName())
                || className.equals("io.github.untaken.filter.PackedWordHasher")
                || className.startsWith("java.util.ImmutableCollections")
                || className.startsWith("java.util.logging.")
                || className.startsWith("sun.util.logging.")
                || className.startsWith("java.time.");
    }

    /** Called by a thread of the model before anything else. */
    public static void watch() {
        Progress.find();
    }

    /** Finds out how far Lincheck has come, which it keeps to itself. */
    static final class Progress {
        private static volatile Object strategy;

        private Progress() {}

        /** Called by a thread of the model; only those know who plays them. */
        static void find() {
            try {
                Class<?> threads = Class.forName("sun.nio.ch.lincheck.ThreadDescriptor", true, null);
                Object current = threads.getMethod("getCurrentThreadDescriptor").invoke(null);
                strategy = threads.getMethod("getEventTracker").invoke(current);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError("another version of Lincheck keeps its strategy elsewhere", e);
            }
        }

        private static int changes() {
            try {
                Field field = strategy.getClass().getDeclaredField("maxNumberOfSwitches");
                field.setAccessible(true);
                return field.getInt(strategy);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError("another version of Lincheck counts in another field", e);
            }
        }
    }

    /** How much of a race was played. */
    private static final class Played {
        private final Race race;
        private int schedules;
        private int changes;

        Played(Race race) {
            this.race = race;
        }

        @Override
        public String toString() {
            return String.format(
                    "Race       %-86s %6d schedules, all with up to %d changes of threads%s",
                    race,
                    schedules,
                    schedules < MOST ? changes : changes - 1,
                    schedules < MOST ? ", which are all" : "");
        }
    }

    /** Judges each schedule. Public, with this constructor, because Lincheck makes it. */
    public static final class Judge implements Verifier {
        private static Map<ExecutionScenario, Played> played = Map.of();

        public Judge(Class<?> ignored) {}

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            Played race = played.get(scenario);
            race.schedules++;
            race.changes = Progress.changes();
            return results.getThreadsResultsWithClock().stream()
                    .flatMap(List::stream)
                    .noneMatch(result -> result.getResult() instanceof ExceptionResult);
        }
    }
}
