package io.github.untaken.jpa;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The identifiers of a factory of any provider, found and read by standard means. */
final class StandardJpaIdentifiers implements IdentifierSource {
    private final EntityManagerFactory factory;
    private final List<IdentifierAttribute> attributes;
    private final Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new LinkedHashMap<>();

    StandardJpaIdentifiers(EntityManagerFactory factory, List<IdentifierAttribute> attributes) {
        this.factory = factory;
        this.attributes = attributes;
        for (IdentifierAttribute attribute : attributes) {
            if (attribute.path().inCollection()) {
                throw new IllegalStateException(
                        attribute + " is an element collection, whose changes this provider does not report: keep"
                                + " the identifiers in an entity of their own, or use Hibernate");
            }
            if (!attribute.inserted()) {
                throw new IllegalStateException(
                        attribute + " is not written by an insert (insertable = false), and this provider does"
                                + " not report what else writes its column: mark the attribute that does, or use"
                                + " Hibernate");
            }
            if (!attribute.inherited()) { // a query for the superclass finds its subclasses too
                stores.computeIfAbsent(attribute.mark().kind(), kind -> new ArrayList<>())
                        .add(new JpaIdentifierStore(
                                factory,
                                attribute.entityName(),
                                attribute.path().dotted()));
            }
        }
        stores.replaceAll((kind, list) -> List.copyOf(list));
    }

    @Override
    public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
        return Map.copyOf(stores);
    }

    @Override
    public void connect(WriteSink sink) {
        ListeningFactories.connect(factory, attributes, sink);
    }

    @Override
    public void disconnect() {
        ListeningFactories.disconnect(factory);
    }
}
