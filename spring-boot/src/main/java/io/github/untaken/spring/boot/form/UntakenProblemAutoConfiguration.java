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
 * Names the refused fields in problem details. If the application, or Spring Boot by {@code spring.mvc.problemdetails.enabled}, sends the
 * failure's own problem detail, it contains them. An answer that the application makes itself is left alone. Comes last of all: of two
 * advices without an order, only the one defined first is asked.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnUntaken
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty(name = "untaken.problem-details", havingValue = "true", matchIfMissing = true)
@ConditionalOnClass(WebMvcConfigurer.class)
final class UntakenProblemAutoConfiguration {

    /** An application may have several message sources; the context uses its own. */
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

        /** Adds the fields before anybody answers, and answers nothing itself. */
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
