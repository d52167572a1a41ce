package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityCheckerBuilder;

/** A bean that sets what no property can, after the properties and the other beans have been applied. */
@FunctionalInterface
public interface CheckerBuilderCustomizer {

    /** Called once at start. What a property has set already cannot be set again. */
    void customize(AvailabilityCheckerBuilder builder);
}
