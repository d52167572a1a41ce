package io.github.untaken.cluster.postgresql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Up to which of the values told a read sees their rows. The log is ahead of that: behind a synchronous standby a commit stands
 * in it for seconds before anybody sees the row.
 *
 * <p>Thread-safe: the thread that reads the log tells, the one that asks the primary settles.
 */
final class Visibility {
    private final int capacity;
    private final Deque<Told> waiting = new ArrayDeque<>(); // in the order told; guarded by this, as below
    private @Nullable Catalog server;

    /**
     * Values told and not yet known to be visible.
     *
     * @param last the number of the last of them
     * @param all whether they wait for every transaction up to this one, for there was no room to keep each
     */
    private record Told(int xid, long last, boolean all) {
        boolean visibleTo(Snapshot snapshot) {
            return all ? snapshot.seesAllUpTo(xid) : snapshot.sees(xid);
        }
    }

    /** @param capacity of how many transactions, 1 or more, it knows each */
    Visibility(int capacity) {
        this.capacity = capacity;
    }

    /** A value of this transaction has been told under this number; numbers rise. */
    synchronized void told(int xid, long number) {
        Told before = waiting.peekLast();
        if (before != null && (before.xid() == xid || waiting.size() >= capacity)) {
            waiting.removeLast();
            boolean all = before.all() || before.xid() != xid;
            waiting.addLast(new Told(before.xid() - xid > 0 ? before.xid() : xid, number, all));
        } else {
            waiting.addLast(new Told(xid, number, false));
        }
    }

    /** Up to which number everything told is visible from now on, if that is news. */
    synchronized OptionalLong settle(Snapshot snapshot) {
        OptionalLong reached = OptionalLong.empty();
        for (Told next = waiting.peekFirst(); next != null && next.visibleTo(snapshot); next = waiting.peekFirst()) {
            reached = OptionalLong.of(next.last());
            waiting.removeFirst();
        }
        return reached;
    }

    /**
     * The log is followed on from an earlier life; by now every transaction from before that has a number lower than the next.
     *
     * @param number what stands for all that was told then
     */
    synchronized void resume(Catalog now, long number) {
        server = now;
        waiting.clear();
        waiting.addLast(new Told((int) (now.snapshot().next() - 1), number, true));
    }

    /**
     * The log is followed anew. If another server answers now, or this one was set back, the numbers of transactions waited for mean
     * nothing, and those that are left of them can be seen.
     */
    synchronized void begin(Catalog now) {
        Catalog before = server;
        server = now;
        Told last = waiting.peekLast();
        if (before != null && last != null && now.isLaterThan(before)) {
            return;
        }
        waiting.clear();
        if (last != null) {
            waiting.addLast(new Told((int) (now.snapshot().lowest() - 1), last.last(), true));
        }
    }
}
