package io.github.untaken.kind;

import io.github.untaken.Announcement;
import io.github.untaken.Registrations;
import io.github.untaken.spi.IdentifierWrite;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A database transaction of the simulation: its uncommitted writes, its locks, and what it will do next. */
final class SimulatedTransaction {
    /** Who tells the registry of it. */
    enum Teller {
        /** An integration, through {@link IdentifierWrite}. */
        SOURCE,
        /** The application, through {@link Registrations#announce}. */
        ANNOUNCEMENT,
        /** A rule that only guesses, through {@link Registrations#watch}. */
        WATCH,
        /** Nobody: another program, or a transaction from before anybody listened. */
        NOBODY
    }

    enum Op {
        TELL_ADD,
        TELL_UNSEEN,
        ANNOUNCE,
        WATCH,
        INSERT,
        DELETE,
        RENAME,
        SWAP,
        WRITE_BACK,
        SAVEPOINT,
        ROLLBACK_TO_SAVEPOINT,
        COMMIT,
        ROLLBACK,
        TELL_OVER,
        TELL_ENDED,
        HANG
    }

    record Step(Op op, int value, int other) {}

    private static final int ABSENT = -1;

    final int number;
    final Teller teller;
    final ArrayDeque<Step> steps = new ArrayDeque<>();
    /** One for each statement; the last is that of the statement to come, or under way. */
    final List<IdentifierWrite> writes = new ArrayList<>();

    boolean toldOver;
    Announcement announcement;
    final List<Announcement> more = new ArrayList<>();
    /** Whether the registry is told of each row, or at least that it cannot know. */
    boolean covered = true;
    /** From when on nobody speaks of it any more, while the database has yet to decide; 0 if not. */
    long hangingSince;

    private int[] slots = new int[8];
    private int[] values = new int[8];
    private int[] ids = new int[8];
    private int size;
    private int savepoint;
    private int[] locked = new int[8];
    private int locks;

    SimulatedTransaction(int number, Teller teller) {
        this.number = number;
        this.teller = teller;
    }

    void then(Op op) {
        steps.add(new Step(op, ABSENT, ABSENT));
    }

    void then(Op op, int value) {
        steps.add(new Step(op, value, ABSENT));
    }

    void then(Op op, int value, int other) {
        steps.add(new Step(op, value, other));
    }

    void write(int slot, int value, int id) {
        if (size == slots.length) {
            slots = Arrays.copyOf(slots, size * 2);
            values = Arrays.copyOf(values, size * 2);
            ids = Arrays.copyOf(ids, size * 2);
        }
        slots[size] = slot;
        values[size] = value;
        ids[size] = id;
        size++;
    }

    /** The index of the last write to the slot, or -1. */
    int lastWrite(int slot) {
        for (int i = size - 1; i >= 0; i--) {
            if (slots[i] == slot) {
                return i;
            }
        }
        return -1;
    }

    int writes() {
        return size;
    }

    int slot(int write) {
        return slots[write];
    }

    int value(int write) {
        return values[write];
    }

    int id(int write) {
        return ids[write];
    }

    void setSavepoint() {
        savepoint = size;
    }

    void rollBackToSavepoint() {
        size = savepoint;
    }

    void forgetWrites() {
        size = 0;
    }

    void noteLock(int slot) {
        if (locks == locked.length) {
            locked = Arrays.copyOf(locked, locks * 2);
        }
        locked[locks++] = slot;
    }

    int locks() {
        return locks;
    }

    int lockedSlot(int index) {
        return locked[index];
    }

    void forgetLocks() {
        locks = 0;
    }
}
