package io.github.untaken.spring.boot.monitoring;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.spring.boot.KindsHealth;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Up with the state of each kind, on Spring Boot 4. */
final class CheckerHealth extends AbstractHealthIndicator {
    private final ObjectProvider<AvailabilityChecker> checkers;

    CheckerHealth(ObjectProvider<AvailabilityChecker> checkers) {
        this.checkers = checkers;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        KindsHealth kinds = KindsHealth.of(checkers.getIfAvailable());
        builder.up().withDetails(kinds.details());
        if (kinds.outOfService()) {
            builder.outOfService();
        }
    }
}
