package io.github.untaken.http;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.EndpointSettings.SweepLimit;
import io.github.untaken.http.limit.Rate;
import io.github.untaken.test.log.LoggedLines;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the log says of limits that are reached, and how often. */
class EndpointReportTest {
    private final AtomicLong clock = new AtomicLong(-5);
    private final EndpointReport report = new EndpointReport(
            Set.of(USERNAME),
            new SweepLimit(100, 0.5, Duration.ofMinutes(10)),
            new EndpointListener() {},
            new FaultLog("io.github.untaken.servlet"),
            clock::get);

    private void refuse(int times) {
        for (int i = 0; i < times; i++) {
            report.readsExhausted(Rate.perMinute(60_000, 10_000));
        }
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void thatTheStoreLimitBitesIsSaidOnceAMinute() {
        try (LoggedLines log = new LoggedLines()) {
            refuse(1);
            assertThat(log.warnings("untaken.recheck-limit, 60000 a minute, is used up: 1 check that"))
                    .hasSize(1);
            for (int second = 0; second < 59; second++) {
                pass(Duration.ofSeconds(1));
                refuse(10);
            }
            assertThat(log.warnings("untaken.recheck-limit")).hasSize(1);
            pass(Duration.ofSeconds(1));
            refuse(10);
            assertThat(log.warnings("untaken.recheck-limit")).hasSize(2);
            // 59 times ten that nothing was said of, and the one that is said now.
            assertThat(log.warnings("is used up: 591 checks that")).hasSize(1);
            pass(Duration.ofHours(1));
            assertThat(log.warnings("untaken.recheck-limit")).hasSize(2);
            refuse(1);
            assertThat(log.warnings("is used up: 10 checks that")).hasSize(1);
        }
    }

    @Test
    void thatTooManyHeardOfFreeNamesIsSaidOnceInEachWindow() {
        try (LoggedLines log = new LoggedLines()) {
            for (int i = 0; i < 3; i++) {
                report.freeAnswersExhausted();
            }
            pass(Duration.ofMinutes(10));
            report.freeAnswersExhausted();
            assertThat(log.warnings(SettingKeys.FREE_ANSWER_LIMIT)).hasSize(2);
        }
    }
}
