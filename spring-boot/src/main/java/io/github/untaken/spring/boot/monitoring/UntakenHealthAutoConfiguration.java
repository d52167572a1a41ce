package io.github.untaken.spring.boot.monitoring;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The state of each kind among the application's health; {@code management.health.untaken.enabled} switches it off. */
@AutoConfiguration(after = UntakenAutoConfiguration.class)
@ConditionalOnUntaken
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(AvailabilityChecker.class)
@ConditionalOnEnabledHealthIndicator("untaken")
final class UntakenHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "untakenHealthIndicator")
    CheckerHealth untakenHealthIndicator(ObjectProvider<AvailabilityChecker> checker) {
        return new CheckerHealth(checker);
    }
}
