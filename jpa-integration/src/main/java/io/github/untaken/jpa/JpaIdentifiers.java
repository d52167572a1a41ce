package io.github.untaken.jpa;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.hibernate.HibernateIdentifiers;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import io.github.untaken.jpa.mapping.IdentifierAttributes;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.TableCatalog;
import io.github.untaken.spi.WriteSink;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The identifiers of one {@link EntityManagerFactory}: every attribute marked with {@link io.github.untaken.RegisteredIdentifier}. {@code
 * AvailabilityChecker.builder().source(JpaIdentifiers.of(emf)).build()} is all the wiring an application needs.
 *
 * <p>With Hibernate, 6.6 or newer, whatever is written over its connections is heard before it is sent: entities, bulk queries, native
 * statements and what {@code doWork} sends. Where the text does not show which names are written, the store answers until a scan after it.
 * Any other factory of this JVM that writes the same tables is heard too. What a session writes over a connection of its own is not heard,
 * so the store answers from the session's creation until ten minutes after its end.
 *
 * <p>With another provider each such entity must name {@link AvailabilityEntityListener}, or it is refused; the listener's limits apply.
 * EclipseLink is asked whether it calls the listener, so naming it in {@code orm.xml} will do. The next rescan finds what other programs
 * write, or JDBC on connections of your own.
 *
 * <p>Thread-safe. One checker at a time can be connected to a factory; connecting a second one throws {@code IllegalStateException}.
 */
public final class JpaIdentifiers implements IdentifierSource {
    private final Object factory;
    private final IdentifierSource provider;

    /** @param factory as returned by {@link #behindProxies} */
    private JpaIdentifiers(Object factory, IdentifierSource provider) {
        this.factory = factory;
        this.provider = provider;
    }

    /**
     * Reads the mapping; does not ask the database.
     *
     * @param factory of any provider; is not closed by the checker
     * @throws IllegalStateException if no attribute is marked, if a marked one cannot be kept track of (it is not a plain {@code String}
     *     column), if an entity carries the constraint {@code @Available}, or if a provider other than Hibernate does not call
     *     {@link AvailabilityEntityListener} for an entity; the message says which, and what to do
     */
    public static JpaIdentifiers of(EntityManagerFactory factory) {
        List<IdentifierAttribute> attributes = IdentifierAttributes.of(factory.getMetamodel());
        ConstrainedEntities.refuse(factory.getMetamodel());
        IdentifierSource provider = attributes.isEmpty() ? null : provider(behindProxy(factory), attributes);
        if (provider == null || provider.stores().isEmpty()) {
            throw new IllegalStateException("No entity of this factory has an attribute marked with"
                    + " @RegisteredIdentifier: mark the one that holds the normalised identifier");
        }
        return new JpaIdentifiers(behindProxies(factory), provider);
    }

    /**
     * Whether one of its entities has a marked attribute, so that {@link #of} makes a source. Reads the mapping; does not ask the database.
     *
     * @throws IllegalStateException if a marked attribute cannot be kept track of; the message names it
     */
    public static boolean areMarkedIn(EntityManagerFactory factory) {
        return !IdentifierAttributes.of(factory.getMetamodel()).isEmpty();
    }

    private static IdentifierSource provider(EntityManagerFactory factory, List<IdentifierAttribute> attributes) {
        if (isHibernate(factory)) {
            return HibernateIdentifiers.of(factory);
        }
        IdentifierSource source = new StandardJpaIdentifiers(factory, attributes);
        ListenedEntities.require(factory, attributes);
        return source;
    }

    /**
     * A CDI client proxy returns itself wherever the factory returns itself, even when unwrapped. Hibernate behind it would be taken for a
     * provider that tells nothing. A session knows its factory.
     */
    private static EntityManagerFactory behindProxy(EntityManagerFactory factory) {
        if (isHibernate(factory)) {
            return factory;
        }
        try (EntityManager session = factory.createEntityManager()) {
            return session.getEntityManagerFactory();
        }
    }

    /** Proxies equal nothing but themselves, and Spring's passes itself off as a SessionFactory; the result is none of these. */
    private static Object behindProxies(EntityManagerFactory factory) {
        EntityManagerFactory asked = behindProxy(factory);
        return unwrapped(asked, "org.hibernate.engine.spi.SessionFactoryImplementor")
                .orElse(asked);
    }

    private static boolean isHibernate(EntityManagerFactory factory) {
        return unwrapped(factory, "org.hibernate.SessionFactory").isPresent();
    }

    /** The code names no Hibernate type: without Hibernate none of them may be loaded. */
    private static Optional<Object> unwrapped(EntityManagerFactory factory, String name) {
        try {
            Class<?> type = Class.forName(name, false, JpaIdentifiers.class.getClassLoader());
            return Optional.<Object>ofNullable(factory.unwrap(type)).filter(type::isInstance);
        } catch (ClassNotFoundException | PersistenceException e) {
            return Optional.empty();
        }
    }

    @Override
    public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
        return provider.stores();
    }

    @Override
    public Set<TableCatalog> catalogs() {
        return provider.catalogs();
    }

    /** The factory itself, even if this was made from a proxy of it. */
    @Override
    public Object origin() {
        return factory;
    }

    @Override
    public void connect(WriteSink sink) {
        provider.connect(sink);
    }

    @Override
    public void disconnect() {
        provider.disconnect();
    }
}
