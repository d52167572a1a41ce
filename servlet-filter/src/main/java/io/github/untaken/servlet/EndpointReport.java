package io.github.untaken.servlet;

import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict.Status;
import io.github.untaken.servlet.ServletFilterSettings.SweepLimit;
import io.github.untaken.servlet.exchange.Problem;
import io.github.untaken.servlet.fault.FaultLog;
import io.github.untaken.servlet.limit.SweepAlarm;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Tells of what the endpoint answers: the application's listener, and the log where it looks like a sweep. Never throws. */
final class EndpointReport {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    private final Map<IdentifierKind, SweepAlarm> alarms = new HashMap<>();
    private final EndpointListener listener;
    private final FaultLog faults;

    EndpointReport(Set<IdentifierKind> kinds, SweepLimit limit, EndpointListener listener, FaultLog faults) {
        kinds.forEach(kind -> alarms.put(
                kind,
                new SweepAlarm(
                        limit.leastAnswers(), limit.takenShare(), limit.window().toNanos(), System::nanoTime)));
        this.listener = listener;
        this.faults = faults;
    }

    void answered(IdentifierKind kind, Status status) {
        guarded(() -> listener.answered(kind, status));
        SweepAlarm alarm = alarms.get(kind);
        if (alarm != null) {
            SweepAlarm.Alarm raised = alarm.count(status == Status.TAKEN);
            if (raised.answers() > 0) {
                LOG.log(
                        Level.WARNING,
                        "Of the last " + raised.answers() + " answers about kind '" + kind + "', " + raised.taken()
                                + " were \"taken\": somebody may be trying a list of identifiers");
                guarded(() -> listener.sweepSuspected(kind, raised.answers(), raised.taken()));
            }
        }
    }

    void refused(Problem problem) {
        guarded(() -> listener.refused(problem.status(), problem.code()));
    }

    private void guarded(Runnable told) {
        try {
            told.run();
        } catch (RuntimeException | Error fault) {
            faults.note("A listener of the availability endpoint failed", fault);
        }
    }
}
