package io.github.untaken;

import static io.github.untaken.ModelChecker.play;

import io.github.untaken.ModelChecker.Race;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The races of the registry, each so small that every schedule with a few changes of threads can be played: in none of
 * them does a check call a committed row available. After the threads have ended one more check is made.
 */
@Tag("ci")
@Tag("nightly")
class RegistryModelTest {
    @Test
    void aCheckFindsAKeyAtEveryMomentOfItsSettling() {
        play(Race.of("nothing", "register", "check")); // P9
    }

    @Test
    void aBatchFindsAKeyAtEveryMomentOfItsSettling() {
        play(Race.of("nothing", "register", "checkInBatch")); // P6
    }

    @Test
    void aRollbackDoesNotHideTheCommitOfAnotherOwner() {
        play(Race.of("nothing", "registerInVain", "registerAndCheck")); // P4
    }

    @Test
    void aCheckDoesNotMissASwapBehindItsBack() {
        play(Race.of("nothing", "registerAndRebuild", "check")); // P6
    }

    @Test
    void aBatchDoesNotMissASwapBehindItsBack() {
        play(Race.of("nothing", "registerAndRebuild", "checkInBatch")); // P6
    }

    @Test
    void aCheckFindsAKeyWhoseOutcomeGotLost() {
        play(Race.of("nothing", "registerUnheard", "check")); // P9
    }

    @Test
    void aKeySettledDuringAScanIsInTheNextGeneration() {
        play(Race.of("nothing", "register", "rebuild")); // P9
    }

    @Test
    void aCheckDoesNotJoinAReadThatStartedBeforeIt() {
        play(Race.of("aStaleEntry", "check", "register check")); // P1
    }

    @Test
    void aReadOverlappedByARegistrationTeachesNothing() {
        play(Race.of("aStaleEntry", "recheck", "register")); // P9
    }

    @Test
    void aReadOverlappedByBulkWorkTeachesNothing() {
        play(Race.of("aStaleEntry", "check", "registerInBulk rebuild")); // P8
    }

    @Test
    void aDeleteToldOfAgainWhitelistsOnlyAFreeName() {
        play(Race.of("aRow", "delete register", "tellOfDelete")); // P12
    }

    @Test
    void aDeleteThatNeverHappenedTakesNothing() {
        play(Race.of("aRow", "tellOfDelete", "check")); // P12
    }

    @Test
    void theReadAfterADeleteTeachesNothingThatARegistrationOvertook() {
        play(Race.of("aStaleEntry", "tellOfDelete", "registerAndCheck")); // P12
    }

    @Test
    void aCheckFindsADisplayFormAtEveryMomentOfItsSettling() {
        play(Race.of("aStaleEntry", "registerDisplayForm", "check")); // P2
    }

    @Test
    void aDisplayFormSettledDuringAScanIsInTheNextGeneration() {
        play(Race.of("nothing", "registerDisplayForm", "rebuild check")); // P2
    }

    @Test
    void aRollbackDoesNotEndTheDoubtOfAnotherOwner() {
        play(Race.of("nothing", "registerAfterItIsGivenUp", "registerInVain")); // P4
    }

    @Test
    void twoWritersTwoCheckersAndARebuild() {
        play(Race.of("aRow", "delete register", "registerInVain tellOfDelete", "check", "check", "rebuild"));
    }
}
