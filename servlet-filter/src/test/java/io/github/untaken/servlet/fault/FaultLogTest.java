package io.github.untaken.servlet.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultLogTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(30));
    private final FaultLog faults = new FaultLog(clock::get);
    private final List<String> logged = new ArrayList<>();
    private final Logger logger = Logger.getLogger("io.github.untaken.servlet");
    private final Handler capture = new Handler() {
        @Override
        public void publish(LogRecord record) {
            logged.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void open() {
        logger.addHandler(capture);
    }

    @AfterEach
    void close() {
        logger.removeHandler(capture);
    }

    private void pass(long seconds) {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void logsAKindOfFaultOnceAMinuteWithItsNumber() {
        for (int second = 0; second <= 120; second++) {
            faults.note("A thing broke", new IllegalStateException("secret"));
            pass(1);
        }
        assertThat(logged).hasSize(3).noneMatch(line -> line.contains("secret"));
        assertThat(logged.get(0)).startsWith("A thing broke because of java.lang.IllegalStateException at ");
        assertThat(logged.get(1)).endsWith("the last of 60 since this was logged before");
        assertThat(logged.get(2)).endsWith("the last of 60 since this was logged before");
    }

    @Test
    void noFaultHidesBehindAnother() {
        for (int i = 0; i < 1_000_000; i++) {
            faults.note("A cheap thing broke", new IllegalStateException());
        }
        assertThat(logged).hasSize(1);
        faults.note("A thing broke", new IllegalStateException());
        faults.note("A cheap thing broke", new IllegalArgumentException());
        assertThat(logged).hasSize(3);
    }

    @Test
    void keepsOnlySoManyKinds() {
        for (int i = 0; i < 1000; i++) {
            faults.note("Thing " + i + " broke", new IllegalStateException());
        }
        assertThat(logged).hasSize(FaultLog.MOST_KINDS + 1);
        pass(60);
        faults.note("Thing 1001 broke", new IllegalStateException());
        faults.note("Thing 0 broke", new IllegalStateException());
        assertThat(logged).hasSize(FaultLog.MOST_KINDS + 3);
        assertThat(logged.get(FaultLog.MOST_KINDS + 1))
                .contains("Thing 1001 broke")
                .contains("the last of 936 ");
    }
}
