package io.github.untaken.spring.boot.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Who waits in vain is told; who does not ask for it neither waits nor hears of it. */
class ReadyWaitTest {
    /** Marked by another, as the contexts of one test run mark it that Spring keeps for later tests. */
    private static final class MarkedByAnother implements RegisteredIdentifierStore.Exclusive {
        @Override
        public Presence exists(String text, Duration timeout) {
            return Presence.of(false);
        }

        @Override
        public void scan(Consumer<String> values) {}

        @Override
        public Standing standing() {
            return Standing.BESIDE_OTHERS;
        }

        @Override
        public void mark() {}

        @Override
        public void release() {}
    }

    private final ApplicationContextRunner neverReady = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(UntakenAutoConfiguration.class))
            .withBean("usernameStore", RegisteredIdentifierStore.class, () -> {
                InMemoryIdentifierStore failing = new InMemoryIdentifierStore();
                failing.failing(true);
                return failing;
            });

    private final ApplicationContextRunner besideAnother = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(UntakenAutoConfiguration.class))
            .withBean("usernameStore", RegisteredIdentifierStore.class, MarkedByAnother::new);

    private static List<String> complaints(ApplicationContextRunner runner, String... properties) {
        try (LoggedLines log = new LoggedLines()) {
            runner.withPropertyValues(properties)
                    .run(context -> context.getBean(ReadyWait.class).run(new DefaultApplicationArguments()));
            return log.about("untaken.await-ready");
        }
    }

    @Test
    void aStartThatDoesNotWaitIsNotWarnedOf() {
        assertThat(complaints(neverReady)).isEmpty();
    }

    @Test
    void aWaitInVainIs() {
        assertThat(complaints(neverReady, "untaken.await-ready=10ms")).hasSize(1);
    }

    @Test
    @Timeout(60)
    void nobodyWaitsForAnotherWriterToEnd() {
        assertThat(complaints(besideAnother, "untaken.await-ready=1h")).hasSize(1);
    }
}
