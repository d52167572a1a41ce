package io.github.untaken.filter;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.untaken.ModelChecker;
import io.github.untaken.ModelChecker.Race;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The races of the cuckoo filter: in no schedule does a reader miss an entry that is there all the time. */
class CuckooModelTest {
    private static final Race MOVE = Race.of("anEntryInItsOtherBucket", "crowd", "ask");
    private static final Race MOVE_BATCH = Race.of("anEntryInItsOtherBucket", "crowd", "askInBatch");
    private static final Race TWIN = Race.of("anEntryInItsOtherBucket", "addTwin removeTwin", "ask");
    private static final Race STASH = Race.of("anEntryInTheStash", "addCopy removeCopy", "ask");
    private static final Race STASHED_COPY = Race.of("anEntryInAFullWord", "addCopy removeCopy", "ask");
    private static final Race STASH_BATCH = Race.of("anEntryInTheStash", "addCopy removeCopy", "askInBatch");
    private static final Race SPLIT = Race.of("aFullTable", "crowd", "ask");
    private static final Race SPLIT_BATCH = Race.of("aFullTable", "crowd", "askInBatch");
    private static final Race SPLIT_TABLE = Race.of("aFullTableWithTheEntry", "crowd", "ask");
    private static final Race WRITERS = Race.of("aFullTable", "crowd relieve", "addStranger", "ask");

    private static final Race ONE_WORD = Race.of("aWordWithRoom", "addCopy", "removeFiller");

    @Test
    void noScheduleHidesAnEntryThatIsThere() {
        play(
                MOVE,
                MOVE_BATCH,
                TWIN,
                STASH,
                STASHED_COPY,
                STASH_BATCH,
                SPLIT,
                SPLIT_BATCH,
                SPLIT_TABLE,
                WRITERS,
                ONE_WORD);
    }

    /** Each by itself, for planted bugs and for whoever looks for one: {@code -Dmodel.single=true}. */
    @Nested
    @EnabledIfSystemProperty(named = "model.single", matches = "true", disabledReason = "all are played together")
    class Single {
        @Test
        void aReaderFindsAnEntryThatMoves() {
            play(MOVE);
        }

        @Test
        void aBatchFindsAnEntryThatMoves() {
            play(MOVE_BATCH);
        }

        @Test
        void aReaderFindsAnEntryWhoseTwinIsRemoved() {
            play(TWIN);
        }

        @Test
        void aReaderFindsAnEntryThatLeavesTheStash() {
            play(STASH);
        }

        @Test
        void aReaderFindsAnEntryWhoseOtherCopyIsStashed() {
            play(STASHED_COPY);
        }

        @Test
        void aBatchFindsAnEntryThatLeavesTheStash() {
            play(STASH_BATCH);
        }

        @Test
        void aReaderFindsAnEntryThatASplitTakesFromTheStash() {
            play(SPLIT);
        }

        @Test
        void aBatchFindsAnEntryThatASplitTakesFromTheStash() {
            play(SPLIT_BATCH);
        }

        @Test
        void aReaderFindsAnEntryWhoseTableIsSplit() {
            play(SPLIT_TABLE);
        }

        @Test
        void twoWritersOfOneWordLoseNothing() {
            play(ONE_WORD);
        }

        @Test
        void aReaderFindsAnEntryBesideTwoWriters() {
            play(WRITERS);
        }
    }

    /** What works on values that never change is one step, and so is the search for a path, which changes nothing. */
    private static void play(Race... races) {
        ModelChecker.play(
                CuckooModel.class,
                new ModelCheckingOptions()
                        .loopIterationsBeforeThreadSwitch(40)
                        .loopBound(5_000)
                        .addGuarantee(
                                forClasses(Stash.class.getName()).allMethods().treatAsAtomic())
                        .addGuarantee(forClasses(CuckooPath.class.getName())
                                .methods("find")
                                .treatAsAtomic())
                        .addGuarantee(
                                forClasses(ModelChecker.class.getName(), ModelChecker.class.getName() + "$Progress")
                                        .allMethods()
                                        .ignore()),
                List.of(races));
    }
}
