package io.github.untaken.kind;

import static io.github.untaken.CheckerFixture.KIND;

import io.github.untaken.Announcement;
import io.github.untaken.Registrations;
import io.github.untaken.kind.SimulatedTransaction.Op;
import io.github.untaken.kind.SimulatedTransaction.Step;
import io.github.untaken.kind.SimulatedTransaction.Teller;
import io.github.untaken.spi.IdentifierWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * The application of the simulation: transactions that register, rename and delete names and tell the registry what
 * integrations tell, which is not always what happens.
 */
final class SimulatedApplication {
    private final SplittableRandom random;
    private final SimulationProfile profile;
    private final SimulatedStore store;
    private final Kinds kinds;
    private final Registrations registrations;
    private final LongSupplier clock;
    private final SimulationTrace trace;
    private final List<SimulatedTransaction> live = new ArrayList<>();
    private final List<SimulatedTransaction> hanging = new ArrayList<>();
    private int begun;
    private int hotKey;
    private final int[] askedKeys = new int[6];
    private boolean closing;

    SimulatedApplication(
            SplittableRandom random,
            SimulationProfile profile,
            SimulatedStore store,
            Kinds kinds,
            LongSupplier clock,
            SimulationTrace trace) {
        this.random = random;
        this.profile = profile;
        this.store = store;
        this.kinds = kinds;
        this.registrations = new DirectRegistrations(kinds);
        this.clock = clock;
        this.trace = trace;
    }

    // ---------------------------------------------------------------- values

    /** The key written last; most mistakes are about it. */
    int hotKey() {
        return hotKey;
    }

    /** Somebody asks the store for this key just now. */
    void asked(int key) {
        askedKeys[random.nextInt(askedKeys.length)] = key;
    }

    private int someValue(boolean canonical) {
        int key = random.nextInt(profile.names());
        int dice = random.nextInt(profile.calm() ? 16 : 8);
        if (dice < 2) {
            key = hotKey;
        } else if (dice < 4) {
            key = askedKeys[random.nextInt(askedKeys.length)];
        }
        return key * SimulatedNames.SPELLINGS + (!canonical && random.nextInt(3) == 0 ? someSpelling() : 0);
    }

    private int someSpelling() {
        return profile.displayForms() ? random.nextInt(SimulatedNames.SPELLINGS) : 0;
    }

    private int takenValue() {
        if (store.rows() == 0) {
            return someValue(true);
        }
        if (random.nextInt(profile.calm() ? 12 : 4) == 0) {
            for (int i = 0; i < store.rows(); i++) {
                if (SimulatedNames.keyOf(store.row(i)) == hotKey) {
                    return store.row(i);
                }
            }
        }
        return store.row(random.nextInt(store.rows()));
    }

    // ---------------------------------------------------------------- transactions from before anybody listens

    void fillStore() {
        SimulatedTransaction load = new SimulatedTransaction(begun++, Teller.NOBODY);
        store.begin(load);
        for (int key = 0; key < profile.names(); key++) {
            if (random.nextInt(100) < profile.percentTaken()) {
                insert(load, key * SimulatedNames.SPELLINGS);
            }
            if (profile.displayForms() && random.nextInt(6) == 0) {
                insert(load, key * SimulatedNames.SPELLINGS + random.nextInt(SimulatedNames.SPELLINGS));
            }
        }
        store.commit(load);
        for (int n = random.nextInt(4); n > 0; n--) {
            SimulatedTransaction old = begin(Teller.NOBODY);
            old.covered = profile.barrierProves(); // or nobody knows of it
            insert(old, someValue(true));
            insert(old, someValue(true));
            old.then(random.nextInt(4) == 0 ? Op.ROLLBACK : Op.COMMIT);
        }
    }

    private void insert(SimulatedTransaction transaction, int value) {
        if (store.lock(transaction, value) && !store.sees(transaction, value)) {
            store.insert(transaction, value);
        }
    }

    // ---------------------------------------------------------------- planning

    private SimulatedTransaction begin(Teller teller) {
        SimulatedTransaction transaction = new SimulatedTransaction(begun++, teller);
        store.begin(transaction);
        live.add(transaction);
        return transaction;
    }

    int open() {
        return live.size() + hanging.size();
    }

    /** Begins a transaction with a plan of its own. */
    void begin() {
        int dice = random.nextInt(100);
        if (dice < 70) {
            planSource();
        } else if (dice < 82) {
            planAnnouncement();
        } else if (dice < 94) {
            if (profile.watches()) {
                planWatch();
            }
        } else if (profile.untoldWrites()) {
            SimulatedTransaction untold = begin(Teller.NOBODY);
            untold.covered = false;
            planUntold(untold);
            untold.then(random.nextInt(5) == 0 ? Op.ROLLBACK : Op.COMMIT);
        }
    }

    private void planSource() {
        SimulatedTransaction transaction = begin(Teller.SOURCE);
        int groups = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
        for (int group = 0; group < groups; group++) {
            planGroup(transaction);
        }
        planEnd(transaction);
    }

    private void planGroup(SimulatedTransaction transaction) {
        int dice = random.nextInt(100);
        if (dice < 30) {
            planInsert(transaction, someValue(false));
        } else if (dice < 38) {
            planWriteBack(transaction);
        } else if (dice < 44) {
            planInsert(transaction, takenValue()); // a sign-up of a name that is taken
        } else if (dice < 62) {
            planDelete(transaction, takenValue());
        } else if (dice < 72) {
            planRename(transaction, takenValue(), someValue(false));
        } else if (dice < 75) {
            planSwap(transaction, takenValue(), takenValue());
        } else if (dice < 79) {
            int alice = takenValue();
            int bob = someValue(false);
            planRename(transaction, alice, bob);
            planRename(transaction, bob, alice);
        } else if (dice < 83) {
            int from = takenValue();
            int to = SimulatedNames.keyOf(from) * SimulatedNames.SPELLINGS + someSpelling();
            planRename(transaction, from, to);
        } else if (dice < 88) {
            int value = takenValue();
            planDelete(transaction, value);
            planInsert(transaction, value);
        } else if (dice < 91 && !profile.calm()) {
            transaction.then(Op.TELL_UNSEEN);
            planUntold(transaction);
            planAnswer(transaction);
        } else {
            transaction.then(Op.SAVEPOINT);
            switch (random.nextInt(3)) {
                case 0 -> planDelete(transaction, takenValue());
                case 1 -> planRename(transaction, takenValue(), someValue(false));
                default -> planInsert(transaction, someValue(false));
            }
            transaction.then(Op.ROLLBACK_TO_SAVEPOINT);
        }
    }

    private void planInsert(SimulatedTransaction transaction, int value) {
        if (random.nextInt(8) == 0) {
            transaction.then(Op.INSERT, value); // the database chose the value, and the integration reads it back
            transaction.then(Op.TELL_ADD, value);
        } else {
            transaction.then(Op.TELL_ADD, value);
            transaction.then(Op.INSERT, value);
        }
        planAnswer(transaction);
    }

    /** The answer of the statement comes, and is told of, or nobody tells before the end. */
    private void planAnswer(SimulatedTransaction transaction) {
        if (random.nextInt(4) > 0) {
            transaction.then(Op.TELL_OVER);
        }
    }

    /** An update that writes every column of a row as it was read, whatever has become of it meanwhile. */
    private void planWriteBack(SimulatedTransaction transaction) {
        if (store.rows() > 0) {
            int value = takenValue();
            int id = store.idOf(value);
            hotKey = SimulatedNames.keyOf(value);
            for (int pauses = random.nextInt(12); pauses > 0; pauses--) {
                transaction.then(Op.SAVEPOINT);
            }
            transaction.then(Op.TELL_ADD, value);
            transaction.then(Op.WRITE_BACK, value, id);
            planAnswer(transaction);
        }
    }

    private void planDelete(SimulatedTransaction transaction, int value) {
        transaction.then(Op.DELETE, value);
    }

    private void planRename(SimulatedTransaction transaction, int from, int to) {
        transaction.then(Op.TELL_ADD, to);
        transaction.then(Op.RENAME, from, to);
        planAnswer(transaction);
    }

    private void planSwap(SimulatedTransaction transaction, int one, int two) {
        if (store.equal(one, two)) {
            return;
        }
        transaction.then(Op.TELL_ADD, one);
        transaction.then(Op.TELL_ADD, two);
        transaction.then(Op.SWAP, one, two);
        planAnswer(transaction);
    }

    private void planUntold(SimulatedTransaction transaction) {
        for (int writes = 1 + random.nextInt(3); writes > 0; writes--) {
            switch (random.nextInt(3)) {
                case 0 -> transaction.then(Op.DELETE, takenValue());
                case 1 -> transaction.then(Op.RENAME, takenValue(), someValue(false));
                default -> transaction.then(Op.INSERT, unseenValue());
            }
        }
    }

    /** Often a key whose read is just under way, which no stamp tells of this write. */
    private int unseenValue() {
        return random.nextBoolean()
                ? askedKeys[random.nextInt(askedKeys.length)] * SimulatedNames.SPELLINGS + someSpelling()
                : someValue(false);
    }

    private void planEnd(SimulatedTransaction transaction) {
        switch (profile.lies() ? random.nextInt(12) : random.nextInt(4)) {
            case 0 -> {
                transaction.then(Op.ROLLBACK); // or refused at COMMIT
                transaction.then(Op.TELL_ENDED);
            }
            case 5 -> {
                transaction.then(Op.COMMIT); // the reply is lost
                transaction.then(Op.TELL_ENDED);
            }
            case 6 -> {
                transaction.then(Op.TELL_ENDED); // the COMMIT is still on its way, or the end was no end
                transaction.then(Op.HANG);
                transaction.then(Op.COMMIT);
            }
            case 7 -> {
                transaction.then(Op.TELL_ENDED);
                transaction.then(Op.HANG);
                transaction.then(Op.ROLLBACK);
            }
            case 8 -> {
                int value = someValue(false);
                transaction.then(Op.TELL_ADD, value);
                transaction.then(Op.TELL_ENDED); // the connection breaks while the statement is on its way
                transaction.then(Op.HANG);
                transaction.then(Op.INSERT, value);
                transaction.then(Op.COMMIT);
            }
            default -> {
                transaction.then(Op.COMMIT);
                transaction.then(Op.TELL_ENDED);
            }
        }
    }

    private void planAnnouncement() {
        SimulatedTransaction transaction = begin(Teller.ANNOUNCEMENT);
        int old = takenValue();
        int value = someValue(false);
        boolean renames = random.nextInt(3) == 0;
        if (!renames && random.nextInt(3) == 0) {
            transaction.then(Op.DELETE, old);
            transaction.then(Op.COMMIT);
            return;
        }
        transaction.then(Op.ANNOUNCE, value);
        transaction.then(renames ? Op.RENAME : Op.INSERT, renames ? old : value, value);
        planEnd(transaction);
    }

    private void planWatch() {
        SimulatedTransaction transaction = begin(Teller.WATCH);
        int value = random.nextInt(3) == 0 ? takenValue() : someValue(false);
        transaction.then(Op.WATCH, value);
        transaction.then(Op.INSERT, value);
        boolean late = profile.untoldWrites() && random.nextInt(8) == 0;
        if (late) {
            transaction.then(Op.TELL_ENDED);
        }
        transaction.then(random.nextInt(5) == 0 ? Op.ROLLBACK : Op.COMMIT);
        if (!late) {
            transaction.then(Op.TELL_ENDED);
        }
    }

    // ---------------------------------------------------------------- acting

    /** One of the open transactions does its next step, unless it waits for another. */
    void step() {
        if (!live.isEmpty()) {
            step(live.get(random.nextInt(live.size())));
        }
    }

    private void step(SimulatedTransaction transaction) {
        Step step = transaction.steps.peek();
        if (step == null) {
            live.remove(transaction);
            return;
        }
        trace.note(step.op(), transaction.number, step.value());
        if (!mayAct(transaction, step)) {
            if (closing || random.nextInt(8) == 0) {
                fail(transaction); // a deadlock, or too long a wait
            }
            return;
        }
        transaction.steps.poll();
        act(transaction, step);
        if (transaction.steps.isEmpty()) {
            live.remove(transaction);
        }
    }

    private boolean mayAct(SimulatedTransaction transaction, Step step) {
        return switch (step.op()) {
            case INSERT, DELETE -> store.lock(transaction, step.value());
            case WRITE_BACK -> {
                int present = store.valueOfId(step.other());
                yield store.lock(transaction, step.value())
                        && (present == SimulatedStore.ABSENT || store.lock(transaction, present));
            }
            case RENAME, SWAP -> store.lock(transaction, step.value()) && store.lock(transaction, step.other());
            default -> true;
        };
    }

    private void act(SimulatedTransaction transaction, Step step) {
        int value = step.value();
        switch (step.op()) {
            case TELL_ADD -> {
                hotKey = SimulatedNames.keyOf(value);
                tell(transaction, value);
            }
            case TELL_UNSEEN -> write(transaction).unseen(KIND);
            case ANNOUNCE -> {
                hotKey = SimulatedNames.keyOf(value);
                transaction.announcement = registrations.announce(KIND, SimulatedNames.text(value));
            }
            case WATCH -> {
                hotKey = SimulatedNames.keyOf(value);
                transaction.announcement = registrations.watch(KIND, SimulatedNames.text(value));
            }
            case INSERT -> {
                if (store.sees(transaction, value)) {
                    refused(transaction);
                } else {
                    store.insert(transaction, value);
                }
            }
            case DELETE -> {
                hotKey = SimulatedNames.keyOf(value);
                if (store.sees(transaction, value)) {
                    int unused = store.delete(transaction, value);
                } else {
                    nothingChanged(transaction);
                }
            }
            case RENAME -> {
                if (!store.sees(transaction, value)) {
                    nothingChanged(transaction);
                } else if (!store.equal(value, step.other()) && store.sees(transaction, step.other())) {
                    refused(transaction);
                } else {
                    store.rename(transaction, value, step.other());
                }
            }
            case SWAP -> {
                if (store.sees(transaction, value) && store.sees(transaction, step.other())) {
                    store.swap(transaction, value, step.other());
                } else {
                    nothingChanged(transaction);
                }
            }
            case WRITE_BACK -> writeBack(transaction, value, store.valueOfId(step.other()));
            case SAVEPOINT -> transaction.setSavepoint();
            case ROLLBACK_TO_SAVEPOINT -> transaction.rollBackToSavepoint();
            case COMMIT -> store.commit(transaction);
            case ROLLBACK -> store.rollBack(transaction);
            case TELL_OVER -> {
                if (!transaction.writes.isEmpty()) {
                    transaction.writes.get(transaction.writes.size() - 1).over();
                    transaction.toldOver = true;
                }
            }
            case TELL_ENDED -> tellEnded(transaction);
            case HANG -> throw new AssertionError("a transaction hangs as soon as nobody hears of it any more");
        }
    }

    private void writeBack(SimulatedTransaction transaction, int read, int present) {
        if (present == SimulatedStore.ABSENT || !store.sees(transaction, present)) {
            nothingChanged(transaction);
        } else if (!store.equal(read, present) && store.sees(transaction, read)) {
            refused(transaction);
        } else {
            store.rename(transaction, present, read);
        }
    }

    /** In a statement of its own, or in one with what was told before it. */
    private void tell(SimulatedTransaction transaction, int value) {
        if (transaction.teller == Teller.ANNOUNCEMENT) {
            transaction.more.add(registrations.announce(KIND, SimulatedNames.text(value)));
        } else {
            write(transaction).adding(KIND, SimulatedNames.text(value));
        }
    }

    private IdentifierWrite write(SimulatedTransaction transaction) {
        if (transaction.writes.isEmpty() || transaction.toldOver) {
            transaction.writes.add(new WriteRecord(kinds));
            transaction.toldOver = false;
        }
        return transaction.writes.get(transaction.writes.size() - 1);
    }

    private void tellEnded(SimulatedTransaction transaction) {
        transaction.writes.forEach(IdentifierWrite::ended);
        transaction.more.forEach(Announcement::close);
        if (transaction.announcement != null) {
            transaction.announcement.close();
        }
        if (transaction.teller == Teller.WATCH) {
            transaction.covered = false; // a commit from now on is outside what a watch promises
        }
        Step next = transaction.steps.peek();
        if (next != null && next.op() == Op.HANG) {
            transaction.steps.poll();
            transaction.hangingSince = clock.getAsLong();
            live.remove(transaction);
            hanging.add(transaction);
        }
    }

    /** A statement violates the unique constraint: the application gives up, or goes on without it. */
    private void refused(SimulatedTransaction transaction) {
        if (random.nextInt(5) < 3) {
            fail(transaction);
        }
    }

    /** A statement finds no row: a stale entity, and the integration says so. */
    private void nothingChanged(SimulatedTransaction transaction) {
        if (random.nextBoolean()) {
            fail(transaction);
        }
    }

    private static void fail(SimulatedTransaction transaction) {
        transaction.steps.clear();
        transaction.then(Op.ROLLBACK);
        transaction.then(Op.TELL_ENDED);
    }

    // ---------------------------------------------------------------- late ends

    /** One of the hanging transactions ends in the database at last. */
    void endOneHanging() {
        if (!hanging.isEmpty()) {
            end(hanging.get(random.nextInt(hanging.size())));
        }
    }

    /** The moment by which some hanging transaction must have ended, or the given one if that is sooner. */
    long nextDeadline(long until) {
        long next = until;
        for (SimulatedTransaction transaction : hanging) {
            next = Math.min(next, deadline(transaction));
        }
        return next;
    }

    private long deadline(SimulatedTransaction transaction) {
        return transaction.hangingSince + profile.lingerNanos() - 1;
    }

    void endHangingDue() {
        long now = clock.getAsLong();
        for (SimulatedTransaction transaction : List.copyOf(hanging)) {
            if (deadline(transaction) <= now) {
                end(transaction);
            }
        }
    }

    /** All that was sent is done at once. */
    private void end(SimulatedTransaction transaction) {
        hanging.remove(transaction);
        while (!transaction.steps.isEmpty()) {
            Step step = transaction.steps.poll();
            trace.note(step.op(), transaction.number, step.value());
            if (!mayAct(transaction, step)) {
                transaction.steps.clear();
                transaction.then(Op.ROLLBACK);
            } else {
                act(transaction, step);
            }
        }
    }

    /** Every transaction goes on to its end. */
    void finish() {
        closing = true;
        while (open() > 0) {
            if (live.isEmpty()) {
                end(hanging.get(0));
            } else {
                step(live.get(0));
            }
        }
    }

    // ---------------------------------------------------------------- bulk work

    /** A transaction within {@link Registrations#bulk}; what it writes nobody tells of. */
    void bulk(Runnable meanwhile) {
        registrations.bulk(KIND, () -> {
            SimulatedTransaction transaction = begin(Teller.NOBODY);
            live.remove(transaction);
            meanwhile.run();
            for (int writes = 1 + random.nextInt(3); writes > 0; writes--) {
                bulkWrite(transaction);
            }
            meanwhile.run();
            trace.note(Op.COMMIT, transaction.number);
            store.commit(transaction);
            meanwhile.run();
        });
    }

    private void bulkWrite(SimulatedTransaction transaction) {
        if (random.nextInt(3) == 0) {
            int value = takenValue();
            trace.note(Op.DELETE, transaction.number, value);
            if (store.lock(transaction, value) && store.sees(transaction, value)) {
                int unused = store.delete(transaction, value);
            }
        } else {
            int value = unseenValue();
            trace.note(Op.INSERT, transaction.number, value);
            insert(transaction, value);
        }
    }
}
