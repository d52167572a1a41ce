package io.github.untaken.cdi;

import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.spi.IdentifierSource;
import jakarta.enterprise.inject.Instance;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;

/** The persistence units with a marked attribute. Not to be loaded where {@code untaken-jpa} is absent. */
final class MarkedFactories {
    private MarkedFactories() {}

    static List<IdentifierSource> sources(Instance<Object> beans) {
        return beans.select(EntityManagerFactory.class).stream()
                .filter(JpaIdentifiers::areMarkedIn)
                .<IdentifierSource>map(JpaIdentifiers::of)
                .toList();
    }
}
