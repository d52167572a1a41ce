package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static io.github.untaken.Verdict.Status.AVAILABLE;
import static io.github.untaken.Verdict.Status.TAKEN;
import static io.github.untaken.Verdict.Status.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.MembershipFilters;
import io.github.untaken.filter.RemovableMembershipFilter;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AvailabilityCheckerTest {

    @Test
    void aCheckerWithoutAStoreIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> AvailabilityChecker.builder().build())
                .withMessageContaining("source(...)");
    }

    @Test
    void aKindWithoutANormalizerIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> AvailabilityChecker.builder()
                        .store(IdentifierKind.PHONE, new ScriptedStore())
                        .build())
                .withMessageContaining("'phone' has no normalizer");
    }

    @Test
    void aSettingOutOfRangeIsRefusedWithItsNameValueAndLimit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AvailabilityChecker.builder().recheckThreads(0))
                .withMessage("recheckThreads must be from 1 to 256, but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AvailabilityChecker.builder().recheckTimeout(Duration.ofHours(1)))
                .withMessage("recheckTimeout must be from PT0.001S to PT1M, but was PT1H");
    }

    @Test
    void aSettingGivenTwiceIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> AvailabilityChecker.builder().recheckQueue(5).recheckQueue(6))
                .withMessage("recheckQueue was already set");
    }

    @Test
    void askingAboutAnUnknownKindNamesTheKnownOnes() {
        try (CheckerFixture f = CheckerFixture.ready()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> f.checker.check(IdentifierKind.EMAIL, "a@example.com"))
                    .withMessageContaining("'email'")
                    .withMessageContaining("[name]")
                    .withMessageNotContaining("example.com");
        }
    }

    @Test
    void aVerdictNeverShowsTheIdentifier() {
        try (CheckerFixture f = CheckerFixture.ready("alice")) {
            assertThat(f.check("alice").toString()).doesNotContain("alice").contains("TAKEN");
        }
    }

    @Test
    void reservedNamesAreComparedAfterFolding() {
        ScriptedStore store = new ScriptedStore();
        try (CheckerFixture f =
                CheckerFixture.ready(store, b -> b.reserved(KIND, ReservedNames.of(List.of("Admin", "ROOT"))))) {
            assertThat(f.check("aDMIN").status()).isEqualTo(Verdict.Status.RESERVED);
            assertThat(f.check("root").status()).isEqualTo(Verdict.Status.RESERVED);
            assertThat(f.check("rooty").status()).isEqualTo(AVAILABLE);
        }
    }

    @Test
    void aKindInTwoTablesIsTakenIfEitherHasItAndUnknownIfOneFails() {
        ScriptedStore people = new ScriptedStore("alice");
        ScriptedStore teams = new ScriptedStore("acme");
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, people)
                .store(KIND, teams)
                .normalizer(KIND, LOWER_CASE)
                .build()) {
            eventually(() -> checker.state(KIND) == RegistryState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(TAKEN);
            assertThat(checker.check(KIND, "acme").status()).isEqualTo(TAKEN);
            assertThat(checker.check(KIND, "free").status()).isEqualTo(AVAILABLE);
            teams.failing(true);
            assertThat(checker.check(KIND, "acme").status()).isEqualTo(UNKNOWN);
        }
    }

    @ParameterizedTest
    @EnumSource(FilterType.class)
    void everyFilterKeepsThePromise(FilterType type) {
        ScriptedStore store = new ScriptedStore("alice", "bob");
        try (CheckerFixture f = CheckerFixture.ready(store, b -> b.filter(type))) {
            f.register("carol");
            assertThat(List.of("alice", "bob", "carol"))
                    .allSatisfy(name -> assertThat(f.status(name)).isEqualTo(TAKEN));
            assertThat(f.check("dave").decidedBy()).isEqualTo(Verdict.DecidedBy.FILTER);
            var t = f.begin();
            t.removing(KIND, "alice", true);
            store.delete("alice");
            t.committed();
            // What cannot forget keeps the copy until the next rebuild, and asks the store meanwhile.
            boolean forgets = MembershipFilters.of(type, 1) instanceof RemovableMembershipFilter;
            eventually(() -> forgets
                    ? f.check("alice").decidedBy() == Verdict.DecidedBy.FILTER
                    : f.stats().staleRemovals() == 1);
            assertThat(f.status("alice")).isEqualTo(AVAILABLE);
            assertThat(f.stats().staleRemovals()).isEqualTo(forgets ? 0 : 1);
            assertThat(f.status("bob")).isEqualTo(TAKEN);
            f.register("alice");
            assertThat(f.status("alice")).isEqualTo(TAKEN);
        }
    }

    @Test
    void aListenerThatThrowsChangesNothing() {
        ScriptedStore store = new ScriptedStore("alice");
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .listener(new CheckListener() {
                    @Override
                    public void checked(IdentifierKind kind, Verdict.Status status, Verdict.DecidedBy by) {
                        throw new IllegalStateException("a metric is broken");
                    }

                    @Override
                    public void stateChanged(IdentifierKind kind, RegistryState state, String reason) {
                        throw new IllegalStateException("a metric is broken");
                    }
                })
                .build()) {
            eventually(() -> checker.state(KIND) == RegistryState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(TAKEN);
            assertThat(checker.check(KIND, "bob").status()).isEqualTo(AVAILABLE);
        }
    }

    @Test
    void absenceIsNotBelievedWhileTheStoreMayOverlookASpelling() {
        ProbedStore store = new ProbedStore();
        Gate probe = store.probeGate;
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, store)
                .normalizer(KIND, LOWER_CASE)
                .recheckTimeout(Duration.ofSeconds(20))
                .build()) {
            probe.awaitArrival();
            CompletableFuture<Verdict> waiting = CheckerFixture.beside(() -> checker.check(KIND, "alice"));
            assertThat(checker.check(KIND, "Alice2").status())
                    .as("found in its exact spelling")
                    .isEqualTo(TAKEN);
            probe.open();
            assertThat(CheckerFixture.soon(waiting))
                    .matches(v -> v.status() == UNKNOWN
                            && v.reason().orElseThrow().equals(IdentifierRegistry.SPELLING_UNCERTAIN));
            store.scanGate.open();
            eventually(() -> checker.state(KIND) == RegistryState.READY);
            assertThat(checker.check(KIND, "alice").status()).isEqualTo(TAKEN);
            assertThat(checker.check(KIND, "bob").status()).isEqualTo(AVAILABLE);
        }
    }

    /** Holds a display form that its exact comparison cannot find, and admits it when probed. */
    private static final class ProbedStore implements RegisteredIdentifierStore.SpellingProbe {
        final Gate probeGate = new Gate();
        final Gate scanGate = new Gate();

        @Override
        public boolean exists(String key, Duration timeout) {
            return key.equals("Alice") || key.equals("alice2");
        }

        @Override
        public void scan(Consumer<String> values) {
            scanGate.pass();
            values.accept("Alice");
            values.accept("alice2");
        }

        @Override
        public boolean storesOtherSpellings() {
            probeGate.pass();
            return true;
        }
    }

    @Test
    void aStoreThatHoldsMoreThanItSaidGetsALargerFilter() {
        RegisteredIdentifierStore modest = new RegisteredIdentifierStore.Counted() {
            @Override
            public boolean exists(String key, Duration timeout) {
                return key.startsWith("user");
            }

            @Override
            public void scan(Consumer<String> values) {
                for (int i = 0; i < 150_000; i++) {
                    values.accept("user" + i);
                }
            }

            @Override
            public long count() {
                return 1;
            }
        };
        try (AvailabilityChecker checker = AvailabilityChecker.builder()
                .store(KIND, modest)
                .normalizer(KIND, LOWER_CASE)
                .build()) {
            eventually(() -> checker.state(KIND) == RegistryState.READY);
            for (int i = 0; i < 150_000; i += 101) {
                assertThat(checker.check(KIND, "user" + i).status()).isEqualTo(TAKEN);
            }
            assertThat(checker.stats(KIND).entries()).isEqualTo(150_000);
        }
    }
}
