package io.github.untaken.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantumTest {

    @ParameterizedTest
    @CsvSource({"0, 1000", "1, 1000", "999, 1000", "1000, 1000", "1001, 2000", "2500, 3000"})
    void answersComeOutAtWholeSteps(long took, long out) {
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1500);
        // Wakes early twice, as parking may.
        Quantum quantum = new Quantum(1000, clock::get, nanos -> clock.addAndGet(Math.max(1, nanos / 2)));
        long begin = quantum.begin();
        clock.addAndGet(took);
        quantum.awaitStep(begin);
        assertThat(clock.get() - begin).isEqualTo(out);
    }

    @ParameterizedTest
    @CsvSource("0")
    void anInterruptEndsTheWaitAndIsKept(long took) {
        AtomicLong clock = new AtomicLong();
        Quantum quantum =
                new Quantum(1000, clock::get, nanos -> Thread.currentThread().interrupt());
        quantum.awaitStep(took);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(clock).hasValue(0);
    }
}
