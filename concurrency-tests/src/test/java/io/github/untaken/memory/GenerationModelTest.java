package io.github.untaken.memory;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.github.untaken.kind.ModelChecker;
import io.github.untaken.kind.ModelChecker.Race;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is told and what is learnt at once, in every schedule; the whole registry has too many. */
@Tag("ci")
@Tag("nightly")
class GenerationModelTest {
    @Test
    void whoWasToldOfIsNotLearntAsAbsent() {
        ModelChecker.play(GenerationModel.class, options(), 1_000, Race.of("aStaleEntry", "learn", "tell"));
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .addGuarantee(forClasses("io.github.untaken.filter.CuckooFilter", ToldHashes.class.getName())
                        .allMethods()
                        .treatAsAtomic())
                .addGuarantee(forClasses(Whitelist.class.getName())
                        .methods("learn", "forget", "has")
                        .treatAsAtomic());
    }
}
