package io.github.untaken.kind;

import static io.github.untaken.kind.ModelChecker.play;

import io.github.untaken.kind.ModelChecker.Race;
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
    void aCheckFindsANameAtEveryMomentOfItsTelling() {
        play(Race.of("nothing", "registerAndCheck", "check")); // R1
    }

    @Test
    void aBatchFindsANameAtEveryMomentOfItsTelling() {
        play(Race.of("nothing", "register", "checkInBatch")); // R7
    }

    @Test
    void theNewbornHearsOfWhatIsToldWhileItIsBorn() {
        play(Race.of("nothing", "register", "rebuild")); // R1
    }

    @Test
    void whatWasRegisteredInVainHidesNobodysName() {
        play(Race.of("nothing", "registerInVain", "registerAndCheck")); // R2
    }

    @Test
    void aCheckDoesNotMissABirth() {
        play(Race.of("nothing", "registerAndRebuild", "check")); // R7
    }

    @Test
    void aNameToldDuringASwapIsKnownToWhatStillServes() {
        play(Race.of("nothing", "registerAndCheck", "rebuild")); // R3
    }

    @Test
    void aBatchDoesNotMissABirth() {
        play(Race.of("nothing", "registerAndRebuild", "checkInBatch")); // R7
    }

    @Test
    void aCheckDoesNotMissWhatWasUnseen() {
        play(Race.of("nothing", "check", "registerInBulk rebuild")); // R7
    }

    @Test
    void aBatchDoesNotMissWhatWasUnseen() {
        play(Race.of("nothing", "checkInBatch", "registerInBulk rebuild")); // R7
    }

    @Test
    void whatIsGivenUpForLostIsToldToTheNewborn() {
        play(Race.of("nothing", "registerAfterItIsGivenUp", "rebuild")); // R2
    }

    @Test
    void aCheckDoesNotJoinAReadThatStartedBeforeIt() {
        play(Race.of("aStaleEntry", "check", "register check")); // R9
    }

    @Test
    void aReadOverlappedByARegistrationTeachesNothing() {
        play(Race.of("aStaleEntry", "recheck", "register")); // R8
    }

    @Test
    void aReadOverlappedByBulkWorkTeachesNothing() {
        play(Race.of("aStaleEntry", "check", "registerInBulk rebuild")); // R5
    }

    @Test
    void aReadOvertakenByARenewalTeachesNothing() {
        play(Race.of("registerInVain", "recheck renew", "registerAndCheck")); // R3
    }

    @Test
    void theRenewedHearsOfWhatIsTold() {
        play(Race.of("registerInVain", "recheck renew recheck", "register")); // R3
    }

    @Test
    void aMentionedNameIsFoundAtEveryMoment() {
        play(Race.of("nothing", "registerMentioned", "check")); // R15
    }

    @Test
    void aBatchFindsAMentionedNameAtEveryMoment() {
        play(Race.of("nothing", "registerMentioned", "checkInBatch")); // R15
    }

    @Test
    void aMentionedNameIsToldToTheNewborn() {
        play(Race.of("nothing", "registerMentioned check", "rebuild")); // R15
    }

    @Test
    void aDisplayFormIsFoundAsItIsTyped() {
        play(Race.of("aStaleEntry", "registerDisplayForm checkDisplayForm", "checkDisplayForm")); // R13
    }

    @Test
    void twoWritersTwoCheckersAndABirth() {
        play(Race.of("aRow", "delete register", "registerInVain", "check", "check", "rebuild"));
    }
}
