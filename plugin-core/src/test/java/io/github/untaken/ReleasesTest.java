package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Verdict.DecidedBy;
import org.junit.jupiter.api.Test;

/** What becomes of names that are said to have become free. */
class ReleasesTest {

    private static void delete(CheckerFixture f, String name) {
        f.store.delete(name);
        f.checker.registrations().released(KIND, name);
    }

    @Test
    void whatFindsNoRoomOnlyCountsAsStaleAndCostsItsFirstCheckARead() {
        int names = 10_050;
        ScriptedStore store = new ScriptedStore();
        for (int i = 0; i < names; i++) {
            store.commit("name" + i);
        }
        for (int i = 0; i < 100; i++) {
            store.commit("other" + i); // so that there are fewer stale entries than entries, and no scan comes
        }
        try (CheckerFixture f = CheckerFixture.ready(store, builder -> builder.staleShare(1))) {
            Gate slow = store.holdReply("name0");
            for (int i = 0; i < names; i++) {
                delete(f, "name" + i);
                if (i == 0) {
                    slow.awaitArrival();
                }
            }
            assertThat(f.stats().stale()).as("for which there was no room").isEqualTo(names - 10_001);
            int before = store.reads();
            slow.open();
            eventually(() -> f.stats().stale() == names);
            assertThat(store.reads() - before).as("one for each that had room").isEqualTo(10_000);
            assertThat(f.check("name10000").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
            assertThat(f.check("name10001").decidedBy()).isEqualTo(DecidedBy.STORE);
            assertThat(f.check("name10001").decidedBy()).isEqualTo(DecidedBy.WHITELIST);
        }
    }

    @Test
    void whatCannotBeReadCostsItsFirstCheckARead() {
        try (CheckerFixture f = CheckerFixture.ready("alice", "bob")) {
            f.store.failing(true);
            delete(f, "alice");
            eventually(() -> f.stats().stale() == 1);
            f.store.failing(false);
            assertThat(f.check("alice")).matches(v -> v.available() && v.decidedBy() == DecidedBy.STORE);
            delete(f, "bob");
            eventually(() -> f.stats().stale() == 2);
            assertThat(f.check("bob").decidedBy()).as("the next is read again").isEqualTo(DecidedBy.WHITELIST);
        }
    }

    @Test
    void aNameThatIsStillThereIsNotStale() {
        try (CheckerFixture f = CheckerFixture.ready("alice", "bob")) {
            f.checker.registrations().released(KIND, "alice");
            delete(f, "bob");
            eventually(() -> f.stats().stale() == 1);
            assertThat(f.status("alice")).isEqualTo(Verdict.Status.TAKEN);
        }
    }
}
