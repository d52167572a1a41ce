package io.github.untaken;

import io.github.untaken.ModelChecker.Race;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The races of the registry, each so small that every schedule with a few changes of threads can be played: in none of
 * them does a check call a committed row available. After the threads have ended one more check is made.
 */
class RegistryModelTest {
    private static final Race SETTLING = Race.of("nothing", "register", "check"); // P9
    private static final Race SETTLING_BATCH = Race.of("nothing", "register", "checkInBatch"); // P6
    private static final Race OWNERS = Race.of("nothing", "registerInVain", "registerAndCheck"); // P4
    private static final Race SWAP = Race.of("nothing", "registerAndRebuild", "check"); // P6
    private static final Race SWAP_BATCH = Race.of("nothing", "registerAndRebuild", "checkInBatch"); // P6
    private static final Race LOST_OUTCOME = Race.of("nothing", "registerUnheard", "check"); // P9
    private static final Race SCAN = Race.of("nothing", "register", "rebuild"); // P9
    private static final Race RUNNING_READ = Race.of("aStaleCopy", "check", "register check"); // P1
    private static final Race STAMPS = Race.of("aStaleCopy", "recheck", "register"); // P9
    private static final Race EPOCHS = Race.of("aStaleCopy", "check", "registerInBulk rebuild"); // P8
    private static final Race REMOVAL_TOLD_AGAIN = Race.of("aRow", "delete register", "tellOfDelete"); // P12
    private static final Race REMOVAL_THAT_NEVER_WAS = Race.of("aRow", "tellOfDelete", "check"); // P12
    private static final Race ALL =
            Race.of("aRow", "delete register", "registerInVain tellOfDelete", "check", "check", "rebuild");

    @Test
    void noScheduleOfAnyRaceMakesACommittedNameAvailable() {
        ModelChecker.play(List.of(
                SETTLING,
                SETTLING_BATCH,
                OWNERS,
                SWAP,
                SWAP_BATCH,
                LOST_OUTCOME,
                SCAN,
                RUNNING_READ,
                STAMPS,
                EPOCHS,
                REMOVAL_TOLD_AGAIN,
                REMOVAL_THAT_NEVER_WAS,
                ALL));
    }

    /** Each by itself, for planted bugs and for whoever looks for one: {@code -Dmodel.single=true}. */
    @Nested
    @EnabledIfSystemProperty(named = "model.single", matches = "true", disabledReason = "all are played together")
    class Single {
        @Test
        void aCheckFindsAKeyAtEveryMomentOfItsSettling() {
            ModelChecker.play(List.of(SETTLING));
        }

        @Test
        void aBatchFindsAKeyAtEveryMomentOfItsSettling() {
            ModelChecker.play(List.of(SETTLING_BATCH));
        }

        @Test
        void aRollbackDoesNotHideTheCommitOfAnotherOwner() {
            ModelChecker.play(List.of(OWNERS));
        }

        @Test
        void aCheckDoesNotMissASwapBehindItsBack() {
            ModelChecker.play(List.of(SWAP));
        }

        @Test
        void aBatchDoesNotMissASwapBehindItsBack() {
            ModelChecker.play(List.of(SWAP_BATCH));
        }

        @Test
        void aCheckFindsAKeyWhoseOutcomeGotLost() {
            ModelChecker.play(List.of(LOST_OUTCOME));
        }

        @Test
        void aKeySettledDuringAScanIsInTheNextGeneration() {
            ModelChecker.play(List.of(SCAN));
        }

        @Test
        void aCheckDoesNotJoinAReadThatStartedBeforeIt() {
            ModelChecker.play(List.of(RUNNING_READ));
        }

        @Test
        void aReadOverlappedByARegistrationTeachesNothing() {
            ModelChecker.play(List.of(STAMPS));
        }

        @Test
        void aReadOverlappedByBulkWorkTeachesNothing() {
            ModelChecker.play(List.of(EPOCHS));
        }

        @Test
        void aDeleteToldOfAgainTakesNoOtherCopy() {
            ModelChecker.play(List.of(REMOVAL_TOLD_AGAIN));
        }

        @Test
        void aDeleteThatNeverHappenedTakesNoCopy() {
            ModelChecker.play(List.of(REMOVAL_THAT_NEVER_WAS));
        }

        @Test
        void twoWritersTwoCheckersAndARebuild() {
            ModelChecker.play(List.of(ALL));
        }
    }
}
