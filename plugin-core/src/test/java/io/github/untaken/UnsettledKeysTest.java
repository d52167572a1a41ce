package io.github.untaken;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.memory.UnsettledKeys;
import io.github.untaken.memory.UnsettledKeys.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class UnsettledKeysTest {
    private static final long SEED = Seed.of(UnsettledKeysTest.class, 20261122);

    private final Object first = new Object();
    private final Object second = new Object();
    private long nanos;
    private final UnsettledKeys unsettled = new UnsettledKeys(() -> nanos);

    private void change(Runnable change) {
        synchronized (unsettled.stripe("alice")) {
            change.run();
        }
    }

    @Test
    void aRollbackOfOneOwnerLeavesTheAnnouncementOfAnother() {
        change(() -> unsettled.announce("alice", first));
        change(() -> unsettled.announce("alice", second));
        change(() -> unsettled.leave("alice", first));
        assertThat(unsettled.state("alice")).isEqualTo(State.PENDING);
        change(() -> unsettled.leave("alice", second));
        assertThat(unsettled.state("alice")).isNull();
    }

    @Test
    void aRollbackOfOneOwnerLeavesTheDoubtOfAnother() {
        change(() -> unsettled.announce("alice", first));
        change(() -> unsettled.doubt("alice", first, false));
        change(() -> unsettled.announce("alice", second));
        assertThat(unsettled.state("alice")).isEqualTo(State.PENDING);
        change(() -> unsettled.unverify("alice", second));
        assertThat(unsettled.state("alice")).as("a doubt is stronger").isEqualTo(State.DOUBTFUL);
        change(() -> unsettled.leave("alice", second));
        assertThat(unsettled.state("alice")).isEqualTo(State.DOUBTFUL);
    }

    @Test
    void announcingTwiceIsAnnouncingOnce() {
        change(() -> unsettled.announce("alice", first));
        change(() -> unsettled.announce("alice", first));
        assertThat(unsettled.pending()).isEqualTo(1);
        change(() -> unsettled.leave("alice", first));
        assertThat(unsettled.state("alice")).isNull();
    }

    @Test
    void leavingWithoutHavingComeChangesNothing() {
        change(() -> unsettled.leave("alice", first));
        change(() -> unsettled.announce("alice", first));
        change(() -> unsettled.leave("alice", second));
        assertThat(unsettled.state("alice")).isEqualTo(State.PENDING);
        assertThat(unsettled.pending()).isEqualTo(1);
    }

    @Test
    void whatIsOddInDoubtStaysOdd() {
        change(() -> unsettled.doubt("alice", first, true));
        change(() -> unsettled.doubt("alice", second, false));
        assertThat(unsettled.state("alice")).isEqualTo(State.DOUBTFUL_AND_ODD);
    }

    @Test
    void aChangeAndWhatIsUnsettledBothMakeAReadProveNothing() {
        UnsettledKeys.Stripe stripe = unsettled.stripe("alice");
        long stamp = stripe.stamp();
        change(() ->
                assertThat(unsettled.nothingHappened("alice", stripe, stamp)).isTrue());
        change(() -> unsettled.announce("alice", first));
        change(() ->
                assertThat(unsettled.nothingHappened("alice", stripe, stamp)).isFalse());
        change(() -> unsettled.leave("alice", first));
        change(stripe::bump);
        change(() ->
                assertThat(unsettled.nothingHappened("alice", stripe, stamp)).isFalse());
    }

    /** Says of each key what the class says, in the plainest way. */
    private static final class Oracle {
        final Map<Object, Boolean> owners = new HashMap<>();
        boolean doubt;
        boolean odd;
        long since;

        State state() {
            if (owners.containsValue(false)) {
                return State.PENDING;
            }
            if (doubt) {
                return odd ? State.DOUBTFUL_AND_ODD : State.DOUBTFUL;
            }
            return owners.isEmpty() ? null : State.UNVERIFIED;
        }
    }

    @Test
    void agreesWithAnOracleWhateverIsDone() {
        List<String> keys = List.of("alice", "bob", "carol");
        List<Object> owners = List.of(first, second, new Object());
        Map<String, Oracle> oracles = new HashMap<>();
        keys.forEach(key -> oracles.put(key, new Oracle()));
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 200_000; i++) {
            String key = keys.get(random.nextInt(keys.size()));
            Object owner = owners.get(random.nextInt(owners.size()));
            Oracle oracle = oracles.get(key);
            nanos += random.nextInt(3);
            synchronized (unsettled.stripe(key)) {
                switch (random.nextInt(8)) {
                    case 0, 1 -> {
                        unsettled.announce(key, owner);
                        oracle.owners.put(owner, false);
                    }
                    case 2, 3, 4 -> {
                        unsettled.leave(key, owner);
                        oracle.owners.remove(owner);
                    }
                    case 5 -> {
                        unsettled.unverify(key, owner);
                        oracle.owners.put(owner, true);
                    }
                    case 6 -> {
                        boolean odd = random.nextInt(4) == 0;
                        unsettled.doubt(key, owner, odd);
                        oracle.owners.remove(owner);
                        oracle.odd = odd || oracle.doubt && oracle.odd;
                        oracle.doubt = true;
                        oracle.since = nanos;
                    }
                    default -> {
                        long until = nanos - random.nextInt(6);
                        assertThat(unsettled.hasDoubtsUntil(until))
                                .isEqualTo(
                                        oracles.values().stream().anyMatch(each -> each.doubt && each.since <= until));
                        unsettled.forgetDoubtsUntil(until);
                        oracles.values().stream()
                                .filter(each -> each.since <= until)
                                .forEach(each -> each.doubt = false);
                    }
                }
            }
            for (String each : keys) {
                assertThat(unsettled.state(each))
                        .as("seed %d", SEED)
                        .isEqualTo(oracles.get(each).state());
            }
            assertThat(unsettled.pending()).isEqualTo((int) oracles.values().stream()
                    .filter(each -> each.owners.containsValue(false))
                    .count());
            assertThat(unsettled.doubtful()).isEqualTo((int)
                    oracles.values().stream().filter(each -> each.doubt).count());
            assertThat(unsettled.isPendingBeside(key, owner))
                    .isEqualTo(oracle.owners.entrySet().stream()
                            .anyMatch(each -> each.getKey() != owner && !each.getValue()));
        }
    }

    /** From pending to doubtful, from one owner to the next: nobody who asks finds the key between two states. */
    @Test
    void noReaderFindsAKeyBetweenTwoStates() {
        change(() -> unsettled.announce("alice", first));
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Integer> reader = CheckerFixture.beside(() -> {
            int missed = 0;
            while (!ended.get()) {
                missed += unsettled.state("alice") == null ? 1 : 0;
            }
            return missed;
        });
        List<Object> owners = new ArrayList<>(List.of(first, second));
        for (int i = 0; i < 50_000; i++) {
            Object leaving = owners.get(i % 2);
            Object coming = owners.get((i + 1) % 2);
            change(() -> unsettled.announce("alice", coming));
            change(() -> unsettled.leave("alice", leaving));
            if (i % 5 == 0) {
                change(() -> unsettled.doubt("alice", coming, false));
                change(() -> unsettled.announce("alice", coming));
                unsettled.forgetDoubtsUntil(nanos);
            }
        }
        ended.set(true);
        assertThat(CheckerFixture.soon(reader)).isZero();
    }
}
