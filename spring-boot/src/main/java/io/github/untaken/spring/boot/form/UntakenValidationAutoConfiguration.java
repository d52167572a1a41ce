package io.github.untaken.spring.boot.form;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.spring.boot.setup.OnSupportedBoot;
import io.github.untaken.validation.Available;
import io.github.untaken.validation.AvailableValidator;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Gives {@code @Available} its checker. Where there is none, because there is nothing to check or it is switched off, every text
 * passes and the database decides.
 */
@AutoConfiguration
@Conditional(OnSupportedBoot.class)
@ConditionalOnClass({Available.class, AvailableValidator.class})
final class UntakenValidationAutoConfiguration {

    /** Spring makes validators as it makes beans, whoever has defined the factory of the validator. */
    @Bean
    static BeanPostProcessor untakenValidators(ObjectProvider<AvailabilityChecker> checker) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                return bean instanceof AvailableValidator
                        ? new AvailableValidator(() -> Optional.ofNullable(checker.getIfAvailable()))
                        : bean;
            }
        };
    }
}
