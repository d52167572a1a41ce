package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names that are gone, or that the filter only takes for members, are proved absent: that costs nobody else his name. */
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

    private static void proveAbsent(CheckerFixture f, List<String> names) {
        for (String name : names) {
            assertThat(f.status(name)).isEqualTo(Status.AVAILABLE);
            assertThat(f.check(name).decidedBy()).isEqualTo(DecidedBy.WHITELIST);
        }
    }

    @Test
    void aNameThatSharesItsEntryWithAnotherIsProvedAbsentAlone() {
        try (CheckerFixture f = readyWith(NAMES)) {
            List<String> suspects = new ArrayList<>();
            for (int i = 0; suspects.size() < 20; i++) {
                if (f.checker.checkInMemory(KIND, "free" + i).status() == Status.UNKNOWN) {
                    suspects.add("free" + i);
                }
            }
            proveAbsent(f, suspects);
            assertNoneIsMissing(f, "name", NAMES);
        }
    }

    @Test
    void namesThatWereGoneTwoScansAgoAreProvedAbsentAlone() {
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
            proveAbsent(f, suspects);
            assertNoneIsMissing(f, "renamed", NAMES);
        }
    }
}
