package io.github.untaken.spring.boot.endpoint;

import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointListener;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.OwnIdentifiers;
import io.github.untaken.http.RequestGate;
import io.github.untaken.spring.boot.EndpointSettingsCustomizer;
import io.github.untaken.spring.boot.UntakenProperties;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The application's settings for the endpoint, whether that is a servlet filter or a web filter. */
@Configuration(proxyBeanMethods = false)
class EndpointSetupConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EndpointSetup untakenEndpointSetup(
            UntakenProperties properties,
            ObjectProvider<EndpointSettings> settings,
            ObjectProvider<ClientLimiter> limiter,
            ObjectProvider<RequestGate> gate,
            ObjectProvider<OwnIdentifiers> own,
            ObjectProvider<EndpointListener> listeners,
            ObjectProvider<EndpointSettingsCustomizer> customizers) {
        return new EndpointSetup(
                properties,
                Optional.ofNullable(settings.getIfAvailable()),
                Optional.ofNullable(limiter.getIfAvailable()),
                Optional.ofNullable(gate.getIfAvailable()),
                Optional.ofNullable(own.getIfAvailable()),
                listeners.orderedStream().toList(),
                customizers.orderedStream().toList());
    }
}
