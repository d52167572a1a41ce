package io.github.untaken.spring.boot.endpoint;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.servlet.AvailabilityServletFilter;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingFilterBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The endpoint, as a filter behind Spring Security. */
@AutoConfiguration(after = UntakenAutoConfiguration.class)
@ConditionalOnUntaken
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({AvailabilityServletFilter.class, FilterRegistrationBean.class})
@ConditionalOnBean(AvailabilityChecker.class)
@Import(EndpointSetupConfiguration.class)
final class UntakenEndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingFilterBean(AvailabilityServletFilter.class)
    FilterRegistrationBean<Filter> untakenAvailabilityFilter(
            UntakenProperties properties, EndpointSetup setup, ObjectProvider<AvailabilityChecker> checker) {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>();
        registration.setName("untakenAvailabilityFilter");
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        registration.setAsyncSupported(true);
        registration.setOrder(properties.filterOrder());
        Filter filter = filter(checker.getIfAvailable(), setup);
        registration.setEnabled(filter instanceof AvailabilityServletFilter);
        registration.setFilter(filter);
        return registration;
    }

    @Bean
    SmartInitializingSingleton untakenOpenEndpoint(
            EndpointSetup setup, ObjectProvider<FilterRegistrationBean<?>> registrations, BeanFactory beans) {
        return () -> {
            boolean serves = registrations.stream()
                    .anyMatch(each -> each.getFilter() instanceof AvailabilityServletFilter filter
                            && filter.stats().isPresent());
            if (serves) {
                setup.noteUnlessGuarded(beans.containsBean("springSecurityFilterChain"));
            }
        };
    }

    /** Lets everything pass if there is nothing to serve: a registration must have a filter, enabled or not. */
    private static Filter filter(@Nullable AvailabilityChecker checker, EndpointSetup setup) {
        Filter none = (request, response, chain) -> chain.doFilter(request, response);
        if (checker == null) {
            return none;
        }
        return setup.settingsFor(checker.kinds())
                .<Filter>map(settings -> EndpointSetup.refusing(() -> new AvailabilityServletFilter(checker, settings)))
                .orElse(none);
    }
}
