package io.github.untaken.spring.boot.endpoint;

import io.github.untaken.servlet.AvailabilityServletFilter;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import jakarta.servlet.Filter;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** Tells the endpoint whether a controller answers at its path: the filter knows servlets only, and Spring MVC is one for all paths. */
@AutoConfiguration(after = UntakenEndpointAutoConfiguration.class)
@ConditionalOnUntaken
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({AvailabilityServletFilter.class, RequestMappingInfoHandlerMapping.class})
final class UntakenWebMvcAutoConfiguration {

    @Bean
    SmartInitializingSingleton untakenSharedPath(
            ObjectProvider<FilterRegistrationBean<?>> registrations,
            ObjectProvider<Filter> filters,
            ObjectProvider<HandlerMapping> mappings,
            @Value("${spring.mvc.servlet.path:/}") String servlet) {
        return () -> {
            ControllerPaths paths = new ControllerPaths(mappings.stream().toList(), servlet.replaceAll("/+$", ""));
            Stream.concat(registrations.stream().map(FilterRegistrationBean::getFilter), filters.stream())
                    .filter(AvailabilityServletFilter.class::isInstance)
                    .map(AvailabilityServletFilter.class::cast)
                    .forEach(filter -> filter.shareWith(paths::contains));
        };
    }
}
