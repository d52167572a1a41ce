package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.normalize.ReservedNames;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ResourceLoader;

/**
 * The reserved names that stand in files, a name in each line; empty lines and lines that begin with {@code #} count for nothing.
 * A file that cannot be read later leaves the names as they were.
 */
final class ReservedNameFiles implements AutoCloseable {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");
    private static final String DEFAULTS = "defaults";
    private static final String NONE = "none";

    private final Map<IdentifierKind, List<String>> lists = new LinkedHashMap<>();
    private final ResourceLoader resources;
    private final Map<IdentifierKind, Set<String>> read =
            new LinkedHashMap<>(); // of the refreshing thread, once it runs
    private @Nullable Timer timer;

    ReservedNameFiles(Map<String, List<String>> lists, ResourceLoader resources) {
        lists.forEach((kind, items) -> this.lists.put(
                IdentifierKind.of(kind), items.stream().map(String::strip).toList()));
        this.resources = resources;
    }

    /** @throws UntakenSetupException if a file cannot be read */
    Map<IdentifierKind, ReservedNames> readAll() {
        Map<IdentifierKind, ReservedNames> all = new LinkedHashMap<>();
        lists.forEach((kind, items) -> {
            try {
                Set<String> names = namesOf(items);
                read.put(kind, names);
                all.put(kind, with(items, names));
            } catch (IOException e) {
                throw new UntakenSetupException(
                        "A file of untaken.reserved." + kind + " cannot be read: " + e.getMessage(),
                        "Name a resource such as 'file:/etc/names.txt' or 'classpath:names.txt', in UTF-8 with a name in"
                                + " each line; or 'defaults', or 'none'.",
                        e);
            }
        });
        return all;
    }

    /** Looks at the files again and again until this is closed. Does nothing where there are none. */
    synchronized void watch(AvailabilityChecker checker, Duration interval) {
        boolean files = lists.values().stream().flatMap(List::stream).anyMatch(ReservedNameFiles::isResource);
        if (!files || timer != null) {
            return;
        }
        long millis = Math.max(1000, interval.toMillis());
        timer = new Timer("untaken-reserved-names", true);
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        refresh(checker);
                    }
                },
                millis,
                millis);
    }

    /** Never throws: what it throws would end the watch. */
    void refresh(AvailabilityChecker checker) {
        lists.forEach((kind, items) -> {
            try {
                Set<String> names = namesOf(items);
                if (!names.equals(read.put(kind, names))) {
                    checker.reserve(kind, with(items, names));
                    LOG.log(Level.INFO, "Reserved names of kind '" + kind + "' were read again");
                }
            } catch (IOException | RuntimeException | Error e) {
                LOG.log(
                        Level.WARNING,
                        "Reserved names of kind '" + kind + "' stay as they were: a file cannot be read");
            }
        });
    }

    private Set<String> namesOf(List<String> items) throws IOException {
        Set<String> names = new HashSet<>();
        for (String item : items) {
            if (isResource(item)) {
                resources
                        .getResource(item)
                        .getContentAsString(StandardCharsets.UTF_8)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                        .forEach(names::add);
            }
        }
        return names;
    }

    private static ReservedNames with(List<String> items, Set<String> names) {
        ReservedNames listed = ReservedNames.of(names);
        return items.contains(DEFAULTS) ? ReservedNames.defaults().and(listed) : listed;
    }

    private static boolean isResource(String item) {
        return !item.equals(DEFAULTS) && !item.equals(NONE);
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.cancel();
        }
    }
}
