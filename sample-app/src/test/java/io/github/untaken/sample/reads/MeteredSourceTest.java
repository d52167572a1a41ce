package io.github.untaken.sample.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.TransactionSink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MeteredSourceTest {
    private static final int READ_AT_A_TIME = 100;

    private final CheckReads checks = new CheckReads();
    private final CheckReads audits = new CheckReads();
    private final RegisteredIdentifierStore metered = MeteredSource.of(
                    new OneStore(), checks, audits, new CheckTraces())
            .stores()
            .get(IdentifierKind.USERNAME)
            .get(0);

    /** Each question makes one file read. */
    private static final class ReadingStore
            implements RegisteredIdentifierStore.Sampled, RegisteredIdentifierStore.Batched {
        @Override
        public List<Boolean> existEach(List<String> keys, Duration timeout) {
            throw new AssertionError("nobody could tell for which check");
        }

        @Override
        public boolean exists(String key, Duration timeout) {
            FileReads.counted(READ_AT_A_TIME);
            return key.equals("known");
        }

        @Override
        public void scan(Consumer<String> values) {
            FileReads.counted(READ_AT_A_TIME);
        }

        @Override
        public List<String> sample(int count) {
            FileReads.counted(READ_AT_A_TIME);
            return List.of("known");
        }
    }

    private static final class OneStore implements IdentifierSource {
        @Override
        public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
            return Map.of(IdentifierKind.USERNAME, List.of(new ReadingStore()));
        }

        @Override
        public void connect(TransactionSink sink) {}

        @Override
        public void disconnect() {}
    }

    @Test
    void tellsTheReadsOfChecksFromThoseOfAudits() throws Exception {
        ExecutorService checking = Executors.newSingleThreadExecutor();
        ExecutorService auditing = Executors.newSingleThreadExecutor();
        try {
            for (int round = 1; round <= 3; round++) {
                Future<Boolean> check = checking.submit(() -> exists("unknown"));
                assertThat(check.get(20, TimeUnit.SECONDS)).isFalse();
                Future<Boolean> audit = auditing.submit(() -> {
                    List<String> sampled = ((RegisteredIdentifierStore.Sampled) metered).sample(5);
                    return exists(sampled.get(0)) && !exists("made up");
                });
                assertThat(audit.get(20, TimeUnit.SECONDS)).isTrue();
                assertThat(checks.sum()).isEqualTo(new CheckReads.Sum(round, round, round * READ_AT_A_TIME, 0));
                assertThat(audits.sum())
                        .isEqualTo(new CheckReads.Sum(2 * round, 2 * round, 2 * round * READ_AT_A_TIME, 0));
            }
        } finally {
            checking.shutdownNow();
            auditing.shutdownNow();
        }
    }

    @Test
    void scansCountForNobody() {
        metered.scan(value -> {});
        assertThat(checks.sum()).isEqualTo(new CheckReads.Sum(0, 0, 0, 0));
        assertThat(audits.sum()).isEqualTo(new CheckReads.Sum(0, 0, 0, 0));
    }

    @Test
    void isAskedForOneKeyAtATimeAndKeepsItsOtherAbilities() {
        assertThat(metered)
                .isInstanceOf(RegisteredIdentifierStore.Sampled.class)
                .isNotInstanceOf(RegisteredIdentifierStore.Batched.class);
    }

    private boolean exists(String key) {
        return metered.exists(key, Duration.ofSeconds(1));
    }
}
