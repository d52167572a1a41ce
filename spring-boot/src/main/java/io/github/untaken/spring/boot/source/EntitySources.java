package io.github.untaken.spring.boot.source;

import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.metamodel.ManagedType;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The sources of those persistence units that have a marked attribute; the others are left alone. */
public record EntitySources(List<IdentifierSource> all) {

    /** @throws UntakenSetupException if a marked attribute cannot be kept track of, or an entity carries {@code @Available} */
    static EntitySources of(Collection<EntityManagerFactory> factories) {
        List<IdentifierSource> sources = new ArrayList<>();
        for (EntityManagerFactory factory : factories) {
            Set<ManagedType<?>> types = factory.getMetamodel().getManagedTypes();
            if (types.stream()
                    .anyMatch(type -> members(type.getJavaType())
                            .anyMatch(member -> member.isAnnotationPresent(RegisteredIdentifier.class)))) {
                sources.add(source(factory));
            }
        }
        return new EntitySources(sources);
    }

    private static IdentifierSource source(EntityManagerFactory factory) {
        try {
            return JpaIdentifiers.of(factory);
        } catch (IllegalStateException e) {
            throw new UntakenSetupException(
                    "The availability checker cannot follow the entities: " + e.getMessage(),
                    "Change the mapping as it says, or take @RegisteredIdentifier off and define the AvailabilityChecker"
                            + " as a bean of your own.",
                    e);
        }
    }

    private static Stream<AnnotatedElement> members(Class<?> type) {
        Stream<AnnotatedElement> all = Stream.empty();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            all = Stream.concat(
                    all, Stream.concat(Stream.of(c.getDeclaredFields()), Stream.of(c.getDeclaredMethods())));
        }
        return all;
    }
}
