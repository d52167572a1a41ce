package io.github.untaken.spring.boot3;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The state of each kind among the application's health; {@code management.health.untaken.enabled} switches it off. */
@AutoConfiguration(after = UntakenAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(AvailabilityChecker.class)
@ConditionalOnEnabledHealthIndicator("untaken")
final class UntakenHealthOnBoot3AutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "untakenHealthIndicator")
    CheckerHealth untakenHealthIndicator(ObjectProvider<AvailabilityChecker> checker) {
        return new CheckerHealth(checker);
    }
}
