package io.github.untaken.kind;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScanPaceTest {
    private static final Duration TICK = ofSeconds(1);
    private static final Duration ALLOTTED = ofMinutes(1);

    private long now = ofHours(1).toNanos();
    private final ScanPace pace = new ScanPace(new RegistrySettings.Time(TICK, () -> now), ALLOTTED);

    @Test
    void eachFailureWaitsTwiceAsLongAMinuteAtMost() {
        assertThat(failures(9))
                .extracting(Duration::toSeconds)
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }

    @Test
    void aScanThatEndsWellMakesTheNextFailureWaitAsTheFirst() {
        failures(3);
        pace.succeeded();
        assertThat(failures(2)).containsExactly(TICK, TICK.multipliedBy(2));
    }

    @Test
    void itIsPatientUntilTheNextTryIsDue() {
        assertThat(pace.isPatient()).isFalse();
        pace.failed();
        now += TICK.toNanos() - 1;
        assertThat(pace.isPatient()).isTrue();
        now++;
        assertThat(pace.isPatient()).isFalse();
    }

    @Test
    void itIsPatientForTheLongestWaitToo() {
        failures(20);
        assertThat(pace.isPatient()).isTrue();
    }

    @Test
    void aTickerThatJumpsBackEndsTheLongestPatience() {
        failures(20);
        now -= 1;
        assertThat(pace.isPatient()).isFalse();
    }

    @Test
    void theFirstScanNeedNotWait() {
        assertThat(pause(ZERO, ofSeconds(30))).isEqualTo(ofSeconds(30));
        assertThat(pause(ofSeconds(30), ofSeconds(30))).isEqualTo(ZERO);
    }

    @Test
    void aPauseIsAsLongAsTheLastScanFromItsBeginningAMinuteAtMost() {
        assertThat(pause(ofSeconds(10), ofSeconds(30))).isEqualTo(ofSeconds(20));
        assertThat(pause(ofSeconds(10), ofHours(2))).isEqualTo(ofSeconds(50));
        assertThat(pause(ofSeconds(31), ofSeconds(30))).isEqualTo(ZERO);
    }

    @Test
    void aScanThatBeganInTheFutureMakesNoneWait() {
        assertThat(pause(ofHours(-2), ofSeconds(30))).isEqualTo(ZERO);
    }

    @Test
    void tenScansMayFollowOneAnotherAndThenOneInTheTimeAllottedToEach() {
        begin(10);
        assertThat(pause(ZERO, ZERO)).isEqualTo(ZERO);
        begin(1);
        assertThat(pause(ZERO, ZERO)).isEqualTo(ALLOTTED);
        now += ofSeconds(20).toNanos();
        assertThat(pause(ZERO, ZERO)).isEqualTo(ofSeconds(40));
    }

    @Test
    void howeverManyWereAskedForAtOnceTheNextWaitsForOneAlone() {
        begin(1_000);
        assertThat(pause(ZERO, ZERO)).isEqualTo(ALLOTTED);
    }

    @Test
    void evenIfTheTickerJumpsBackTheNextWaitsForOneAlone() {
        begin(11);
        now -= ofHours(1).toNanos();
        assertThat(pause(ZERO, ZERO)).isEqualTo(ALLOTTED);
    }

    @Test
    void timeWithoutScansIsNotSavedUp() {
        now += ofHours(5).toNanos();
        begin(11);
        assertThat(pause(ZERO, ZERO)).isEqualTo(ALLOTTED);
    }

    private List<Duration> failures(int count) {
        return Stream.generate(pace::failed).limit(count).toList();
    }

    private void begin(int scans) {
        for (int i = 0; i < scans; i++) {
            pace.begun();
        }
    }

    /** With a last scan that began so long ago and took so long. */
    private Duration pause(Duration ago, Duration took) {
        return pace.pause(now - ago.toNanos(), took.toNanos());
    }
}
