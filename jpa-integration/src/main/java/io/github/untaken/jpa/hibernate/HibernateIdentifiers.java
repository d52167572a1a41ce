package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierTables;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.WriteSink;
import jakarta.persistence.EntityManagerFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/** The identifiers of one Hibernate session factory: its stores, and the events of its sessions. Thread-safe. */
public final class HibernateIdentifiers implements IdentifierSource {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jpa");

    private final HeardFactory factory;
    private final Map<IdentifierKind, List<RegisteredIdentifierStore>> stores;

    private HibernateIdentifiers(HeardFactory factory, Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        this.factory = factory;
        this.stores = stores;
    }

    /**
     * Finds the listeners of a factory and the tables of its identifiers. Asks no database.
     *
     * @param factory a factory of Hibernate
     * @throws IllegalStateException if the factory was built without the integrator, or has a database for each tenant
     */
    public static HibernateIdentifiers of(EntityManagerFactory factory) {
        SessionFactoryImplementor sessionFactory = factory.unwrap(SessionFactoryImplementor.class);
        if (HibernateLine.isReactive(sessionFactory)) {
            throw new IllegalStateException(
                    "This is a session factory of Hibernate Reactive, which has no JDBC connection to"
                            + " read with and tells nobody of its writes: keep the identifiers in entities of a plain"
                            + " EntityManagerFactory, or build the checker over a store and Registrations");
        }
        HeardFactory heard = HeardFactory.of(sessionFactory)
                .orElseThrow(() ->
                        new IllegalStateException("Hibernate has not found " + AvailabilityIntegrator.class.getName()
                                + " through META-INF/services/org.hibernate.integrator.spi.Integrator, so that writes would go"
                                + " unseen: keep that file when repackaging, and have untaken-jpa on the class path that"
                                + " Hibernate loads services from when the EntityManagerFactory is built"));
        refuseSeveralDatabases(sessionFactory);
        warnOfWhatIsNotSeen(sessionFactory);
        FactoryConnections connections = new FactoryConnections(sessionFactory);
        IdentifierTables tables = new IdentifierTables(
                connections,
                connections.database(),
                heard::awaitUnheard,
                heard::cutsAt,
                heard::writerMarks,
                heard.facts());
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new LinkedHashMap<>();
        heard.mappings()
                .columns()
                .forEach((kind, columns) ->
                        stores.put(kind, columns.stream().map(tables::store).toList()));
        return new HibernateIdentifiers(heard, Map.copyOf(stores));
    }

    private static void refuseSeveralDatabases(SessionFactoryImplementor factory) {
        SessionFactoryOptions options = factory.getSessionFactoryOptions();
        if (options.isMultiTenancyEnabled() || options.getTenantSchemaMapper() != null) {
            throw new IllegalStateException(
                    "This session factory keeps each tenant in a database or a schema of its own,"
                            + " where one name can be taken in one and free in another: one checker cannot answer for all of them."
                            + " Use a factory and a checker for each tenant, or a tenant column (@TenantId) in shared tables");
        }
    }

    /** Warns if bulk writes of this factory cannot be noticed, or if each of its writes costs a scan. */
    private static void warnOfWhatIsNotSeen(SessionFactoryImplementor factory) {
        if (HandoverInspector.installedIn(factory) != null && !HeardExecutors.areUsedBy(factory)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "This EntityManagerFactory does not say which statements Hibernate builds itself, so every write of an"
                            + " entity with identifiers costs a scan: this takes the file META-INF/services/"
                            + "org.hibernate.service.spi.ServiceContributor of untaken-jpa on the class path, and no"
                            + " MutationExecutorService of the application's own.");
        }
        if (HandoverInspector.installedIn(factory) == null || !HeardSessions.areUsedBy(factory)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Bulk and native statements of this EntityManagerFactory are not noticed, and what they register stays"
                            + " unseen until the next scan: this takes the file META-INF/services/"
                            + "org.hibernate.service.spi.ServiceContributor of untaken-jpa on the class path, no"
                            + " TransactionCoordinatorBuilder service of the application's own, and a session factory"
                            + " built in the usual way. Otherwise wrap such work in bulk(kind, work).");
        }
    }

    @Override
    public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
        return stores;
    }

    @Override
    public void connect(WriteSink sink) {
        factory.connect(sink);
    }

    @Override
    public void disconnect() {
        factory.disconnect();
    }
}
