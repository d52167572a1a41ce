package io.github.untaken.store;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.DatabaseMark;
import io.github.untaken.spi.RegisteredIdentifierStore.Exclusive;
import io.github.untaken.spi.RegisteredIdentifierStore.Identified;
import io.github.untaken.spi.RegisteredIdentifierStore.InColumn;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** All stores of one kind as one: it holds what any of them holds, and if one fails, all have failed. */
public final class Stores {
    private final List<RegisteredIdentifierStore> all;

    public Stores(List<RegisteredIdentifierStore> all) {
        this.all = List.copyOf(all);
    }

    /** Blocks. The timeout is shared by the stores. */
    public boolean exists(String key, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (RegisteredIdentifierStore store : all) {
            if (store.exists(key, left(deadline, timeout))) {
                return true;
            }
        }
        return false;
    }

    /** How many keys may stand in one question. */
    public int mostKeys() {
        return all.stream().allMatch(Batched.class::isInstance) ? Batched.MOST_KEYS : 1;
    }

    /** As {@link #exists} for each key, in their order; each store is asked once, for what those before it do not hold. */
    public boolean[] existEach(List<String> keys, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean[] found = new boolean[keys.size()];
        for (RegisteredIdentifierStore store : all) {
            int[] open = IntStream.range(0, found.length).filter(i -> !found[i]).toArray();
            if (open.length == 0) {
                break;
            }
            List<String> asked = Arrays.stream(open).mapToObj(keys::get).toList();
            List<Boolean> answers = ((Batched) store).existEach(asked, left(deadline, timeout));
            if (answers.size() != open.length) {
                throw new StoreException(
                        "a store gave " + answers.size() + " answers to a question of " + open.length + " keys");
            }
            for (int i = 0; i < open.length; i++) {
                found[open[i]] = answers.get(i);
            }
        }
        return found;
    }

    private static Duration left(long deadline, Duration timeout) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new StoreException("the stores together took longer than " + timeout);
        }
        return Duration.ofNanos(left);
    }

    /** All rows, each in exactly one part; several parts where a store can be scanned by several threads. */
    public List<Partition> partitions(int wanted) {
        List<Partition> parts = new ArrayList<>();
        for (RegisteredIdentifierStore store : all) {
            if (store instanceof RegisteredIdentifierStore.Partitioned partitioned && wanted > 1) {
                parts.addAll(partitioned.partitions(wanted));
            } else {
                parts.add(store::scan);
            }
        }
        return parts;
    }

    /** How many rows a scan will deliver, or 0 if a store cannot tell. */
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
     * Waits for whoever has written by now, where a store can tell of them.
     *
     * @return whether all could: then nobody is left
     */
    public boolean awaitOpenTransactions(Duration timeout) {
        boolean proved = true;
        for (RegisteredIdentifierStore store : all) {
            proved &= store instanceof RegisteredIdentifierStore.Barrier barrier
                    && barrier.awaitOpenTransactions(timeout);
        }
        return proved;
    }

    public List<Comparing> comparing() {
        return all.stream()
                .filter(Comparing.class::isInstance)
                .map(Comparing.class::cast)
                .toList();
    }

    /** A few committed rows, from the stores that can hand them out cheaply. */
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

    /** Whether each says which column of which database it reads; without that, two may have one {@link #identity}. */
    public boolean canBeToldFromOthers() {
        return all.stream().allMatch(store -> store instanceof Identified && store instanceof InColumn);
    }

    /** What tells what is read from all else, as far as the stores can say that: a database knows its tables apart, but not their columns. */
    public String identity(List<DatabaseMark> marks) {
        Stream<String> databases = marks.stream().map(DatabaseMark::identity);
        Stream<String> columns = all.stream()
                .filter(InColumn.class::isInstance)
                .map(store -> ((InColumn) store).column().toString());
        return all.size() + Stream.concat(databases, columns).collect(Collectors.joining(" ", " ", ""));
    }

    /** Whether these are the databases of before, in no older state; of nothing before nothing can be said. */
    public static boolean follow(List<DatabaseMark> present, List<DatabaseMark> before) {
        for (int i = 0; i < Math.min(present.size(), before.size()); i++) {
            if (!present.get(i).follows(before.get(i))) {
                return false;
            }
        }
        return true;
    }

    public List<Exclusive> exclusive() {
        return all.stream()
                .filter(Exclusive.class::isInstance)
                .map(Exclusive.class::cast)
                .toList();
    }
}
