package io.github.untaken.spring.boot;

import io.github.untaken.http.EndpointSettingsBuilder;

/** A bean that sets what no property of the endpoint can, after the properties have been applied. */
@FunctionalInterface
public interface EndpointSettingsCustomizer {

    /** Called once at start. What a property has set already cannot be set again. */
    void customize(EndpointSettingsBuilder builder);
}
