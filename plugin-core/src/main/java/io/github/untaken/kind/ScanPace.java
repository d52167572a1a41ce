package io.github.untaken.kind;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * How long the next scan has to wait, so that scans leave the store time for others. After a failure that is longer each time. If no one
 * waits for the scan, it begins at least as long after the last one began as that took, a minute at most. If the ticker jumps back, no wait
 * is longer than it can be anyway.
 *
 * <p>Told what happens by the thread that scans, or by the clock if that is silent; asked by any.
 */
final class ScanPace {
    private static final Duration LAST_RETRY = Duration.ofMinutes(1);
    private static final Duration MOST_PAUSE = Duration.ofMinutes(1);
    /** This many unawaited scans may run at their own pace; after that, one in each {@link RegistrySettings.Pace#rebuild}. */
    private static final int AT_ONCE = 10;

    private final RegistrySettings.Time time;
    private final long allotted; // to each scan, in the long run
    /** After a failure, only a request makes the next try come sooner. */
    private volatile long patientUntil;
    /** Each scan uses up what is allotted to one. */
    private volatile long paidUntil;

    private Duration retry; // each scan and the next are ordered by the lock of the schedule

    /** @param rebuild as in {@link RegistrySettings.Pace} */
    ScanPace(RegistrySettings.Time time, Duration rebuild) {
        this.time = time;
        this.allotted = rebuild.toNanos();
        this.patientUntil = time.now();
        this.paidUntil = patientUntil;
        this.retry = time.tick();
    }

    /** A scan begins. */
    void begun() {
        long now = time.now();
        paidUntil = now + owed(now) + allotted;
    }

    /** A scan has ended well. */
    void succeeded() {
        retry = time.tick();
    }

    /** A scan has failed; returns how long the next try has to wait. */
    Duration failed() {
        Duration wait = retry;
        patientUntil = time.now() + wait.toNanos();
        retry = Collections.min(List.of(wait.multipliedBy(2), LAST_RETRY));
        return wait;
    }

    /** Whether the next try after a failure is not due yet. */
    boolean isPatient() {
        long left = patientUntil - time.now();
        return left > 0 && left <= LAST_RETRY.toNanos();
    }

    /**
     * How long a scan that no one waits for has to wait: the last one's duration, a minute at most, from its beginning, and until enough
     * time is allotted. Unseen work that goes on and on must not start one scan after the other, each of which comes too late.
     */
    Duration pause(long lastBegan, long lastNanos) {
        long now = time.now();
        long since = now - lastBegan;
        long pause = since < 0 ? 0 : Math.min(lastNanos, MOST_PAUSE.toNanos()) - since;
        return Duration.ofNanos(Math.max(0, Math.max(pause, owed(now) - AT_ONCE * allotted)));
    }

    /** However many scans were asked for at once, one more may come at its own pace. */
    private long owed(long now) {
        return Math.min(Math.max(0, paidUntil - now), (AT_ONCE + 1) * allotted);
    }
}
