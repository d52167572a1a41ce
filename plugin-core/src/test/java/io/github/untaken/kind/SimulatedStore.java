package io.github.untaken.kind;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A table in memory with transactions: what is written becomes visible at the commit, a value is unique among the committed
 * rows and those under way, and a second writer of a value waits. Reads see a snapshot of the moment they begin, and other
 * things may happen before they return.
 */
final class SimulatedStore
        implements RegisteredIdentifierStore.Batched,
                RegisteredIdentifierStore.Counted,
                RegisteredIdentifierStore.Barrier,
                RegisteredIdentifierStore.Comparing {
    static final int ABSENT = -1;

    /** What happens around a read. */
    interface Surroundings {
        /** Other things happen now, or nothing. */
        void meanwhile();

        /** As {@link #meanwhile}, more of them. Called between the rows of a scan. */
        void betweenRows();

        /** Other things happen until this number of transactions is left of those given, false if that takes too long. */
        boolean untilEnded(List<SimulatedTransaction> open);

        /** A read begins on the calling thread. */
        void reading(String what);

        /** Whether this read fails. */
        boolean fails();

        /** Whether a failure is an {@link Error}. */
        boolean fatally();
    }

    /** Who sees rows come and go. */
    interface Witness {
        void committing();

        long commits();

        /** A row of this slot: what the unique constraint holds equal. */
        void appeared(int slot);

        void disappeared(int slot);

        /** A row was committed that nobody told of. */
        void untold(int slot);
    }

    private final boolean folds;
    private final boolean scansRanges;
    private final boolean barrierProves;
    private final Surroundings surroundings;
    private final Witness oracle;
    private final int[] committed;
    private final int[] rowIds;
    private final SimulatedTransaction[] lockedBy;
    // The slots with a committed row, in no order, and where each stands.
    private final int[] present;
    private final int[] place;
    private int rows;
    private int[] slotOfId = new int[1024];
    private int nextId = 1;
    private final List<SimulatedTransaction> open = new ArrayList<>();
    private final int[] readsRunning = new int[SimulatedNames.MOST * SimulatedNames.SPELLINGS];
    private long scannedFrom;

    /**
     * @param folds whether values that differ in case alone are equal to the store; those of full width never are
     * @param scansRanges whether a scan reads ranges of the row's id, each when it comes to it, instead of one snapshot
     * @param barrierProves whether it can tell of open transactions
     */
    SimulatedStore(
            boolean folds, boolean scansRanges, boolean barrierProves, Surroundings surroundings, Witness oracle) {
        this.folds = folds;
        this.scansRanges = scansRanges;
        this.barrierProves = barrierProves;
        this.surroundings = surroundings;
        this.oracle = oracle;
        int slots = folds ? 2 * SimulatedNames.MOST : SimulatedNames.MOST * SimulatedNames.SPELLINGS;
        committed = new int[slots];
        Arrays.fill(committed, ABSENT);
        rowIds = new int[slots];
        lockedBy = new SimulatedTransaction[slots];
        present = new int[slots];
        place = new int[slots];
    }

    // ---------------------------------------------------------------- what transactions do

    boolean folds() {
        return folds;
    }

    int slot(int value) {
        return SimulatedNames.slot(value, folds);
    }

    void begin(SimulatedTransaction transaction) {
        open.add(transaction);
    }

    /** False if another transaction holds the value. */
    boolean lock(SimulatedTransaction transaction, int value) {
        int slot = slot(value);
        SimulatedTransaction holder = lockedBy[slot];
        if (holder == null) {
            lockedBy[slot] = transaction;
            transaction.noteLock(slot);
        }
        return holder == null || holder == transaction;
    }

    /** Whether the transaction sees a row that is equal to this value. */
    boolean sees(SimulatedTransaction transaction, int value) {
        int slot = slot(value);
        int write = transaction.lastWrite(slot);
        return (write >= 0 ? transaction.value(write) : committed[slot]) != ABSENT;
    }

    /** The lock must be held, and no such row be seen. */
    void insert(SimulatedTransaction transaction, int value) {
        if (nextId == slotOfId.length) {
            slotOfId = Arrays.copyOf(slotOfId, nextId * 2);
        }
        transaction.write(slot(value), value, nextId++);
    }

    /** The lock must be held; the id of the row that goes, which must be seen. */
    int delete(SimulatedTransaction transaction, int value) {
        int slot = slot(value);
        int write = transaction.lastWrite(slot);
        int id = write >= 0 ? transaction.id(write) : rowIds[slot];
        transaction.write(slot, ABSENT, 0);
        return id;
    }

    /** As a delete and an insert that keeps the row's id. */
    void rename(SimulatedTransaction transaction, int from, int to) {
        int id = delete(transaction, from);
        transaction.write(slot(to), to, id);
    }

    /** Both locks must be held and both rows seen. */
    void swap(SimulatedTransaction transaction, int one, int two) {
        int idOfOne = delete(transaction, one);
        int idOfTwo = delete(transaction, two);
        transaction.write(slot(one), one, idOfTwo);
        transaction.write(slot(two), two, idOfOne);
    }

    /** The id of the committed row that is equal to this value. */
    int idOf(int value) {
        return rowIds[slot(value)];
    }

    /** The value of the committed row of this id, or {@link #ABSENT}. */
    int valueOfId(int id) {
        return slotOfId[id] == ABSENT ? ABSENT : committed[slotOfId[id]];
    }

    /** Whether a row equal to this value is committed. */
    boolean holds(int value) {
        return committed[slot(value)] != ABSENT;
    }

    boolean equal(int one, int two) {
        return slot(one) == slot(two);
    }

    void commit(SimulatedTransaction transaction) {
        oracle.committing();
        // An addition first: a key that another row takes in the same commit has never been free.
        for (int i = 0; i < transaction.writes(); i++) {
            int value = transaction.value(i);
            if (value != ABSENT && transaction.lastWrite(transaction.slot(i)) == i) {
                oracle.appeared(transaction.slot(i));
            }
        }
        for (int i = 0; i < transaction.writes(); i++) {
            int slot = transaction.slot(i);
            if (transaction.lastWrite(slot) == i && committed[slot] != ABSENT) {
                removeRow(slot);
            }
        }
        for (int i = 0; i < transaction.writes(); i++) {
            int slot = transaction.slot(i);
            int value = transaction.value(i);
            if (value != ABSENT && transaction.lastWrite(slot) == i) {
                addRow(transaction, slot, value, transaction.id(i));
            }
        }
        end(transaction);
    }

    private void removeRow(int slot) {
        oracle.disappeared(slot);
        slotOfId[rowIds[slot]] = ABSENT;
        committed[slot] = ABSENT;
        rows--;
        present[place[slot]] = present[rows];
        place[present[rows]] = place[slot];
    }

    private void addRow(SimulatedTransaction transaction, int slot, int value, int id) {
        committed[slot] = value;
        rowIds[slot] = id;
        slotOfId[id] = slot;
        place[slot] = rows;
        present[rows++] = slot;
        if (!transaction.covered) {
            oracle.untold(slot);
        }
    }

    void rollBack(SimulatedTransaction transaction) {
        end(transaction);
    }

    private void end(SimulatedTransaction transaction) {
        for (int i = 0; i < transaction.locks(); i++) {
            lockedBy[transaction.lockedSlot(i)] = null;
        }
        transaction.forgetLocks();
        transaction.forgetWrites();
        open.remove(transaction);
    }

    boolean isOpen(SimulatedTransaction transaction) {
        return open.contains(transaction);
    }

    int rows() {
        return rows;
    }

    /** The value of one of the committed rows. */
    int row(int index) {
        return committed[present[index]];
    }

    /** How many commits there had been when the last scan began. */
    long lastScanBegan() {
        return scannedFrom;
    }

    // ---------------------------------------------------------------- what the registry asks

    @Override
    public Presence exists(String text, Duration timeout) {
        return existEach(List.of(text), timeout).get(0);
    }

    /** All by one snapshot. */
    @Override
    public List<Presence> existEach(List<String> texts, Duration timeout) {
        boolean crowded = false;
        for (String text : texts) {
            int value = SimulatedNames.valueOf(text);
            crowded |= readsRunning[value] > 2;
        }
        surroundings.reading(crowded ? "more than two reads of one text at once" : "");
        note(texts, 1);
        try {
            surroundings.meanwhile();
            failSometimes("the simulated store");
            List<Presence> found = texts.stream()
                    .map(text -> Presence.of(committed[slot(SimulatedNames.valueOf(text))] != ABSENT))
                    .toList();
            surroundings.meanwhile();
            failSometimes("the simulated store");
            return found;
        } finally {
            note(texts, -1);
        }
    }

    private void note(List<String> texts, int change) {
        for (String text : texts) {
            int value = SimulatedNames.valueOf(text);
            readsRunning[value] += change;
        }
    }

    @Override
    public void scan(Consumer<String> values) {
        surroundings.reading("");
        long began = oracle.commits();
        if (scansRanges) {
            scanRanges(values);
        } else {
            scanSnapshot(values);
        }
        surroundings.betweenRows();
        scannedFrom = began;
    }

    private void scanSnapshot(Consumer<String> values) {
        int[] snapshot = new int[rows];
        for (int i = 0; i < snapshot.length; i++) {
            snapshot[i] = row(i);
        }
        for (int value : snapshot) {
            deliver(values, value);
        }
    }

    private void scanRanges(Consumer<String> values) {
        for (int id = 1; id < nextId; id++) {
            int slot = slotOfId[id];
            if (slot != ABSENT && committed[slot] != ABSENT && rowIds[slot] == id) {
                deliver(values, committed[slot]);
            }
        }
    }

    private void deliver(Consumer<String> values, int value) {
        surroundings.betweenRows();
        failSometimes("the simulated scan");
        values.accept(SimulatedNames.text(value));
    }

    @Override
    public long count() {
        surroundings.reading("");
        surroundings.meanwhile();
        failSometimes("the simulated count");
        return rows;
    }

    @Override
    public boolean awaitOpenTransactions(Duration timeout) {
        surroundings.reading("");
        if (!barrierProves) {
            return false;
        }
        List<SimulatedTransaction> awaited = new ArrayList<>();
        for (SimulatedTransaction transaction : open) {
            if (transaction.writes() > 0) {
                awaited.add(transaction);
            }
        }
        if (!surroundings.untilEnded(awaited)) {
            throw new StoreException("transactions are still open after the simulated timeout");
        }
        return true;
    }

    @Override
    public ColumnDescription describe() {
        return new ColumnDescription("simulated names", true, "", "by its own rules");
    }

    @Override
    public List<Boolean> heldEqual(List<ValuePair> pairs) {
        surroundings.reading("");
        surroundings.meanwhile();
        failSometimes("the simulated comparison");
        return pairs.stream().map(this::heldEqual).toList();
    }

    private boolean heldEqual(ValuePair pair) {
        return folds
                ? asciiLower(pair.left()).equals(asciiLower(pair.right()))
                : pair.left().equals(pair.right());
    }

    private static String asciiLower(String text) {
        StringBuilder lower = new StringBuilder(text);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            lower.setCharAt(i, c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
        }
        return lower.toString();
    }

    private void failSometimes(String what) {
        if (surroundings.fails()) {
            if (surroundings.fatally()) {
                throw new SimulatedError(what);
            }
            throw new StoreException(what + " fails");
        }
    }

    /** In place of what a virtual machine throws when it has no memory left. */
    static final class SimulatedError extends Error {
        private static final long serialVersionUID = 1L;

        SimulatedError(String what) {
            super(what + " ends in an error", null, false, false);
        }
    }
}
