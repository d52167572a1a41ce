package io.github.untaken.spring.boot.monitoring;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.EndpointListener;
import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters under {@code untaken.}, where the application has a registry of meters. */
@AutoConfiguration(
        after = UntakenAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnUntaken
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({AvailabilityChecker.class, MeterRegistry.class})
final class UntakenMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    CheckMetrics untakenCheckMetrics(MeterRegistry registry) {
        return new CheckMetrics(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    KindGauges untakenKindGauges(ObjectProvider<AvailabilityChecker> checker) {
        return new KindGauges(checker);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(EndpointListener.class)
    static class OfTheEndpoint {

        @Bean
        @ConditionalOnMissingBean
        EndpointMetrics untakenEndpointMetrics(MeterRegistry registry) {
            return new EndpointMetrics(registry);
        }
    }
}
