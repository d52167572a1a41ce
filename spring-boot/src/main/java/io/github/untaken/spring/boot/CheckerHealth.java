package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up with the state of each kind. {@code WARMING} and {@code DEGRADED} are up too: the database answers then, and taking the
 * application out of service would help nobody.
 */
final class CheckerHealth extends AbstractHealthIndicator {
    private final ObjectProvider<AvailabilityChecker> checkers;

    CheckerHealth(ObjectProvider<AvailabilityChecker> checkers) {
        this.checkers = checkers;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        AvailabilityChecker checker = checkers.getIfAvailable();
        builder.up();
        if (checker == null) {
            return;
        }
        checker.kinds().forEach(kind -> {
            KindStats stats = checker.stats(kind);
            Map<String, Object> detail = new LinkedHashMap<>();
            detail.put("state", stats.state().name());
            if (!stats.reason().isEmpty()) {
                detail.put("reason", stats.reason());
            }
            stats.following().ifPresent(log -> {
                detail.put("leaseMillis", log.leaseAge().map(Duration::toMillis).orElse(-1L));
                detail.put("gaps", log.gaps());
                log.lastGap().ifPresent(reason -> detail.put("lastGap", reason));
                detail.put("mode", log.latest() ? "latest" : "bounded");
            });
            builder.withDetail(kind.name(), detail);
            if (stats.state() == KindState.CLOSED) {
                builder.outOfService();
            }
        });
    }
}
