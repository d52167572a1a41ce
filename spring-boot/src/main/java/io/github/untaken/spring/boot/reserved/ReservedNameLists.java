package io.github.untaken.spring.boot.reserved;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.io.ResourceLoader;

/** The reserved names that stand in files and tables, read at the start and looked at again and again. */
public final class ReservedNameLists implements AutoCloseable {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");
    private static final String DEFAULTS = "defaults";
    private static final String NONE = "none";
    private static final Duration LEAST_INTERVAL = Duration.ofSeconds(1);

    private final List<ReservedNameList> lists = new ArrayList<>();
    private final Duration interval;
    private @Nullable Timer timer;

    /** @throws UntakenSetupException if a property has no good value */
    public ReservedNameLists(
            UntakenProperties properties, ResourceLoader resources, ObjectProvider<DataSource> databases) {
        interval = properties.reservedRefresh();
        if (interval.compareTo(LEAST_INTERVAL) < 0) {
            throw new UntakenSetupException(
                    "untaken.reserved-refresh must be 1s or more, but was " + interval.toMillis() + "ms",
                    "Write a time such as 1m.",
                    null);
        }
        Map<String, List<String>> items = properties.reserved();
        Map<String, String> queries = properties.reservedQuery();
        Set<String> kinds = new TreeSet<>(items.keySet());
        kinds.addAll(queries.keySet());
        for (String kind : kinds) {
            List<ReservedNameSource> sources = new ArrayList<>();
            // If there is only a query, its names are added to the default ones.
            boolean defaults = !items.containsKey(kind) && kind.equals(IdentifierKind.USERNAME.name());
            for (String item : items.getOrDefault(kind, List.of())) {
                switch (item.strip()) {
                    case DEFAULTS -> defaults = true;
                    case NONE -> {}
                    default ->
                        sources.add(new ReservedNameSource.File("untaken.reserved." + kind, item.strip(), resources));
                }
            }
            if (queries.containsKey(kind)) {
                sources.add(
                        new ReservedNameSource.Query("untaken.reserved-query." + kind, queries.get(kind), databases));
            }
            lists.add(new ReservedNameList(kind, defaults, List.copyOf(sources)));
        }
    }

    /**
     * Reads all of them, and reserves their names.
     *
     * @throws UntakenSetupException if something cannot be read, or a bean says what is reserved of the same kind
     */
    public void readInto(AvailabilityCheckerBuilder builder) {
        for (ReservedNameList list : lists) {
            var names = list.first();
            try {
                builder.reserved(list.kind(), names);
            } catch (IllegalStateException e) {
                throw new UntakenSetupException(
                        "The reserved names of kind '" + list.kind() + "' come from a bean of type ReservedNames"
                                + " and from properties under untaken.reserved",
                        "Keep one of them.",
                        e);
            }
        }
    }

    /**
     * Looks at files and tables until this is closed. Does nothing where there are none.
     *
     * @throws UntakenSetupException if a property is about a kind that the checker does not have
     */
    public synchronized void watch(AvailabilityChecker checker) {
        for (ReservedNameList list : lists) {
            if (!checker.kinds().contains(list.kind())) {
                throw list.unknownKind(null);
            }
        }
        if (timer != null || lists.stream().noneMatch(ReservedNameList::isRead)) {
            return;
        }
        timer = new Timer("untaken-reserved-names", true);
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        refresh(checker);
                    }
                },
                interval.toMillis(),
                interval.toMillis());
    }

    /** Never throws: what it throws would end the watch. */
    void refresh(AvailabilityChecker checker) {
        for (ReservedNameList list : lists) {
            try {
                String said = list.refresh(names -> checker.reserve(list.kind(), names));
                if (!said.isEmpty()) {
                    LOG.log(list.isFailing() ? Level.WARNING : Level.INFO, said);
                }
            } catch (RuntimeException | Error e) {
                LOG.log(Level.WARNING, "Reserved names of kind '" + list.kind() + "' could not be read again", e);
            }
        }
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.cancel();
        }
    }
}
