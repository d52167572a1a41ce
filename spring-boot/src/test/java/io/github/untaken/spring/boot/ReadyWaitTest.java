package io.github.untaken.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import org.junit.jupiter.api.Test;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Who waits in vain is told; who does not ask for it neither waits nor hears of it. */
class ReadyWaitTest {
    private final ApplicationContextRunner neverReady = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(UntakenAutoConfiguration.class))
            .withBean("usernameStore", RegisteredIdentifierStore.class, () -> {
                InMemoryIdentifierStore failing = new InMemoryIdentifierStore();
                failing.failing(true);
                return failing;
            });

    private long complaints(String... properties) {
        try (HeardLog log = new HeardLog()) {
            neverReady
                    .withPropertyValues(properties)
                    .run(context -> context.getBean(ReadyWait.class).run(new DefaultApplicationArguments()));
            return log.count("untaken.await-ready");
        }
    }

    @Test
    void aStartThatDoesNotWaitIsNotWarnedOf() {
        assertThat(complaints()).isZero();
    }

    @Test
    void aWaitInVainIs() {
        assertThat(complaints("untaken.await-ready=10ms")).isOne();
    }
}
