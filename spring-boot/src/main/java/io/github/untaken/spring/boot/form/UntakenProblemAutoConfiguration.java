package io.github.untaken.spring.boot.form;

import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import io.github.untaken.validation.Available;
import jakarta.validation.ConstraintViolation;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Names the fields that cannot be had in problem details. Where the application, or Spring Boot by {@code spring.mvc.problemdetails.enabled},
 * sends the problem detail of the failure itself, they stand in it; what the application makes of the failure on its own stays its own.
 * The last of all: of two advices without an order the one that is defined first is asked, and it alone.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnUntaken
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "untaken.problem-details", havingValue = "true", matchIfMissing = true)
@ConditionalOnClass(WebMvcConfigurer.class)
final class UntakenProblemAutoConfiguration {

    /** Of several sources of texts, which an application may have, the context takes its own. */
    @Bean
    TakenFieldAdvice untakenTakenFieldAdvice(ApplicationContext messages) {
        return new TakenFieldAdvice(messages);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Available.class, ConstraintViolation.class})
    static final class Refused {

        @Bean
        RefusedFieldAdvice untakenRefusedFieldAdvice() {
            return new RefusedFieldAdvice();
        }

        /** Before anybody answers, and answering nothing. */
        @Bean
        WebMvcConfigurer untakenRefusedFields() {
            return new WebMvcConfigurer() {
                @Override
                public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
                    resolvers.add(0, (request, response, handler, failure) -> {
                        RefusedFields.addedTo(failure);
                        return null;
                    });
                }
            };
        }
    }
}
