package io.github.untaken.servlet;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict.Status;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.servlet.ServletFilterSettings.SweepLimit;
import io.github.untaken.servlet.exchange.Problem;
import io.github.untaken.servlet.limit.SweepAlarm;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Tells of what the endpoint answers: the application's listener, and the log where it looks like a sweep. Never throws. */
final class EndpointReport {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    private final Map<IdentifierKind, SweepAlarm> alarms = new HashMap<>();
    private final EndpointMeter meter;
    private final EndpointListener listener;
    private final long pause;
    private final AtomicLong warnedAt;
    private final AtomicBoolean knowsOfStrangers = new AtomicBoolean();
    private final FaultLog faults;

    EndpointReport(Set<IdentifierKind> kinds, SweepLimit limit, EndpointListener listener, FaultLog faults) {
        kinds.forEach(kind -> alarms.put(
                kind,
                new SweepAlarm(
                        limit.leastAnswers(), limit.takenShare(), limit.window().toNanos(), System::nanoTime)));
        this.meter = new EndpointMeter(faults::count);
        this.listener = listener;
        this.faults = faults;
        this.pause = limit.window().toNanos();
        this.warnedAt = new AtomicLong(System.nanoTime() - pause);
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

    /** All clients together have had as many free answers as they may. */
    void freeAnswersExhausted() {
        long now = System.nanoTime();
        long last = warnedAt.get();
        if (now - last >= pause && warnedAt.compareAndSet(last, now)) {
            LOG.log(
                    Level.WARNING,
                    "All clients together have heard as many \"available\" as " + SettingKeys.FREE_ANSWER_LIMIT
                            + " allows, and are refused for a while: somebody may be trying a list of identifiers");
        }
    }

    /** A peer that is no named proxy sent this header. */
    void forwardedByStranger(String header) {
        if (knowsOfStrangers.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "A request came with the header " + header + " from a peer that proxies(...) ("
                            + SettingKeys.PROXIES
                            + ") does not name. If that is a proxy of yours, all who come through it share the limit of one"
                            + " client: name it. If the container reads the header already, or a client made it up, nothing"
                            + " is to be done. Said once");
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
