package io.github.untaken.spring.boot.monitoring;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator's endpoint {@code untaken}, once it is exposed. */
@AutoConfiguration(after = UntakenAutoConfiguration.class)
@ConditionalOnUntaken
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(AvailabilityChecker.class)
@ConditionalOnAvailableEndpoint(RegistryEndpoint.class)
final class UntakenActuatorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RegistryEndpoint untakenEndpoint(ObjectProvider<AvailabilityChecker> checker) {
        return new RegistryEndpoint(checker);
    }
}
