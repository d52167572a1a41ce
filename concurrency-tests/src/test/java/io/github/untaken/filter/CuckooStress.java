package io.github.untaken.filter;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The read protocol of the cuckoo filter on the memory model that this machine and its compilers really have: the situations of
 * {@link CuckooModel}, one writer, and one reader that asks once and
 * once in a batch: two threads, for jcstress plays no test that has more of them than the machine has cores.
 */
public final class CuckooStress {
    private CuckooStress() {}

    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "found")
    @Outcome(expect = FORBIDDEN, desc = "missed while it moved")
    @State
    public static class Move {
        private final CuckooModel model = new CuckooModel();

        public Move() {
            model.anEntryInItsOtherBucket();
        }

        @Actor
        public void writer() {
            model.crowd();
        }

        @Actor
        public void reader(ZZ_Result found) {
            found.r1 = model.finds();
            found.r2 = model.findsInBatch();
        }
    }

    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "found")
    @Outcome(expect = FORBIDDEN, desc = "missed while a twin was removed")
    @State
    public static class Twin {
        private final CuckooModel model = new CuckooModel();

        public Twin() {
            model.anEntryInItsOtherBucket();
        }

        @Actor
        public void writer() {
            model.addTwin();
            model.removeTwin();
        }

        @Actor
        public void reader(ZZ_Result found) {
            found.r1 = model.finds();
            found.r2 = model.findsInBatch();
        }
    }

    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "found")
    @Outcome(expect = FORBIDDEN, desc = "missed while it left the stash")
    @State
    public static class LeavingTheStash {
        private final CuckooModel model = new CuckooModel();

        public LeavingTheStash() {
            model.anEntryInTheStash();
        }

        @Actor
        public void writer() {
            model.addCopy();
            model.removeCopy();
        }

        @Actor
        public void reader(ZZ_Result found) {
            found.r1 = model.finds();
            found.r2 = model.findsInBatch();
        }
    }

    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "found")
    @Outcome(expect = FORBIDDEN, desc = "missed while the table was split")
    @State
    public static class Split {
        private final CuckooModel model = new CuckooModel();

        public Split() {
            model.aFullTable();
        }

        @Actor
        public void writer() {
            model.crowd();
        }

        @Actor
        public void reader(ZZ_Result found) {
            found.r1 = model.finds();
            found.r2 = model.findsInBatch();
        }
    }
}
