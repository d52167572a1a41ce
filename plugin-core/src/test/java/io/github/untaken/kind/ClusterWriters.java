package io.github.untaken.kind;

import static io.github.untaken.CheckerFixture.KIND;

import io.github.untaken.kind.SimulatedTransaction.Op;
import io.github.untaken.kind.SimulatedTransaction.Step;
import io.github.untaken.kind.SimulatedTransaction.Teller;
import io.github.untaken.spi.IdentifierWrite;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * Who writes the simulated database: the nodes' applications, which tell of each statement or pass by the node, and people at a console. A
 * commit is in the log first, is seen then, and is acknowledged after that.
 */
final class ClusterWriters {
    private enum Phase {
        OPEN,
        LOGGED,
        SEEN
    }

    /** A transaction and whose it is. */
    private static final class Work {
        final SimulatedTransaction transaction;
        final int node;
        /** Whether the node is told of each value. */
        boolean told;
        /** Of the process that it began in. */
        Kinds kinds;

        boolean replyLost;
        Phase phase = Phase.OPEN;
        ClusterLog.Commit commit;

        Work(SimulatedTransaction transaction, int node) {
            this.transaction = transaction;
            this.node = node;
        }
    }

    private static final int CONSOLE = -1;

    private final SplittableRandom random;
    private final ClusterProfile profile;
    private final SimulatedStore store;
    private final ClusterLog log;
    private final ClusterOracle oracle;
    private final IntFunction<Kinds> kinds;
    private final LongSupplier clock;
    private final SimulationTrace trace;
    private final List<Work> live = new ArrayList<>();
    private int begun;
    private int hotKey;

    /** @param kinds of each node, as it is now */
    ClusterWriters(
            SplittableRandom random,
            ClusterProfile profile,
            SimulatedStore store,
            ClusterLog log,
            ClusterOracle oracle,
            IntFunction<Kinds> kinds,
            LongSupplier clock,
            SimulationTrace trace) {
        this.random = random;
        this.profile = profile;
        this.store = store;
        this.log = log;
        this.oracle = oracle;
        this.kinds = kinds;
        this.clock = clock;
        this.trace = trace;
    }

    /** The key written last; most mistakes are about it. */
    int hotKey() {
        return hotKey;
    }

    int open() {
        return live.size();
    }

    private int someValue() {
        int key = random.nextInt(3) == 0 ? hotKey : random.nextInt(profile.names());
        return key * SimulatedNames.SPELLINGS + someSpelling();
    }

    private int someSpelling() {
        return profile.displayForms() && random.nextInt(3) == 0 ? random.nextInt(SimulatedNames.SPELLINGS) : 0;
    }

    private int takenValue() {
        return store.rows() == 0 ? someValue() : store.row(random.nextInt(store.rows()));
    }

    /** What was there before anybody followed the log. */
    void fillStore() {
        Work load = begin(CONSOLE, false);
        for (int key = 0; key < profile.names(); key++) {
            if (random.nextInt(100) < profile.percentTaken()) {
                insert(load.transaction, key * SimulatedNames.SPELLINGS + someSpelling());
            }
        }
        log(load);
        show(load);
        acknowledge(load);
        live.remove(load);
    }

    private void insert(SimulatedTransaction transaction, int value) {
        if (store.lock(transaction, value) && !store.sees(transaction, value)) {
            store.insert(transaction, value);
        }
    }

    // ---------------------------------------------------------------- planning

    private Work begin(int node, boolean told) {
        boolean source = node != CONSOLE;
        SimulatedTransaction transaction = new SimulatedTransaction(begun++, source ? Teller.SOURCE : Teller.NOBODY);
        Work work = new Work(transaction, node);
        work.told = told;
        if (source) {
            work.kinds = kinds.apply(node);
            if (!told) {
                write(work).unseen(KIND);
            }
        }
        store.begin(transaction);
        live.add(work);
        return work;
    }

    /** A transaction with a plan of its own. */
    void begin() {
        int node = random.nextInt(3) == 0 ? CONSOLE : random.nextInt(profile.nodes());
        Work work = begin(node, node != CONSOLE && random.nextInt(5) > 0);
        SimulatedTransaction transaction = work.transaction;
        for (int writes = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 1; writes > 0; writes--) {
            plan(work);
        }
        if (random.nextInt(6) == 0) {
            transaction.then(Op.ROLLBACK);
            transaction.then(Op.TELL_ENDED);
        } else {
            transaction.then(Op.COMMIT);
            transaction.then(Op.TELL_ENDED);
        }
    }

    private void plan(Work work) {
        SimulatedTransaction transaction = work.transaction;
        switch (random.nextInt(8)) {
            case 0, 1, 2, 3 -> {
                int value = someValue();
                add(work, value);
                transaction.then(Op.INSERT, value);
                answer(work);
            }
            case 4, 5 -> transaction.then(Op.DELETE, takenValue());
            case 6 -> {
                int from = takenValue();
                int to = random.nextInt(3) == 0
                        ? SimulatedNames.keyOf(from) * SimulatedNames.SPELLINGS + someSpelling()
                        : someValue();
                add(work, to);
                transaction.then(Op.RENAME, from, to);
                answer(work);
            }
            default -> {
                int value = takenValue();
                transaction.then(Op.DELETE, value);
                add(work, value);
                transaction.then(Op.INSERT, value);
                answer(work);
            }
        }
    }

    private static void add(Work work, int value) {
        if (work.told) {
            work.transaction.then(Op.TELL_ADD, value);
        }
    }

    /** The answer of the statement comes, or nobody tells of it before the end. */
    private void answer(Work work) {
        if (work.told && random.nextInt(4) > 0) {
            work.transaction.then(Op.TELL_OVER);
        }
    }

    /** The statement that is told of, or another one if that was answered. */
    private static IdentifierWrite write(Work work) {
        SimulatedTransaction transaction = work.transaction;
        if (transaction.writes.isEmpty() || transaction.toldOver) {
            transaction.writes.add(new WriteRecord(work.kinds));
            transaction.toldOver = false;
        }
        return transaction.writes.get(transaction.writes.size() - 1);
    }

    // ---------------------------------------------------------------- acting

    /** One of the open transactions goes on, unless it waits for another. */
    void step() {
        if (!live.isEmpty()) {
            step(live.get(random.nextInt(live.size())), random.nextInt(100) < profile.percentSlowCommits());
        }
    }

    /** @param slowly whether a commit under way stays where it is */
    private void step(Work work, boolean slowly) {
        switch (work.phase) {
            case OPEN -> {
                next(work);
                while (work.phase != Phase.OPEN && !slowly && live.contains(work)) {
                    goOn(work);
                }
            }
            case LOGGED, SEEN -> {
                if (!slowly) {
                    goOn(work);
                }
            }
        }
        if (work.phase == Phase.OPEN && work.transaction.steps.isEmpty()) {
            live.remove(work);
        }
    }

    private void next(Work work) {
        SimulatedTransaction transaction = work.transaction;
        Step step = transaction.steps.peek();
        if (step == null) {
            return;
        }
        trace.note(step.op(), transaction.number, step.value());
        if (!mayAct(transaction, step)) {
            if (random.nextInt(8) == 0) {
                fail(work); // a deadlock, or too long a wait
            }
            return;
        }
        transaction.steps.poll();
        act(work, step);
    }

    private boolean mayAct(SimulatedTransaction transaction, Step step) {
        return switch (step.op()) {
            case INSERT, DELETE -> store.lock(transaction, step.value());
            case RENAME -> store.lock(transaction, step.value()) && store.lock(transaction, step.other());
            default -> true;
        };
    }

    private void act(Work work, Step step) {
        SimulatedTransaction transaction = work.transaction;
        int value = step.value();
        switch (step.op()) {
            case TELL_ADD -> write(work).adding(KIND, SimulatedNames.text(value));
            case TELL_OVER -> {
                write(work).over();
                transaction.toldOver = true;
            }
            case INSERT -> {
                hotKey = SimulatedNames.keyOf(value);
                if (store.sees(transaction, value)) {
                    fail(work);
                } else {
                    store.insert(transaction, value);
                }
            }
            case DELETE -> {
                hotKey = SimulatedNames.keyOf(value);
                if (store.sees(transaction, value)) {
                    int unused = store.delete(transaction, value);
                }
            }
            case RENAME -> {
                if (!store.sees(transaction, value)
                        || !store.equal(value, step.other()) && store.sees(transaction, step.other())) {
                    fail(work);
                } else {
                    store.rename(transaction, value, step.other());
                }
            }
            case COMMIT -> log(work);
            case ROLLBACK -> store.rollBack(transaction);
            case TELL_ENDED -> transaction.writes.forEach(IdentifierWrite::ended);
            default -> throw new AssertionError(step.op());
        }
    }

    private void fail(Work work) {
        work.transaction.steps.clear();
        work.transaction.then(Op.ROLLBACK);
        work.transaction.then(Op.TELL_ENDED);
    }

    // ---------------------------------------------------------------- the moments of a commit

    private void goOn(Work work) {
        if (work.phase == Phase.LOGGED) {
            if (work.node != CONSOLE && random.nextInt(20) == 0) {
                work.transaction.writes.forEach(IdentifierWrite::ended); // the client has given up
                work.replyLost = true;
            }
            show(work);
        } else {
            acknowledge(work);
        }
    }

    private void log(Work work) {
        SimulatedTransaction transaction = work.transaction;
        int[] values = new int[transaction.writes()];
        int size = 0;
        for (int i = 0; i < values.length; i++) {
            if (transaction.value(i) != SimulatedStore.ABSENT && transaction.lastWrite(transaction.slot(i)) == i) {
                values[size++] = transaction.value(i);
            }
        }
        work.commit = log.append(Arrays.copyOf(values, size));
        work.phase = Phase.LOGGED;
    }

    private void show(Work work) {
        trace.note(work.phase, work.transaction.number);
        store.commit(work.transaction);
        work.commit.visible = true;
        oracle.seen(work.commit);
        work.phase = Phase.SEEN;
    }

    private void acknowledge(Work work) {
        trace.note(work.phase, work.transaction.number);
        if (!work.replyLost) {
            oracle.acknowledged(work.commit, clock.getAsLong());
            if (work.told && work.kinds == kinds.apply(work.node)) {
                oracle.known(work.commit, clock.getAsLong(), work.node); // told before it was sent
            }
        }
        work.phase = Phase.OPEN;
    }

    /** Every transaction goes on to its end. */
    void finish() {
        while (!live.isEmpty()) {
            step(live.get(0), false);
            if (!live.isEmpty() && live.get(0).phase == Phase.OPEN) {
                live.add(live.remove(0));
            }
        }
    }
}
