package io.github.untaken.spi;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The truth about one kind: the committed identifiers in the database. Everything else is a copy.
 *
 * <p>Both methods read the primary, never a replica, in a fresh transaction that has read nothing before. They read the
 * bare table: rows hidden by soft deletion, a tenant or any other restriction still hold their names, unless they are
 * known not to count ({@link Presence}), and each of them is scanned. Both may block; the registry calls them on its
 * own threads. Implementations are thread-safe.
 *
 * <p>Anything more that a database can do is a subtype: {@link Batched}, {@link Counted}, {@link Together},
 * {@link Barrier}, {@link Comparing}, {@link Grouping}, {@link Sampled}, {@link Identified}, {@link Catalogued},
 * {@link Exclusive}, {@link InColumn}. A store implements those it can honour.
 */
public interface RegisteredIdentifierStore {

    /** What the committed rows say about one text. */
    enum Presence {
        /** No row holds it. */
        ABSENT,
        /**
         * Some rows hold it, but none of them counts, such as rows marked as deleted. The text is free, but only while
         * they stay as they are, and their changes need not be reported.
         */
        UNCOUNTED,
        /** A row that counts holds it: the text is taken. */
        COUNTED;

        /** For a store in which each row counts. */
        public static Presence of(boolean held) {
            return held ? COUNTED : ABSENT;
        }

        /** Whether any row holds it, counted or not. */
        public boolean held() {
            return this != ABSENT;
        }

        /** The result for the rows of both. */
        public Presence and(Presence other) {
            return compareTo(other) < 0 ? other : this;
        }
    }

    /**
     * Whether a committed row holds this text, compared exactly as the unique constraint compares, and whether one of
     * those rows counts. Anything that {@link Comparing#heldEqual} calls equal is found.
     *
     * @param text as typed, or its key
     * @param timeout how long the database may take, positive
     * @throws StoreException if the database could not answer in time; never mistaken for absence
     */
    Presence exists(String text, Duration timeout);

    /**
     * Hands every committed value to the consumer, streaming, in bounded memory. All values are of one state: a value
     * that moves from row to row is in each state, and could be missed between two. Nulls are skipped. An exception of
     * the consumer ends the scan and is passed on; the scan has then failed, whatever this returns.
     *
     * @throws StoreException if the scan is incomplete, or not certainly of one state
     */
    void scan(Consumer<String> values);

    /** A store that can look up several keys in one question, at less cost than one question for each key. */
    interface Batched extends RegisteredIdentifierStore {
        /** Most keys in one question. */
        int MOST_KEYS = 64;

        /**
         * What {@link #exists} says about each of these keys, in their order. The database does the comparing: this
         * program matches none of its values with a key. One snapshot, taken after this was called, may answer all of
         * them.
         *
         * @param keys 0 to {@link #MOST_KEYS}; duplicates are allowed
         * @param timeout how long the database may take for all of them, positive
         * @throws StoreException if it did not answer for all; if it refuses one of the keys, no other answer is lost,
         *     since each is then     asked for alone
         */
        List<Presence> existEach(List<String> keys, Duration timeout);
    }

    /**
     * A store that knows roughly how many values a scan will deliver; this sizes the filter and estimates the time
     * left.
     */
    interface Counted extends RegisteredIdentifierStore {
        /** At least the number of values, except for changes meanwhile; rows without a value may be counted. */
        long count();
    }

    /**
     * A store that can tell when the transactions open at this moment have ended, including those of other programs.
     */
    interface Barrier extends RegisteredIdentifierStore {
        /**
         * Returns once every transaction has ended that, when this was called, had written a row of the table, or held
         * or awaited a lock for writing one. A scan begun afterwards then sees all of it.
         *
         * @return whether that is proved; false, at once, if this database cannot tell, or not to this user
         * @throws StoreException if some are still open after the timeout; they are never assumed to have ended
         */
        boolean awaitOpenTransactions(Duration timeout);
    }

    /**
     * A store that can be scanned in one state with others of its database, and by several threads at once. If two
     * tables of a kind were scanned one after the other, a name that moves between them could be missed.
     */
    interface Together extends RegisteredIdentifierStore {
        /** Equal for all stores that one snapshot can show. Asks no one. */
        Object database();

        /** The object its database knows it by: itself, or the store that it wraps. */
        default Object scanned() {
            return this;
        }

        /**
         * Takes one snapshot of several stores. Blocks; the caller closes the result, whatever happens.
         *
         * @param scanned what each store returns from {@link #scanned}; all are of the same {@link #database}, and this
         *     one is among them
         * @param threads how many may read parts at once, 1 or more
         * @throws StoreException if it cannot be taken now, such as while data is being defined
         */
        Snapshot snapshot(List<?> scanned, int threads);

        @Override
        default void scan(Consumer<String> values) {
            try (Snapshot snapshot = snapshot(List.of(scanned()), 1)) {
                snapshot.parts().forEach(part -> part.scan(values));
                snapshot.confirm();
            }
        }
    }

    /** One state of some stores, for as long as it is open. */
    interface Snapshot extends AutoCloseable {
        /** Together they hold each row of that state exactly once. Each may be scanned once, by any thread. */
        List<Partition> parts();

        /**
         * Called after the last row.
         *
         * @throws StoreException if what was read was not certainly one state of the very tables that have these names
         *     by now
         */
        void confirm();

        /** Ends it, and whatever is still reading. Never throws: a failure here says nothing about the rows. */
        @Override
        void close();
    }

    /** Some of the rows of a store. */
    @FunctionalInterface
    interface Partition {
        /** As {@link RegisteredIdentifierStore#scan}, on the caller's thread. */
        void scan(Consumer<String> values);
    }

    /** A store that knows how its database compares the values of the column. */
    interface Comparing extends RegisteredIdentifierStore {
        /** The database's description of the column. */
        ColumnDescription describe();

        /**
         * Whether the database, by the column's collation and type, holds the two values of each pair equal, in the
         * order of the pairs. Reads only; touches no row of the application's.
         */
        List<Boolean> heldEqual(List<ValuePair> pairs);
    }

    /** A store whose database can sort many values at once into groups that it holds equal. */
    interface Grouping extends Comparing {
        /**
         * Which of these values are held equal: the indexes, from 0, of the members of each set of two or more. If a
         * column compares in several ways, each way has its own sets. Reads only; touches no row of the application's.
         * May take a second for a hundred thousand values.
         *
         * @param values without duplicates, and without any that no database can store, such as half of a surrogate
         *     pair
         */
        List<List<Integer>> heldEqualAmong(List<String> values);
    }

    /** Two values to be compared. */
    record ValuePair(String left, String right) {}

    /**
     * A database's description of an identifier's column.
     *
     * @param column its table and name, for messages
     * @param unique whether a constraint or index makes each of its values unique, alone, among the rows that count
     * @param collation what compares its values, for messages; empty if the database does not say
     * @param comparedBy identifies the way its values are compared, including versions; empty if values held equal are
     *     the same text except for     trailing blanks. Stores with the same value must compare alike
     */
    record ColumnDescription(String column, boolean unique, String collation, String comparedBy) {}

    /** A store that can return a few committed rows, at random or nearly so, without reading all. */
    interface Sampled extends RegisteredIdentifierStore {
        /**
         * Values of at most that many rows; fewer or none if the table is small, or if its rows can only be reached by
         * reading all.
         */
        List<String> sample(int count);
    }

    /** A store that can tell its database from another, and from an older state of the same one. */
    interface Identified extends RegisteredIdentifierStore {
        /**
         * The database as it is now.
         *
         * @throws StoreException if it cannot be asked
         */
        DatabaseMark present();
    }

    /**
     * A store whose table can be looked at from outside. Memory then need not be trusted for longer than the table is
     * known to be unchanged.
     */
    interface Catalogued extends RegisteredIdentifierStore {
        /** Always the same object, and one for all stores of a data source; asks no one. */
        TableCatalog catalog();

        /** The table's name in the catalog, also for messages. */
        String catalogued();
    }

    /**
     * A moment of a database.
     *
     * @param identity stays the same as long as the database does; different after a restore from elsewhere, or a
     *     failover
     * @param position a place in its history, which only rises; after a restore it may be lower
     */
    record DatabaseMark(String identity, long position) {

        /** Whether this is the same database, and not an older state of it. */
        public boolean follows(DatabaseMark earlier) {
            return identity.equals(earlier.identity) && position >= earlier.position;
        }
    }

    /**
     * A store that can mark in the database that this process writes it, and see the marks of others. Of two processes
     * that cannot hear each other, neither may answer from memory: the first does not hear what the second commits.
     */
    interface Exclusive extends RegisteredIdentifierStore {
        /** The state of the mark. */
        enum Standing {
            /** The mark is set, and there is no other. */
            ALONE,
            /** Another process is marked too. */
            BESIDE_OTHERS,
            /** There is no mark, or the connection that holds it does not answer: whether others write is unknown. */
            UNKNOWN
        }

        /**
         * The state of the mark. Asks only on the connection that holds the mark, within two seconds;
         * {@link Standing#UNKNOWN} if there is none, or it does not answer. After that it stays so until {@link #mark}.
         * Called every second or so; never kept waiting by a {@link #mark} under way.
         */
        Standing standing();

        /**
         * Sets the mark unless it is set, on a connection kept for it. The database drops the mark by itself when this
         * process dies or loses that connection. May wait for a connection for as long as the application's pool does.
         *
         * @throws StoreException if the database cannot be asked
         */
        void mark();

        /** Removes the mark. Never throws. */
        void release();
    }

    /** A store that is one column of one table, so that a {@link ChangeFeed} knows where to listen. */
    interface InColumn extends RegisteredIdentifierStore {
        /** Always the same; asks no one. */
        TableColumn column();
    }

    /**
     * A column of a table.
     *
     * @param table with its schema if it was given one, spelt and quoted as SQL needs it
     * @param column spelt and quoted as SQL needs it
     */
    record TableColumn(String table, String column) {}
}
