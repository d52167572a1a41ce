package io.github.untaken;

import java.util.Optional;

/**
 * Finds an application's checker for objects that a container creates, such as the servlet filter. Loaded by
 * {@link java.util.ServiceLoader} with the application's class loader. Thread-safe.
 */
public interface CheckerLookup {

    /**
     * The checker. Asked when the filter starts and, if there is none yet, again by each request until there is one, so
     * either may start first. Must be quick when the answer is empty.
     *
     * @return empty if there is none so far
     * @throws RuntimeException if there should be one and it cannot be made; the filter or the request then fails
     */
    Optional<AvailabilityChecker> checker();
}
