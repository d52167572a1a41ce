package io.github.untaken.servlet.example;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.SettingKeys;
import io.github.untaken.servlet.AvailabilityServletFilter;
import jakarta.servlet.DispatcherType;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

@Configuration(proxyBeanMethods = false)
class AvailabilityFilterConfiguration {

    @Bean
    FilterRegistrationBean<AvailabilityServletFilter> availabilityFilter(
            AvailabilityChecker checker, Environment environment) {
        Map<String, String> properties = Binder.get(environment)
                .bind("untaken", Bindable.mapOf(String.class, String.class))
                .orElse(Map.of())
                .entrySet()
                .stream()
                .collect(Collectors.toMap(entry -> SettingKeys.PREFIX + entry.getKey(), Map.Entry::getValue));
        EndpointSettings settings =
                EndpointSettings.builder().properties(properties).build();
        var registration = new FilterRegistrationBean<>(new AvailabilityServletFilter(checker, settings));
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 20); // before whatever reads parameters, and before security
        return registration;
    }
}
