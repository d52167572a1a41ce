package io.github.untaken.store;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import io.github.untaken.spi.RegisteredIdentifierStore.Identified;
import io.github.untaken.spi.RegisteredIdentifierStore.InColumn;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.RegisteredIdentifierStore.Snapshot;
import io.github.untaken.spi.RegisteredIdentifierStore.Together;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.TableCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All stores of one kind as one: it holds what any of them holds, and if one fails, all have failed. */
public final class Stores {
    private final List<RegisteredIdentifierStore> all;

    public Stores(List<RegisteredIdentifierStore> all) {
        this.all = List.copyOf(all);
    }

    /** Blocks. The stores share the timeout. */
    public Presence exists(String key, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Presence found = Presence.ABSENT;
        for (RegisteredIdentifierStore store : all) {
            if (found != Presence.COUNTED) {
                found = found.and(store.exists(key, left(deadline, timeout)));
            }
        }
        return found;
    }

    /** Most keys in one question. */
    public int mostKeys() {
        return all.stream().allMatch(Batched.class::isInstance) ? Batched.MOST_KEYS : 1;
    }

    /**
     * As {@link #exists} for each key, in their order; each store is asked once, for the keys not yet counted by those
     * before it.
     */
    public Presence[] existEach(List<String> keys, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Presence[] found = new Presence[keys.size()];
        Arrays.fill(found, Presence.ABSENT);
        for (RegisteredIdentifierStore store : all) {
            int[] open = IntStream.range(0, found.length)
                    .filter(i -> found[i] != Presence.COUNTED)
                    .toArray();
            if (open.length == 0) {
                break;
            }
            List<String> asked = Arrays.stream(open).mapToObj(keys::get).toList();
            List<Presence> answers = ((Batched) store).existEach(asked, left(deadline, timeout));
            if (answers.size() != open.length) {
                throw new StoreException(
                        "a store gave " + answers.size() + " answers to a question of " + open.length + " keys");
            }
            for (int i = 0; i < open.length; i++) {
                found[open[i]] = found[open[i]].and(answers.get(i));
            }
        }
        return found;
    }

    private static Duration left(long deadline, Duration timeout) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new StoreException("the stores together have not answered within " + timeout);
        }
        return Duration.ofNanos(left);
    }

    /**
     * Hands over each row once. Stores of one database are scanned in one state of it, one database after the other; a
     * store that cannot be scanned with others is scanned by itself. Returns once every row has been handed over, or
     * throws what ended the scan.
     *
     * @param threads number of threads including the caller's, 1 or more
     * @param row called by any of them, concurrently
     */
    public void scan(IdentifierKind kind, int threads, Consumer<String> row) {
        Map<Object, List<Together>> databases = new LinkedHashMap<>();
        List<Partition> alone = new ArrayList<>();
        for (RegisteredIdentifierStore store : all) {
            if (store instanceof Together together) {
                databases
                        .computeIfAbsent(together.database(), database -> new ArrayList<>())
                        .add(together);
            } else {
                alone.add(store::scan);
            }
        }
        PartitionedScan.run(kind, alone, threads, row);
        for (List<Together> stores : databases.values()) {
            List<Object> scanned = stores.stream().map(Together::scanned).toList();
            Snapshot snapshot = stores.get(0).snapshot(scanned, threads);
            try {
                PartitionedScan.run(kind, snapshot.parts(), threads, row);
                snapshot.confirm();
            } finally {
                close(snapshot);
            }
        }
    }

    /** A failure here says nothing about the rows, which were confirmed before. */
    private static void close(Snapshot snapshot) {
        try {
            snapshot.close();
        } catch (RuntimeException e) {
            // It should not have thrown.
        }
    }

    /** Most rows that a scan will deliver, or 0 if a store cannot tell. */
    public long count() {
        long total = 0;
        for (RegisteredIdentifierStore store : all) {
            if (!(store instanceof RegisteredIdentifierStore.Counted counted)) {
                return 0;
            }
            total += Math.max(0, counted.count());
        }
        return total;
    }

    /**
     * Waits for all transactions that have written by now, in the stores that can tell.
     *
     * @return whether all stores could tell, so none is left
     */
    public boolean awaitOpenTransactions(Duration timeout) {
        boolean proved = true;
        for (RegisteredIdentifierStore store : all) {
            proved &= store instanceof RegisteredIdentifierStore.Barrier barrier
                    && barrier.awaitOpenTransactions(timeout);
        }
        return proved;
    }

    int size() {
        return all.size();
    }

    public List<Comparing> comparing() {
        return all.stream()
                .filter(Comparing.class::isInstance)
                .map(Comparing.class::cast)
                .toList();
    }

    /** A few committed rows, from the stores that can provide them cheaply. */
    public List<String> sample(int count) {
        List<String> rows = new ArrayList<>();
        for (RegisteredIdentifierStore store : all) {
            if (store instanceof RegisteredIdentifierStore.Sampled sampled) {
                rows.addAll(sampled.sample(count));
            }
        }
        return rows;
    }

    /** The databases that can be told from others, as they are now. */
    public List<DatabaseMark> marks() {
        List<DatabaseMark> marks = new ArrayList<>();
        for (RegisteredIdentifierStore store : all) {
            if (store instanceof Identified identified) {
                marks.add(identified.present());
            }
        }
        return marks;
    }

    /**
     * Whether each store says which column of which database it reads; otherwise two may have the same
     * {@link #identity}.
     */
    public boolean canBeToldFromOthers() {
        return all.stream().allMatch(store -> store instanceof Identified && store instanceof InColumn);
    }

    /** Identifies what is read, as far as the stores can: a database tells its tables apart, but not their columns. */
    public String identity(List<DatabaseMark> marks) {
        Stream<String> databases = marks.stream().map(DatabaseMark::identity);
        Stream<String> columns = all.stream()
                .filter(InColumn.class::isInstance)
                .map(store -> ((InColumn) store).column().toString());
        return all.size() + Stream.concat(databases, columns).collect(Collectors.joining(" ", " ", ""));
    }

    /** Whether these are the same databases as before, in no older state; true if there were none before. */
    public static boolean follow(List<DatabaseMark> present, List<DatabaseMark> before) {
        for (int i = 0; i < Math.min(present.size(), before.size()); i++) {
            if (!present.get(i).follows(before.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The catalogs of the tables that are read, each with its tables. */
    public Map<TableCatalog, Set<String>> catalogs() {
        Map<TableCatalog, Set<String>> catalogs = new LinkedHashMap<>();
        for (RegisteredIdentifierStore store : all) {
            if (store instanceof RegisteredIdentifierStore.Catalogued catalogued) {
                catalogs.computeIfAbsent(catalogued.catalog(), each -> new LinkedHashSet<>())
                        .add(catalogued.catalogued());
            }
        }
        return catalogs;
    }

    public List<Exclusive> exclusive() {
        return all.stream()
                .filter(Exclusive.class::isInstance)
                .map(Exclusive.class::cast)
                .toList();
    }

    /** The classes of stores that cannot tell whether another process writes. */
    public Set<String> unmarkable() {
        return all.stream()
                .filter(store -> !(store instanceof Exclusive))
                .map(store -> store.getClass().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
