package io.github.untaken.kind;

import java.util.ArrayList;
import java.util.List;

/** The log of the simulated database: commits in their order, and the marks that questions leave. */
final class ClusterLog {
    /** A transaction in the log. */
    static final class Commit {
        final int[] values;
        /** Whether reads see it. */
        boolean visible;
        /** How often each value had vanished when this became visible, to know at the acknowledgement whether it is there yet. */
        int[] vanished = new int[0];

        Commit(int... values) {
            this.values = values;
        }
    }

    private final List<Commit> entries = new ArrayList<>();
    private int allVisibleBefore;

    int size() {
        return entries.size();
    }

    Commit entry(int index) {
        return entries.get(index);
    }

    Commit append(int... values) {
        Commit commit = new Commit(values);
        entries.add(commit);
        return commit;
    }

    /** Where the mark stands. */
    int mark() {
        append().visible = true;
        return entries.size() - 1;
    }

    /** All that stands before this place can be seen. */
    int allVisibleBefore() {
        while (allVisibleBefore < entries.size() && entries.get(allVisibleBefore).visible) {
            allVisibleBefore++;
        }
        return allVisibleBefore;
    }
}
