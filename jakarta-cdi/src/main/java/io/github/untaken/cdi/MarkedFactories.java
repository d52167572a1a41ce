package io.github.untaken.cdi;

import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.spi.IdentifierSource;
import jakarta.enterprise.inject.Instance;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The persistence units with a marked attribute. Not to be loaded where {@code untaken-jpa} is absent. */
final class MarkedFactories {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.cdi");

    private MarkedFactories() {}

    /** Asks each factory something, since the container may give a proxy that has not looked for the factory yet. */
    static boolean canBeHad(Instance<Object> beans) {
        try {
            beans.select(EntityManagerFactory.class).forEach(EntityManagerFactory::isOpen);
            return true;
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "The container does not offer its persistence units yet, so the availability checker is made"
                            + " when it is first used: " + e);
            return false;
        }
    }

    /** These sources, and one for each unit that has none among them. */
    static List<IdentifierSource> addedTo(List<IdentifierSource> own, Instance<Object> beans) {
        Set<Object> followed = own.stream().map(IdentifierSource::origin).collect(Collectors.toSet());
        Stream<IdentifierSource> marked = beans.select(EntityManagerFactory.class).stream()
                .filter(JpaIdentifiers::areMarkedIn)
                .map(JpaIdentifiers::of);
        return Stream.concat(own.stream(), marked.filter(each -> !followed.contains(each.origin())))
                .toList();
    }
}
