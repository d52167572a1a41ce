package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.validation.Available;
import io.github.untaken.validation.AvailableValidatorFactory;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.validation.beanvalidation.SpringConstraintValidatorFactory;

/**
 * Gives {@code @Available} its checker. Where there is none, because there is nothing to check or it is switched off, every text
 * passes and the database decides.
 */
@AutoConfiguration(
        after = UntakenAutoConfiguration.class,
        beforeName = "org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration")
@ConditionalOnClass({Available.class, ValidationConfigurationCustomizer.class, SpringConstraintValidatorFactory.class})
final class UntakenValidationAutoConfiguration {

    /** Comes first, so that a factory which the application sets itself stays. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    @ConditionalOnMissingBean(name = "untakenValidationCustomizer")
    ValidationConfigurationCustomizer untakenValidationCustomizer(
            ObjectProvider<AvailabilityChecker> checker, AutowireCapableBeanFactory beans) {
        return configuration -> configuration.constraintValidatorFactory(new AvailableValidatorFactory(
                () -> Optional.ofNullable(checker.getIfAvailable()), new SpringConstraintValidatorFactory(beans)));
    }
}
