package io.github.untaken.log;

import static io.github.untaken.CheckerFixture.KIND;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.ScriptedFeed;
import io.github.untaken.kind.VirtualSchedule;
import io.github.untaken.memory.Clocks;
import io.github.untaken.memory.Freshness;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who asks for news goes on asking, and nobody waits for a question that nobody asks. */
class QuestionsTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private long nanos;
    private final VirtualSchedule thread = new VirtualSchedule(() -> nanos);
    private final Freshness freshness = new Freshness(Duration.ofSeconds(4), new Clocks(() -> nanos, () -> 0));
    private final Questions questions = new Questions(new ScriptedFeed(KIND), freshness, Duration.ofSeconds(1), thread);

    private void passAnInterval() {
        nanos += INTERVAL.toNanos();
        while (thread.canRun()) {
            thread.runNext();
        }
    }

    @Test
    void oneErrorEndsNoQuestionButItsOwn() {
        questions.askEvery(INTERVAL);
        thread.failOnce();
        passAnInterval();
        assertThat(questions.answered()).isZero();
        passAnInterval();
        assertThat(questions.answered()).isEqualTo(1);
    }

    @Test
    void whoeverAsksWhenAnErrorComesIsTold() {
        thread.failOnce();
        assertThat(questions.latest()).isCompletedExceptionally();
        CompletableFuture<Void> another = questions.latest();
        passAnInterval();
        assertThat(another).isCompleted();
    }

    @Test
    void whoeverWaitsWhenTheCheckerIsClosedIsTold() {
        CompletableFuture<Void> asked = questions.latest();
        questions.close();
        assertThat(asked).isCompletedExceptionally();
    }
}
