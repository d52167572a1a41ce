package io.github.untaken.kind;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.Gate;
import io.github.untaken.KindState;
import io.github.untaken.RowsStore;
import io.github.untaken.Verdict;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.HashAlgorithm;
import io.github.untaken.log.CatalogLease;
import io.github.untaken.memory.Generation;
import io.github.untaken.memory.GenerationFactory;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Under a virtual clock, scans on real threads: connections whose flow was forgotten, on which no answer comes and no error. */
class LostScansTest {

    private static final class ForgottenStore extends RowsStore
            implements RegisteredIdentifierStore.Counted, RegisteredIdentifierStore.Comparing {
        private final AtomicInteger hanging = new AtomicInteger();
        private final AtomicReference<Gate> heldComparison = new AtomicReference<>();
        private final AtomicReference<Gate> heldCount = new AtomicReference<>();
        private final AtomicInteger counts = new AtomicInteger();
        private volatile Gate scans;
        private volatile boolean coarse;

        private static void pass(AtomicReference<Gate> held) {
            Gate gate = held.getAndSet(null);
            if (gate != null) {
                gate.pass();
            }
        }

        @Override
        public void scan(Consumer<String> values) {
            Gate gate = scans;
            if (gate != null) {
                hanging.incrementAndGet();
                gate.pass();
                hanging.decrementAndGet();
            }
            super.scan(values);
        }

        @Override
        public long count() {
            pass(heldCount);
            counts.incrementAndGet();
            return rows.size();
        }

        @Override
        public ColumnDescription describe() {
            return new ColumnDescription("users.username", true, "", "by its own rules");
        }

        @Override
        public List<Boolean> heldEqual(List<ValuePair> pairs) {
            boolean equal = coarse;
            pass(heldComparison);
            return pairs.stream().map(pair -> equal).toList();
        }
    }

    private final ForgottenStore store = new ForgottenStore();
    private long nanos;
    private final VirtualSchedule clock = new VirtualSchedule(() -> nanos);
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    private final RegisteredKind registered = registered();

    private RegisteredKind registered() {
        return new RegisteredKind(
                new KindTerms(
                        KIND,
                        LOWER_CASE,
                        new Stores(List.of(store)),
                        CatalogLease.Terms.UNASKED,
                        KindTerms.Policy.PLAIN,
                        new KindTerms.Workers(Runnable::run, clock, threads)),
                settings(),
                null);
    }

    private RegistrySettings settings() {
        return SteppedSettings.of(
                GenerationFactory.of(FilterType.CUCKOO, HashAlgorithm.PACKED_WORDS, Generation.Limits.of(100)),
                Duration.ofMinutes(10),
                () -> nanos);
    }

    @AfterEach
    void close() {
        threads.shutdown();
    }

    private void pass(Duration time) {
        for (long end = nanos + time.toNanos(); nanos < end; nanos += TimeUnit.SECONDS.toNanos(1)) {
            while (clock.canRun()) {
                clock.runNext();
            }
        }
    }

    /** So much time passes in each look at the condition. */
    private void pass(Duration time, BooleanSupplier until) {
        eventually(() -> {
            pass(time);
            return until.getAsBoolean();
        });
    }

    private void becomeReady() {
        pass(Duration.ofSeconds(1), () -> registered.state() == KindState.READY);
    }

    @Test
    void howeverManyScansHangTheClockGoesOnAndTheNextOneThatEndsMendsIt() {
        registered.start();
        becomeReady();
        Gate gate = new Gate();
        store.scans = gate;
        pass(Duration.ofMinutes(1), () -> store.hanging.get() == 1);
        pass(Duration.ofMinutes(16));
        assertThat(registered.state()).isEqualTo(KindState.DEGRADED);
        pass(Duration.ofMinutes(1), () -> store.hanging.get() == 4);
        pass(Duration.ofHours(3));
        assertThat(store.hanging).as("no more than these").hasValue(4);
        assertThat(registered.stats().reason())
                .contains("the last complete scan is older than the rescan interval allows", "4 scans or audits hang");
        assertThat(registered.stats().scans().progress()).isEmpty();
        store.rows.add("bob"); // by somebody who tells nobody
        store.scans = null;
        gate.open();
        becomeReady();
        assertThat(registered
                        .registry()
                        .check("bob", "bob", false, () -> true, null)
                        .status())
                .isEqualTo(Verdict.Status.TAKEN);
    }

    /** Between another's objection and its birth the answer of one that was disowned would lift the objection. */
    @Test
    void anAnswerThatIsNotWaitedForLiftsNoObjection() {
        Gate forgotten = new Gate();
        store.heldComparison.set(forgotten);
        registered.start();
        pass(Duration.ofSeconds(1));
        forgotten.awaitArrival();
        store.coarse = true;
        Gate second = new Gate();
        store.heldCount.set(second);
        pass(Duration.ofMinutes(30));
        second.awaitArrival(); // it has objected
        forgotten.open();
        eventually(() -> threads.getActiveCount() == 1);
        second.open();
        pass(Duration.ofSeconds(1), () -> registered.stats().scans().sinceLast().isPresent());
        assertThat(registered.state()).isNotEqualTo(KindState.READY);
        assertThat(registered.stats().reason()).contains("the database holds two texts equal");
    }
}
