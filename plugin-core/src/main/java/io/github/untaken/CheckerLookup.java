package io.github.untaken;

import java.util.Optional;

/**
 * Finds the checker of an application for what a container starts by itself, such as the servlet filter. Found by {@link
 * java.util.ServiceLoader} with the class loader of the application. Thread-safe.
 */
public interface CheckerLookup {

    /**
     * The checker. Asked when the filter starts, and if there is none yet, again by each request until there is one: whichever
     * of the two starts first. Quick where the answer is empty.
     *
     * @return empty if there is none so far
     * @throws RuntimeException if there should be one and it cannot be made; then the filter, or the request, fails
     */
    Optional<AvailabilityChecker> checker();
}
