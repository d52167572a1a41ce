package io.github.untaken.filter;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.untaken.kind.ModelChecker;
import io.github.untaken.kind.ModelChecker.Race;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The races of the cuckoo filter: in no schedule does a reader miss an entry that is there all the time. */
@Tag("ci")
@Tag("nightly")
class CuckooModelTest {
    @Test
    void aReaderFindsAnEntryThatMoves() {
        play(Race.of("anEntryInItsOtherBucket", "crowd", "ask"));
    }

    @Test
    void aBatchFindsAnEntryThatMoves() {
        play(Race.of("anEntryInItsOtherBucket", "crowd", "askInBatch"));
    }

    @Test
    void aReaderFindsAnEntryWhoseTwinIsRemoved() {
        play(Race.of("anEntryInItsOtherBucket", "addTwin removeTwin", "ask"));
    }

    @Test
    void aReaderFindsAnEntryThatLeavesTheStash() {
        play(Race.of("anEntryInTheStash", "addCopy removeCopy", "ask"));
    }

    @Test
    void aReaderFindsAnEntryWhoseOtherCopyIsStashed() {
        play(Race.of("anEntryInAFullWord", "addCopy removeCopy", "ask"));
    }

    @Test
    void aBatchFindsAnEntryThatLeavesTheStash() {
        play(Race.of("anEntryInTheStash", "addCopy removeCopy", "askInBatch"));
    }

    @Test
    void aReaderFindsAnEntryThatASplitTakesFromTheStash() {
        play(Race.of("aFullTable", "crowd", "ask"));
    }

    @Test
    void aBatchFindsAnEntryThatASplitTakesFromTheStash() {
        play(Race.of("aFullTable", "crowd", "askInBatch"));
    }

    @Test
    void aReaderFindsAnEntryWhoseTableIsSplit() {
        play(Race.of("aFullTableWithTheEntry", "crowd", "ask"));
    }

    @Test
    void twoWritersOfOneWordLoseNothing() {
        play(Race.of("aWordWithRoom", "addCopy", "removeFiller"));
    }

    @Test
    void aReaderFindsAnEntryBesideTwoWriters() {
        play(Race.of("aFullTable", "crowd relieve", "addStranger", "ask"));
    }

    /**
     * What works on values that never change is one step, and so is the search for a path, which changes nothing. A thousand
     * schedules: a version that a move raises too early is noticed by a batch after some 250, which needs four changes of threads.
     */
    private static void play(Race race) {
        ModelChecker.play(
                CuckooModel.class,
                new ModelCheckingOptions()
                        .loopIterationsBeforeThreadSwitch(40)
                        .loopBound(5_000)
                        .addGuarantee(
                                forClasses(Stash.class.getName()).allMethods().treatAsAtomic())
                        .addGuarantee(forClasses(CuckooPath.class.getName())
                                .methods("find")
                                .treatAsAtomic()),
                1_000,
                race);
    }
}
