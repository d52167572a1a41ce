package io.github.untaken.servlet.watch;

import io.github.untaken.Announcement;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Registrations;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.watch.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What one request of the application was seen to do to identifiers, each once, however often the request passes by. Thread-safe: several
 * threads handle an asynchronous request. Never throws: the request belongs to the application.
 */
final class RequestEffects {
    private record Identifier(IdentifierKind kind, String text) {}

    private final Registrations registrations;
    private final FaultLog faults;
    private final Set<Identifier> registering = new HashSet<>(); // guarded by this
    private final List<Announcement> open = new ArrayList<>(); // guarded by this
    private boolean settled; // guarded by this

    RequestEffects(Registrations registrations, FaultLog faults) {
        this.registrations = registrations;
        this.faults = faults;
    }

    /** Has the database asked about the identifier until the request is over; if it is over already, has it looked up now. */
    synchronized void registering(IdentifierKind kind, String text) {
        guarded(() -> {
            if (registering.add(new Identifier(kind, text)) || settled) {
                Announcement announcement = registrations.watch(kind, text);
                if (settled) {
                    announcement.close();
                } else {
                    open.add(announcement);
                }
            }
        });
    }

    /** As {@link #registering}, of a text that a rule found. */
    void found(Rule rule, String text) {
        rule.forms(text).forEach(form -> registering(rule.kind(), form));
    }

    /** The request is over: the store decides what became of it. Only the first call counts. */
    synchronized void settle() {
        settled = true;
        open.forEach(announcement -> guarded(announcement::close));
        open.clear();
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error fault) {
            faults.failed("Following a watched request", fault);
        }
    }
}
