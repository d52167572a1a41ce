package io.github.untaken.spi;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The truth about one kind: the committed identifiers in the database. Everything else is a copy.
 *
 * <p>Both methods read the primary, never a replica, in a fresh transaction that has read nothing before, and read the
 * bare table: rows hidden by soft deletion, a tenant or any other restriction still hold their names, unless it is known that they do not
 * count ({@link Presence}), and each of them is scanned. Both may block; the
 * registry calls them on threads of its own. Implementations are thread-safe.
 *
 * <p>What a database can do beyond this is a subtype: {@link Batched}, {@link Counted}, {@link Together}, {@link Barrier},
 * {@link Comparing}, {@link Grouping}, {@link Sampled}, {@link Identified}, {@link Catalogued}, {@link Exclusive},
 * {@link InColumn}. A store implements those it can keep.
 */
public interface RegisteredIdentifierStore {

    /** What the committed rows say of one text. */
    enum Presence {
        /** None holds it. */
        ABSENT,
        /**
         * Some hold it, and none of them counts, such as rows that are deleted by a mark: the text is free, but only as long as they are
         * as they are, and of their changes nobody need be told.
         */
        UNCOUNTED,
        /** One holds it that counts: the text is taken. */
        COUNTED;

        /** Of a store of which each row counts. */
        public static Presence of(boolean held) {
            return held ? COUNTED : ABSENT;
        }

        /** Whether a row holds it, be it counted or not. */
        public boolean held() {
            return this != ABSENT;
        }

        /** What two say together, of rows of their own. */
        public Presence and(Presence other) {
            return compareTo(other) < 0 ? other : this;
        }
    }

    /**
     * Whether a committed row holds this text, compared exactly as the unique constraint compares, and whether one of those counts: what
     * {@link Comparing#heldEqual} calls equal is found.
     *
     * @param text as it was typed, or its key
     * @param timeout how long the database may take, positive
     * @throws StoreException if the database could not answer in time; never mistaken for absence
     */
    Presence exists(String text, Duration timeout);

    /**
     * Hands every committed value to the consumer, streaming, in bounded memory: all of one state, for a value that moves from row to
     * row is in each state and could be missed between two. Nulls are skipped. An exception of the consumer ends the scan and is passed
     * on; the scan has failed then, whatever this returns.
     *
     * @throws StoreException if the scan is incomplete, or not certainly of one state
     */
    void scan(Consumer<String> values);

    /** A store that can be asked for several keys by one question, which costs it less than as many of one key. */
    interface Batched extends RegisteredIdentifierStore {
        /** How many keys a question has at most. */
        int MOST_KEYS = 64;

        /**
         * What {@link #exists} says of each of these keys, in their order. The database compares: none of its values is matched
         * with a key by this program. One snapshot, taken after this was called, may answer all of them.
         *
         * @param keys 0 to {@link #MOST_KEYS}; the same may stand there twice
         * @param timeout how long the database may take for all of them, positive
         * @throws StoreException if it did not answer for all; where it refuses one of the keys, no answer of another is lost, for
         *     each is then asked for alone
         */
        List<Presence> existEach(List<String> keys, Duration timeout);
    }

    /** A store that knows roughly how many values a scan will deliver; it sizes the filter and tells the time left. */
    interface Counted extends RegisteredIdentifierStore {
        /** No fewer than there are values, but for what changes meanwhile; rows without a value may be counted. */
        long count();
    }

    /** A store that can tell when the transactions of this moment have ended, including those of other programs. */
    interface Barrier extends RegisteredIdentifierStore {
        /**
         * Returns once every transaction that, when this was called, had written a row of the table, or held or awaited a lock for
         * writing one, has ended, so that a scan begun afterwards sees all of it.
         *
         * @return whether that is proved; false, at once, if this database cannot tell, or not to this user
         * @throws StoreException if some are still open after the timeout; they are never assumed to have ended
         */
        boolean awaitOpenTransactions(Duration timeout);
    }

    /**
     * A store that can be scanned in one state with others of its database, and by several threads at once. Between two tables of a kind
     * that are scanned one after the other, a name that moves from one to the other would be missed.
     */
    interface Together extends RegisteredIdentifierStore {
        /** Equal for all stores that one snapshot can show. Asks nobody. */
        Object database();

        /** What its database knows it by: itself, and of a store that stands before another, that one. */
        default Object scanned() {
            return this;
        }

        /**
         * Takes one snapshot of several stores. Blocks; the caller closes what is returned, whatever happens.
         *
         * @param scanned of each store what it {@linkplain #scanned says}; all are of the same {@link #database}, and this one is among them
         * @param threads how many may read parts at once, 1 or more
         * @throws StoreException if it cannot be taken now, such as beside a definition of data that is under way
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

    /** One state of some stores, as long as it is open. */
    interface Snapshot extends AutoCloseable {
        /** Together they hold each row of that state exactly once. Each may be scanned once, by any thread. */
        List<Partition> parts();

        /**
         * To be asked after the last row.
         *
         * @throws StoreException if what was read was not certainly one state of the very tables that bear the names by now
         */
        void confirm();

        /** Ends it, and whatever still reads. Nothing that fails here says anything of the rows; it never throws. */
        @Override
        void close();
    }

    /** Some of the rows of a store. */
    @FunctionalInterface
    interface Partition {
        /** As {@link RegisteredIdentifierStore#scan}, on whatever thread calls. */
        void scan(Consumer<String> values);
    }

    /** A store that knows how its database compares the values of the column. */
    interface Comparing extends RegisteredIdentifierStore {
        /** What the database says of the column. */
        ColumnDescription describe();

        /**
         * Whether the database, by the collation and type of the column, holds the two values of each pair equal, in the order
         * of the pairs. Reads only; touches no row of the application's.
         */
        List<Boolean> heldEqual(List<ValuePair> pairs);
    }

    /** A store whose database sorts many values at once into those that it holds equal. */
    interface Grouping extends Comparing {
        /**
         * Which of these values are held equal: the places, from 0 on, of the members of each set of two or more. Where a column compares
         * in several ways, each way has sets of its own. Reads only; touches no row of the application's. May take a second for a
         * hundred thousand values.
         *
         * @param values none twice, and none that no database can store, such as half of a surrogate pair
         */
        List<List<Integer>> heldEqualAmong(List<String> values);
    }

    /** Two values to be compared. */
    record ValuePair(String left, String right) {}

    /**
     * What a database says of an identifier's column.
     *
     * @param column its table and name, for messages
     * @param unique whether a constraint or index makes each value of it unique, alone, among the rows that count
     * @param collation what compares its values, for messages; empty if the database does not say
     * @param comparedBy what tells the way in which its values are compared from every other, versions included; empty if values that are
     *     held equal are the same text, but for blanks at the end. Stores of which it says the same must compare alike
     */
    record ColumnDescription(String column, boolean unique, String collation, String comparedBy) {}

    /** A store that can hand out a few committed rows, by chance or nearly so, without reading all. */
    interface Sampled extends RegisteredIdentifierStore {
        /** Values of at most so many rows; fewer, or none, if the table is small or leads to no rows but by reading all. */
        List<String> sample(int count);
    }

    /** A store that can tell its database from another, and from an older state of the same. */
    interface Identified extends RegisteredIdentifierStore {
        /**
         * The database as it is now.
         *
         * @throws StoreException if it cannot be asked
         */
        DatabaseMark present();
    }

    /**
     * A store whose table can be looked at from outside, so that memory need not be believed any longer than its table is known to be the
     * same.
     */
    interface Catalogued extends RegisteredIdentifierStore {
        /** Always the same object, and one for all stores of a data source; asks nobody. */
        TableCatalog catalog();

        /** The table's name in it, for messages too. */
        String catalogued();
    }

    /**
     * A moment of a database.
     *
     * @param identity what is the same as long as the database is: another after a restore from elsewhere, or a failover
     * @param position a place in its history, which only rises; after a restore it may be lower
     */
    record DatabaseMark(String identity, long position) {

        /** Whether this is the same database, and not an older state of it. */
        public boolean follows(DatabaseMark earlier) {
            return identity.equals(earlier.identity) && position >= earlier.position;
        }
    }

    /**
     * A store that can mark in the database that this process writes it, and see the marks of others. Two processes that do
     * not hear each other must neither of them answer from memory: the one that was there first does not hear of what the
     * second commits.
     */
    interface Exclusive extends RegisteredIdentifierStore {
        /** How the mark stands. */
        enum Standing {
            /** It stands, and no other beside it. */
            ALONE,
            /** Another process is marked too. */
            BESIDE_OTHERS,
            /** There is none, or the connection that holds it does not answer: whether others write nobody can tell. */
            UNKNOWN
        }

        /**
         * How the mark stands. Asks on the connection that holds the mark and on no other, within two seconds; {@link Standing#UNKNOWN}
         * where there is none, or it does not answer, and then it never stands again without {@link #mark}. Called every second or so,
         * and never kept waiting by a {@link #mark} under way.
         */
        Standing standing();

        /**
         * Sets the mark unless it stands, on a connection that is kept for it; the database drops it by itself when this process dies
         * or loses that connection. May wait for a connection as long as the application's pool does.
         *
         * @throws StoreException if the database cannot be asked
         */
        void mark();

        /** Takes the mark away. Never throws. */
        void release();
    }

    /** A store that is one column of one table, so that a {@link ChangeFeed} knows where to listen. */
    interface InColumn extends RegisteredIdentifierStore {
        /** Always the same; asks nobody. */
        TableColumn column();
    }

    /**
     * A column of a table.
     *
     * @param table with its schema if it has been given one, spelt and quoted as SQL wants it
     * @param column spelt and quoted as SQL wants it
     */
    record TableColumn(String table, String column) {}
}
