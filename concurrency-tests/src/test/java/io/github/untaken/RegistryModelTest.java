package io.github.untaken;

import static io.github.untaken.ModelChecker.playAll;

import io.github.untaken.RegistryModel.Free;
import io.github.untaken.RegistryModel.Maybe;
import io.github.untaken.RegistryModel.Taken;
import org.junit.jupiter.api.Test;

/**
 * The races of the registry, each small enough that every schedule of it can be played: no two threads of it, however they
 * are interleaved, make a check call a committed row available. After each schedule one more check is made.
 */
class RegistryModelTest {

    @Test
    void aCheckFindsAKeyAtEveryMomentOfItsSettling() { // P9
        playAll(Free.class, 5, "register", "check");
    }

    @Test
    void aRollbackDoesNotHideTheCommitOfAnotherOwner() { // P4
        playAll(Free.class, 4, "registerInVain", "registerAndCheck");
    }

    @Test
    void aCheckDoesNotMissASwapBehindItsBack() { // P6
        playAll(Free.class, 4, "registerAndRebuild", "check");
    }

    @Test
    void aBatchFindsAKeyAtEveryMomentOfItsSettling() { // P6
        playAll(Free.class, 4, "register", "checkInBatch");
    }

    @Test
    void aBatchDoesNotMissASwapBehindItsBack() { // P6
        playAll(Free.class, 4, "registerAndRebuild", "checkInBatch");
    }

    @Test
    void aCheckFindsAKeyWhoseOutcomeGotLost() { // P9
        playAll(Free.class, 4, "registerUnheard", "check");
    }

    @Test
    void aKeySettledDuringAScanIsInTheNextGeneration() { // P9
        playAll(Free.class, 4, "register", "rebuild");
    }

    @Test
    void aCheckDoesNotJoinAReadThatStartedBeforeIt() { // P1
        playAll(Maybe.class, 4, "check", "register check");
    }

    @Test
    void aReadOverlappedByARegistrationTeachesNothing() { // P9
        playAll(Maybe.class, 4, "recheck", "register");
    }

    @Test
    void aReadOverlappedByBulkWorkTeachesNothing() { // P8
        playAll(Maybe.class, 4, "check", "registerInBulk rebuild");
    }

    @Test
    void aDeleteToldOfAgainTakesNoOtherCopy() { // P12
        playAll(Taken.class, 4, "delete register", "tellOfDelete");
    }

    @Test
    void aDeleteThatNeverHappenedTakesNoCopy() { // P12
        playAll(Taken.class, 4, "tellOfDelete", "check");
    }

    @Test
    void twoWritersTwoCheckersAndARebuild() { // P1, P4, P6, P8, P9, P12 together
        playAll(Taken.class, 3, "delete register", "registerInVain tellOfDelete", "check", "check", "rebuild");
    }
}
