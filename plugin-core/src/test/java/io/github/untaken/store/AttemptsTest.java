package io.github.untaken.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What is tried again and again goes on, whatever becomes of one. */
class AttemptsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Queue<Runnable> handedOver = new ArrayDeque<>();
    private final List<String> steps = new ArrayList<>();
    private boolean noMemory;

    private final Attempts attempts = new Attempts(
            task -> {
                if (noMemory) {
                    throw new OutOfMemoryError("told to fail");
                }
                handedOver.add(task);
            },
            SECOND);

    private void begin(String name) {
        attempts.begin(
                () -> {
                    steps.add(name);
                    return () -> steps.add(name + " counts");
                },
                () -> steps.add(name + " is late"));
    }

    private void passTwoTicks() {
        attempts.tick(SECOND);
        attempts.tick(SECOND);
    }

    @Test
    void oneIsUnderWayAtATime() {
        begin("one");
        begin("another");
        assertThat(handedOver).hasSize(1);
        handedOver.remove().run();
        assertThat(steps).containsExactly("one", "one counts");
        assertThat(handedOver).isEmpty();
        begin("a third");
        assertThat(handedOver).hasSize(1);
    }

    @Test
    void theNextBeginsOnlyWhenTheLastHasBeenHeeded() {
        attempts.begin(
                () -> () -> {
                    begin("newer");
                    steps.add("older counts");
                },
                () -> {});
        handedOver.remove().run();
        assertThat(handedOver).isEmpty();
        assertThat(steps).containsExactly("older counts");
        begin("newer");
        assertThat(handedOver).hasSize(1);
    }

    @Test
    void whoeverWaitsForOneThatThrowsHearsOfIt() {
        attempts.begin(
                () -> {
                    throw new OutOfMemoryError("told to fail");
                },
                () -> steps.add("threw"));
        assertThatThrownBy(() -> handedOver.remove().run()).isInstanceOf(OutOfMemoryError.class);
        assertThat(steps).containsExactly("threw");
    }

    @Test
    void oneThatFindsNoThreadIsFollowedByTheNext() {
        noMemory = true;
        assertThatThrownBy(() -> begin("one")).isInstanceOf(OutOfMemoryError.class);
        noMemory = false;
        begin("another");
        handedOver.remove().run();
        assertThat(steps).containsExactly("another", "another counts");
    }

    @Test
    void fourThatAreLateAreReplacedAndNoMoreUntilOneIsBack() {
        for (int i = 0; i < 10; i++) {
            begin("one");
            passTwoTicks();
        }
        assertThat(handedOver).hasSize(4);
        assertThat(attempts.areLate()).isTrue();
        assertThat(steps).containsOnly("one is late");
        steps.clear();
        handedOver.remove().run();
        assertThat(steps).as("its answer does not count").containsExactly("one");
        begin("another");
        assertThat(handedOver).hasSize(4);
        assertThat(attempts.areLate()).isFalse();
    }

    @Test
    void oneThatComesBackLateDoesNotEndTheNext() {
        begin("one");
        passTwoTicks();
        begin("another");
        handedOver.remove().run();
        begin("a third");
        assertThat(handedOver).as("the other is under way").hasSize(1);
    }
}
