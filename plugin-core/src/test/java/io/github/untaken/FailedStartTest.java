package io.github.untaken;

import static io.github.untaken.CheckerFixture.KIND;
import static io.github.untaken.CheckerFixture.LOWER_CASE;
import static io.github.untaken.CheckerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.ChangeSink;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.WriteSink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A checker that cannot be built leaves nothing behind: it may be tried again and again. */
class FailedStartTest {
    private int connected;
    private int marks;

    private final class MarkedStore extends RowsStore
            implements RegisteredIdentifierStore.Exclusive, RegisteredIdentifierStore.Barrier {
        @Override
        public Standing standing() {
            return Standing.ALONE;
        }

        @Override
        public synchronized void mark() {
            marks = 1;
        }

        @Override
        public synchronized void release() {
            marks = 0;
        }

        @Override
        public boolean awaitOpenTransactions(Duration timeout) {
            return true;
        }
    }

    private class Source implements IdentifierSource {
        @Override
        public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
            return Map.of(KIND, List.of(new MarkedStore()));
        }

        @Override
        public void connect(WriteSink sink) {
            connected++;
        }

        @Override
        public void disconnect() {
            connected--;
        }
    }

    private final class FailingSource extends Source {
        @Override
        public void connect(WriteSink sink) {
            throw new StoreException("told to fail");
        }
    }

    private final class FailingFeed implements ChangeFeed {
        @Override
        public Set<IdentifierKind> covers(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
            return Set.of(KIND);
        }

        @Override
        public void connect(ChangeSink sink) {
            connected++;
            throw new StoreException("told to fail");
        }

        @Override
        public void disconnect() {
            connected--;
        }

        @Override
        public void awaitMark(Duration timeout) {}
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("untaken-")
                        && !thread.getName().equals("untaken-log")) // of all checkers of the process
                .collect(Collectors.toSet());
    }

    private void assertLeavesNothing(Consumer<AvailabilityCheckerBuilder> settings) {
        Set<Thread> before = threads();
        for (int i = 0; i < 5; i++) {
            AvailabilityCheckerBuilder builder = AvailabilityChecker.builder()
                    .source(new Source())
                    .normalizer(KIND, LOWER_CASE)
                    .tick(CheckerFixture.TICK);
            settings.accept(builder);
            assertThatThrownBy(builder::build)
                    .isInstanceOf(StoreException.class)
                    .hasMessage("told to fail");
        }
        eventually(() -> before.containsAll(threads()));
        assertThat(connected).isZero();
        assertThat(marks).isZero();
    }

    @Test
    void aSourceThatCannotBeConnected() {
        assertLeavesNothing(builder -> builder.source(new FailingSource()));
    }

    @Test
    void aFeedThatCannotBeConnected() {
        assertLeavesNothing(builder -> builder.feed(new FailingFeed()));
    }

    private final class StubbornSource extends Source {
        @Override
        public void disconnect() {
            throw new IllegalStateException("told to fail");
        }
    }

    @Test
    void aSourceThatCannotBeDisconnectedKeepsNothingElse() {
        Set<Thread> before = threads();
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(new StubbornSource())
                .source(new Source())
                .normalizer(KIND, LOWER_CASE)
                .tick(CheckerFixture.TICK)
                .build();
        eventually(() -> checker.state(KIND) == KindState.READY);
        checker.close();
        assertThat(connected).as("the one").isEqualTo(1);
        assertThat(marks).isZero();
        eventually(() -> before.containsAll(threads()));
    }
}
