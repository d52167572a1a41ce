package io.github.untaken.spring.boot.endpoint;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.AvailabilityEndpoint;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.spring.boot.AvailabilityWebFilter;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.server.WebFilter;

/** The endpoint of a WebFlux application, as a web filter behind Spring Security. */
@AutoConfiguration(after = UntakenAutoConfiguration.class)
@ConditionalOnUntaken
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({AvailabilityEndpoint.class, WebFilter.class})
@ConditionalOnBean(AvailabilityChecker.class)
@Import(EndpointSetupConfiguration.class)
final class UntakenWebFluxAutoConfiguration {
    private static final String SECURITY = "org.springframework.security.web.server.WebFilterChainProxy";

    /** One that lets everything pass where there is nothing to serve. */
    @Bean
    @ConditionalOnMissingBean(AvailabilityWebFilter.class)
    WebFilter untakenAvailabilityWebFilter(
            UntakenProperties properties, EndpointSetup setup, AvailabilityChecker checker) {
        Optional<EndpointSettings> settings = setup.settingsFor(checker.kinds())
                .filter(with -> with.endpointEnabled() || !with.watchRules().isEmpty());
        return settings.<WebFilter>map(with -> EndpointSetup.refusing(
                        () -> new AvailabilityWebFilter(checker, with, properties.filterOrder())))
                .orElse((exchange, chain) -> chain.filter(exchange));
    }

    /** The literal paths that a controller answers. */
    @Bean
    SmartInitializingSingleton untakenSharedWebFluxPath(
            ObjectProvider<WebFilter> filters, ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        return () -> filters.stream()
                .filter(AvailabilityWebFilter.class::isInstance)
                .map(AvailabilityWebFilter.class::cast)
                .forEach(filter -> filter.shareWith(path -> mappings.stream()
                        .flatMap(mapping -> mapping.getHandlerMethods().keySet().stream())
                        .anyMatch(info -> info.getDirectPaths().contains(path))));
    }

    @Bean
    SmartInitializingSingleton untakenOpenWebFluxEndpoint(EndpointSetup setup, ObjectProvider<WebFilter> filters) {
        return () -> {
            if (filters.stream().anyMatch(AvailabilityWebFilter.class::isInstance)) {
                setup.noteUnlessGuarded(filters.stream()
                        .anyMatch(each -> each.getClass().getName().equals(SECURITY)));
            }
        };
    }
}
