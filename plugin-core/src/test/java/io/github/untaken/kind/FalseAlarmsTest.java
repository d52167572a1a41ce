package io.github.untaken.kind;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FalseAlarmsTest {
    private long answered;
    private final FalseAlarms alarms = new FalseAlarms(() -> answered);

    private void note(int count) {
        for (int i = 0; i < count; i++) {
            alarms.note();
        }
    }

    @Test
    void aFewAreNotWorthAScan() {
        note(999);
        assertThat(alarms.areFrequent()).isFalse();
        note(1);
        assertThat(alarms.areFrequent()).isTrue();
    }

    @Test
    void whatTheErrorRateAloneExplainsIsNotFrequent() {
        answered = 1_000_000;
        note(10_000);
        assertThat(alarms.areFrequent()).isFalse();
        note(1);
        assertThat(alarms.areFrequent()).isTrue();
    }

    @Test
    void anotherGenerationBeginsAnew() {
        answered = 10;
        note(5_000);
        alarms.swept();
        assertThat(alarms.areFrequent()).isFalse();
        note(1_000);
        assertThat(alarms.areFrequent()).isTrue();
        answered += 200_000;
        assertThat(alarms.areFrequent()).isFalse();
    }
}
