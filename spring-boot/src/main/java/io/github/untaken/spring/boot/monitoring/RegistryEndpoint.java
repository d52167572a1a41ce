package io.github.untaken.spring.boot.monitoring;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** The actuator's endpoint {@code untaken}: the figures of each kind, and a scan on request. Holds no identifier. */
@Endpoint(id = "untaken")
final class RegistryEndpoint {
    private final ObjectProvider<AvailabilityChecker> checkers;

    RegistryEndpoint(ObjectProvider<AvailabilityChecker> checkers) {
        this.checkers = checkers;
    }

    @ReadOperation
    Map<String, Object> figures() {
        Map<String, Object> all = new TreeMap<>();
        AvailabilityChecker checker = checkers.getIfAvailable();
        if (checker != null) {
            checker.kinds().forEach(kind -> all.put(kind.name(), figures(checker.stats(kind))));
        }
        return all;
    }

    /**
     * Asks for a scan and returns at once.
     *
     * @param kind all kinds if absent
     */
    @WriteOperation
    Map<String, Object> rescan(@Nullable String kind) {
        AvailabilityChecker checker = checkers.getIfAvailable();
        List<IdentifierKind> asked = checker == null
                ? List.of()
                : checker.kinds().stream()
                        .filter(known -> kind == null || known.name().equals(kind))
                        .toList();
        asked.forEach(each -> checkers.getObject().rescan(each));
        return Map.of(
                "rescan", asked.stream().map(IdentifierKind::name).sorted().toList());
    }

    private static Map<String, Object> figures(KindStats stats) {
        Map<String, Object> decided = new TreeMap<>();
        stats.answers()
                .decided()
                .forEach((decider, count) -> decided.put(decider.name().toLowerCase(Locale.ROOT), count));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("state", stats.state().name());
        all.put("reason", stats.reason());
        all.put("entries", stats.memory().entries());
        all.put("bytes", stats.memory().bytes());
        all.put("bitsPerKey", stats.memory().bitsPerKey());
        all.put("variants", stats.memory().variants());
        all.put("open", stats.underWay().open());
        all.put("mentioned", stats.underWay().mentioned());
        all.put("lingering", stats.underWay().lingering());
        all.put("toldNames", stats.memory().told());
        all.put("renewals", stats.memory().renewals());
        all.put("whitelisted", stats.memory().whitelisted());
        all.put("checks", stats.answers().checks());
        all.put("decided", decided);
        all.put("storeReads", stats.reads().made());
        all.put("waitingReads", stats.reads().waiting());
        all.put("failedReads", stats.reads().failed());
        all.put("refusedChecks", stats.answers().refused());
        all.put("timedOutChecks", stats.answers().timedOut());
        all.put("failedScans", stats.scans().failed());
        all.put("missesProved", stats.missesProved());
        all.put("auditedRows", stats.audit().rows());
        all.put("falseNegativeRate", stats.audit().falseNegativeRate());
        all.put("falsePositiveRate", stats.audit().falsePositiveRate());
        stats.scans().sinceLast().ifPresent(age -> all.put("secondsSinceLastScan", age.toSeconds()));
        stats.sinceLastLook().ifPresent(age -> all.put("millisSinceLastLook", age.toMillis()));
        stats.following().ifPresent(log -> {
            log.lease().age().ifPresent(age -> all.put("leaseMillis", age.toMillis()));
            all.put("boundMillis", log.lease().bound().toMillis());
            all.put("told", log.told());
            all.put("questions", log.questions().answered());
            all.put("failedQuestions", log.questions().failed());
            all.put("gaps", log.gaps().sum());
            all.put("gapsByReason", log.gaps().byReason());
            log.gaps().last().ifPresent(reason -> all.put("lastGap", reason));
            all.put("mode", log.latest() ? "latest" : "bounded");
            log.figures().backlog().ifPresent(backlog -> {
                all.put("unreadBytes", backlog.unreadBytes());
                all.put("heldBytes", backlog.heldBytes());
            });
            log.figures().readers().ifPresent(readers -> {
                all.put("readersHeldBytes", readers.heldBytes());
                all.put("readersIdle", readers.idle());
            });
        });
        stats.scans().progress().ifPresent(scan -> all.put("rowsScanned", scan.rows()));
        return all;
    }
}
