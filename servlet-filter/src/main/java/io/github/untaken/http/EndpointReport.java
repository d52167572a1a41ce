package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict.Status;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.EndpointSettings.SweepLimit;
import io.github.untaken.http.exchange.Problem;
import io.github.untaken.http.limit.Rate;
import io.github.untaken.http.limit.SweepAlarm;
import io.github.untaken.http.limit.Tally;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Reports what the endpoint answers: to the application's listener, and to the log if it looks like a sweep. Never throws. */
final class EndpointReport {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Map<IdentifierKind, SweepAlarm> alarms = new HashMap<>();
    private final EndpointMeter meter;
    private final EndpointListener listener;
    private final Tally freeAnswersRefused;
    private final Tally readsRefused;
    private final AtomicBoolean knowsOfStrangers = new AtomicBoolean();
    private final FaultLog faults;

    /** @param nanoTime as {@link System#nanoTime} */
    EndpointReport(
            Set<IdentifierKind> kinds,
            SweepLimit limit,
            EndpointListener listener,
            FaultLog faults,
            LongSupplier nanoTime) {
        kinds.forEach(kind -> alarms.put(
                kind,
                new SweepAlarm(
                        limit.leastAnswers(), limit.takenShare(), limit.window().toNanos(), nanoTime)));
        this.meter = new EndpointMeter(faults::count);
        this.listener = listener;
        this.faults = faults;
        this.freeAnswersRefused = new Tally(limit.window(), nanoTime);
        this.readsRefused = new Tally(MINUTE, nanoTime);
    }

    EndpointStats stats() {
        return meter.stats();
    }

    void answered(IdentifierKind kind, Status status) {
        tell(told -> told.answered(kind, status));
        SweepAlarm alarm = alarms.get(kind);
        if (alarm != null) {
            SweepAlarm.Alarm raised = alarm.count(status == Status.TAKEN);
            if (raised.answers() > 0) {
                LOG.log(
                        Level.WARNING,
                        "Of the last " + raised.answers() + " answers about kind '" + kind + "', " + raised.taken()
                                + " were \"taken\": somebody may be trying a list of identifiers");
                tell(told -> told.sweepSuspected(kind, raised.answers(), raised.taken()));
            }
        }
    }

    void refused(Problem problem) {
        tell(told -> told.refused(problem.status(), problem.code()));
    }

    void responded(int status, long nanos) {
        tell(told -> told.responded(status, nanos));
    }

    /** All clients together have used up their free answers. */
    void freeAnswersExhausted() {
        if (freeAnswersRefused.count() > 0) {
            LOG.log(
                    Level.WARNING,
                    "All clients together have been answered \"available\" as often as " + SettingKeys.FREE_ANSWER_LIMIT
                            + " allows, and are refused for a while: somebody may be trying a list of identifiers");
        }
    }

    /** All clients together have used up their store reads, and this check would have needed one more. */
    void readsExhausted(Rate limit) {
        long refused = readsRefused.count();
        if (refused > 0) {
            LOG.log(
                    Level.WARNING,
                    SettingKeys.RECHECK_LIMIT + ", " + limit.perMinute() + " a minute, is used up: " + refused
                            + (refused == 1 ? " check" : " checks")
                            + " that needed the database were answered 503 since the last such line. Either"
                            + " somebody is trying a list of identifiers, or the site needs a higher limit."
                            + " Logged at most once a minute");
        }
    }

    /** A peer that is no named proxy sent this header. */
    void forwardedByStranger(String header) {
        if (knowsOfStrangers.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "A request came with the header " + header + " from a peer that proxies(...) ("
                            + SettingKeys.PROXIES
                            + ") does not name. If that is a proxy of yours, name it: all clients behind it share"
                            + " the limit of one. If the container already reads the header, or a client made it"
                            + " up, do nothing. Logged once");
        }
        tell(told -> told.forwardedByStranger(header));
    }

    private void tell(Consumer<EndpointListener> event) {
        event.accept(meter);
        try {
            event.accept(listener);
        } catch (RuntimeException | Error fault) {
            faults.failed("A listener of the availability endpoint", fault);
        }
    }
}
