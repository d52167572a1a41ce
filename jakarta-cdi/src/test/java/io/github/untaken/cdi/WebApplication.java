package io.github.untaken.cdi;

import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.IdentifierKind;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** What the web application of {@link ServletContextTest} consists of. */
@ApplicationScoped
class WebApplication {
    void set(@Observes AvailabilityCheckerBuilder builder) {
        InMemoryIdentifierStore store = new InMemoryIdentifierStore();
        store.add("frieda");
        builder.store(IdentifierKind.USERNAME, store);
    }
}
