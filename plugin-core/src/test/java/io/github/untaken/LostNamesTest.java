package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.Status;
import io.github.untaken.spi.IdentifierTransaction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** P12: deletes of what memory was never told of, or has forgotten since, cost nobody else his name. */
class LostNamesTest {
    private static final int NAMES = 20_000;

    private static CheckerFixture readyWith(int names) {
        ScriptedStore store = new ScriptedStore();
        for (int i = 0; i < names; i++) {
            store.commit("name" + i);
        }
        return CheckerFixture.ready(store, builder -> {});
    }

    private static void assertNoneIsMissing(CheckerFixture f, String prefix, int count) {
        int missing = 0;
        for (int i = 0; i < count; i++) {
            missing += f.checker.checkInMemory(KIND, prefix + i).status() == Status.AVAILABLE ? 1 : 0;
        }
        assertThat(missing).as("names that are taken and called free").isZero();
    }

    private static void tellOfDelete(CheckerFixture f, String name) {
        IdentifierTransaction transaction = f.begin();
        transaction.removing(KIND, name);
        transaction.committed();
    }

    @Test
    void aForeignRowThatIsDeletedTakesNobodysEntry() {
        try (CheckerFixture f = readyWith(NAMES)) {
            List<String> suspects = new ArrayList<>();
            for (int i = 0; suspects.size() < 20; i++) {
                if (f.checker.checkInMemory(KIND, "free" + i).status() == Status.UNKNOWN) {
                    suspects.add("free" + i);
                }
            }
            suspects.forEach(f.store::commit); // by another program
            for (String name : suspects) {
                f.store.delete(name);
                tellOfDelete(f, name);
            }
            eventually(() -> f.stats().stale() == suspects.size());
            assertNoneIsMissing(f, "name", NAMES);
            assertThat(suspects).allMatch(name -> f.status(name) == Status.AVAILABLE);
        }
    }

    @Test
    void staleEntitiesThatAreDeletedTwoSwapsLaterTakeNobodysEntry() {
        try (CheckerFixture f = readyWith(NAMES)) {
            f.checker.registrations().bulk(KIND, () -> {
                for (int i = 0; i < NAMES; i++) {
                    f.store.delete("name" + i);
                    f.store.commit("renamed" + i);
                }
            });
            f.awaitRebuild();
            f.forgetRebuilds();
            f.checker.rescan(KIND);
            f.awaitRebuild();
            eventually(() -> f.checker.state(KIND) == KindState.READY);
            List<String> suspects = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                if (f.checker.checkInMemory(KIND, "name" + i).status() == Status.UNKNOWN) {
                    suspects.add("name" + i);
                }
            }
            for (int told = 0; told < 3; told++) {
                suspects.forEach(name -> tellOfDelete(f, name)); // by sessions that have them from before
            }
            tellOfDelete(f, "name0");
            eventually(() -> f.stats().stale() >= 3L * suspects.size());
            assertNoneIsMissing(f, "renamed", NAMES);
        }
    }
}
