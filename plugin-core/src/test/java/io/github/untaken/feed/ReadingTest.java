package io.github.untaken.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadingTest {
    private static final Duration NO_TIME = Duration.ZERO;
    private static final Duration LONG = Duration.ofDays(1);

    private final List<String> ended = new ArrayList<>();
    private final Attempts attempts = new Attempts();
    private final Reading<String> reading = new Reading<>(attempts, ended::add);

    @Test
    void aConnectionThatComesAfterTheStopIsEndedAtOnce() {
        reading.over("first");
        assertThat(ended).isEmpty();
        attempts.stop();
        reading.over("second");
        assertThat(ended).containsExactly("second");
    }

    @Test
    void silenceCountsOnlyWhileTheLogIsRead() {
        reading.over("connection");
        reading.endIfSilent();
        assertThat(ended).as("a slot in the making is silent for long").isEmpty();
        reading.begins(NO_TIME);
        reading.endIfSilent();
        assertThat(ended).containsExactly("connection");
        reading.letGo();
        ended.clear();
        reading.endIfSilent();
        assertThat(ended).isEmpty();
    }

    @Test
    void whatIsSilentForLessThanItMayIsLeftAlone() {
        reading.over("connection");
        reading.begins(LONG);
        reading.endIfSilent();
        assertThat(ended).isEmpty();
        assertThat(reading.isUnderWay()).isTrue();
    }

    @Test
    void whatIsLetGoIsEndedAndNoLongerUnderWay() {
        reading.over("connection");
        reading.begins(LONG);
        reading.letGo();
        assertThat(reading.isUnderWay()).isFalse();
        assertThat(ended).containsExactly("connection");
    }
}
