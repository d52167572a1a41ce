package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.KindStats;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the health of an application says of its kinds, for the indicator of each line of Spring Boot. {@code WARMING} and
 * {@code DEGRADED} are up: the database answers then, and taking the application out of service would help nobody.
 *
 * @param outOfService whether a kind is {@code CLOSED}
 * @param details by the name of the kind
 */
public record KindsHealth(boolean outOfService, Map<String, Object> details) {

    /** Of all kinds; where there is no checker there are none. Never blocks. */
    public static KindsHealth of(@Nullable AvailabilityChecker checker) {
        Map<String, Object> details = new LinkedHashMap<>();
        boolean closed = false;
        if (checker != null) {
            for (var kind : checker.kinds()) {
                KindStats stats = checker.stats(kind);
                details.put(kind.name(), detail(stats));
                closed |= stats.state() == KindState.CLOSED;
            }
        }
        return new KindsHealth(closed, details);
    }

    private static Map<String, Object> detail(KindStats stats) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("state", stats.state().name());
        if (!stats.reason().isEmpty()) {
            detail.put("reason", stats.reason());
        }
        stats.following().ifPresent(log -> {
            detail.put("leaseMillis", log.lease().age().map(Duration::toMillis).orElse(-1L));
            detail.put("gaps", log.gaps().sum());
            log.gaps().last().ifPresent(reason -> detail.put("lastGap", reason));
            detail.put("mode", log.latest() ? "latest" : "bounded");
        });
        return detail;
    }
}
