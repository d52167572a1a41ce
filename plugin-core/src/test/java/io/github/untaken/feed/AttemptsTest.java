package io.github.untaken.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptsTest {
    private final Attempts attempts = new Attempts();
    private final List<String> steps = new ArrayList<>();

    /** Fails whatever it does, and is stopped while it is tried for the last time. */
    private final class Failing implements Attempts.Attempt {
        private final int tries;
        private int tried;

        Failing(int tries) {
            this.tries = tries;
        }

        @Override
        public void follow() throws IOException {
            steps.add("follow");
            if (++tried == tries) {
                attempts.stop();
            }
            throw new IOException("the server is away");
        }

        @Override
        public void lost(Throwable failure) {
            steps.add(failure.getMessage());
            throw new IllegalStateException("nobody to tell");
        }

        @Override
        public void letGo() {
            steps.add("let go");
        }
    }

    @Test
    void whateverFailsIsTriedAgainUntilItIsStopped() {
        attempts.run(new Failing(2));
        assertThat(steps)
                .containsExactly("follow", "the server is away", "let go", "follow", "the server is away", "let go");
        assertThat(attempts.isStopped()).isTrue();
    }

    @Test
    void pausesGrowAsLongAsNothingSucceeds() {
        long begun = System.nanoTime();
        attempts.run(new Failing(3));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void whatWasLeftIsTriedSixTimesInARow() {
        for (int i = 0; i < 3; i++) {
            assertThat(attempts.mayTryAgain()).isTrue();
        }
        attempts.succeeded();
        for (int i = 0; i < 5; i++) {
            assertThat(attempts.mayTryAgain()).isTrue();
        }
        assertThat(attempts.mayTryAgain()).isFalse();
        assertThat(attempts.isStopped()).isFalse();
    }
}
