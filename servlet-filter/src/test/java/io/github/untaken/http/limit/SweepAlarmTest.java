package io.github.untaken.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.http.limit.SweepAlarm.Alarm;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SweepAlarmTest {
    private final AtomicLong clock = new AtomicLong(-5);
    private final SweepAlarm alarm = new SweepAlarm(10, 0.8, 100, clock::get);

    private int alarms(int taken, int free) {
        int raised = 0;
        for (int i = 0; i < taken + free; i++) {
            raised += alarm.count(i < taken).equals(Alarm.NONE) ? 0 : 1;
        }
        return raised;
    }

    @Test
    void manyHitsRaiseItOnceInAWindow() {
        assertThat(alarms(9, 0)).isZero();
        assertThat(alarm.count(true)).isEqualTo(new Alarm(10, 10));
        assertThat(alarms(50, 0)).isZero();
        clock.addAndGet(100);
        assertThat(alarms(50, 0)).isEqualTo(1);
    }

    @Test
    void theShareCountsAndNotTheNumber() {
        assertThat(alarms(7, 3)).isZero();
        assertThat(alarms(0, 1000)).isZero();
        assertThat(alarms(700, 0)).isZero();
        clock.addAndGet(100);
        assertThat(alarms(8, 2)).isEqualTo(1);
    }

    @Test
    void whatWasLongAgoDoesNotCount() {
        for (int i = 0; i < 50; i++) {
            assertThat(alarms(5, 0)).isZero();
            clock.addAndGet(100);
        }
    }
}
