package io.github.untaken.spring.boot.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spring.boot.checker.UntakenAutoConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

class RegistryEndpointTest {
    @Test
    void withNothingToCheckItHasNothingToSay() {
        new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(UntakenAutoConfiguration.class, UntakenActuatorAutoConfiguration.class))
                .withPropertyValues("management.endpoints.web.exposure.include=untaken")
                .run(context -> {
                    RegistryEndpoint endpoint = context.getBean(RegistryEndpoint.class);
                    assertThat(endpoint.figures()).isEmpty();
                    assertThat(endpoint.rescan(null)).containsEntry("rescan", List.of());
                });
    }
}
