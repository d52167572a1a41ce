package io.github.untaken.cdi;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.CheckerLookup;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.CDI;
import java.util.Optional;

/** Gives the servlet filter the bean; found by it, not called by applications. Thread-safe. */
public final class CurrentChecker implements CheckerLookup {

    /** For the service loader. */
    public CurrentChecker() {}

    @Override
    public Optional<AvailabilityChecker> checker() {
        Instance<AvailabilityChecker> bean;
        try {
            bean = CDI.current().select(AvailabilityChecker.class);
        } catch (IllegalStateException | LinkageError e) {
            return Optional.empty(); // CDI has not started, or is not there
        }
        return bean.isResolvable() ? Optional.of(bean.get()) : Optional.empty();
    }
}
