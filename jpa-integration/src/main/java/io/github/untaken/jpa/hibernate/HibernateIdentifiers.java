package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.store.IdentifierTables;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.TableCatalog;
import io.github.untaken.spi.WriteSink;
import jakarta.persistence.EntityManagerFactory;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/** The identifiers of one Hibernate session factory: its stores, and what is written over its connections. Thread-safe. */
public final class HibernateIdentifiers implements IdentifierSource {
    private final HeardFactory factory;
    private final Map<IdentifierKind, List<RegisteredIdentifierStore>> stores;

    private HibernateIdentifiers(HeardFactory factory, Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        this.factory = factory;
        this.stores = stores;
    }

    /**
     * Finds the tables of a factory's identifiers. Does not ask the database.
     *
     * @param factory a factory of Hibernate, 6.6 or newer
     * @throws IllegalStateException if the factory has a database for each tenant, a marked attribute cannot be kept track of, or
     *     datasource-proxy is missing
     */
    public static HibernateIdentifiers of(EntityManagerFactory factory) {
        SessionFactoryImplementor sessionFactory = factory.unwrap(SessionFactoryImplementor.class);
        if (isReactive(sessionFactory)) {
            throw new IllegalStateException(
                    "This is a session factory of Hibernate Reactive, which has no JDBC connection to read with"
                            + " and does not report its writes: keep the identifiers in entities of a plain"
                            + " EntityManagerFactory, or build the checker over a store and Registrations");
        }
        refuseSeveralDatabases(sessionFactory);
        HeardFactory heard;
        try {
            heard = HeardFactory.of(sessionFactory);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "datasource-proxy is missing, without which the writes of Hibernate are not seen: add"
                            + " net.ttddyy:datasource-proxy to the class path",
                    e);
        }
        FactoryConnections connections = heard.connections();
        IdentifierTables tables = new IdentifierTables(
                connections, connections.database(), heard::awaitUnheard, heard::cutsAt, heard::marks, heard.facts());
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new LinkedHashMap<>();
        heard.mapped()
                .columns()
                .forEach((kind, columns) ->
                        stores.put(kind, columns.stream().map(tables::store).toList()));
        return new HibernateIdentifiers(heard, Map.copyOf(stores));
    }

    /**
     * Whether Hibernate Reactive made this. It has services, sessions and connections of its own, which must stay as they are, but shares
     * the class path and the files of {@code META-INF/services} with Hibernate.
     */
    static boolean isReactive(Object made) {
        return made.getClass().getName().startsWith("org.hibernate.reactive.");
    }

    private static void refuseSeveralDatabases(SessionFactoryImplementor factory) {
        SessionFactoryOptions options = factory.getSessionFactoryOptions();
        if (options.isMultiTenancyEnabled() || hasSchemas(options)) {
            throw new IllegalStateException(
                    "This session factory keeps each tenant in a database or a schema of its own,"
                            + " so a name can be taken for one and free for another, and one checker cannot"
                            + " answer for all. Use a factory and a checker for each tenant, or a tenant column"
                            + " (@TenantId) in shared tables");
        }
    }

    /** By name: it came with 7.1. */
    private static boolean hasSchemas(SessionFactoryOptions options) {
        try {
            return SessionFactoryOptions.class
                            .getMethod("getTenantSchemaMapper")
                            .invoke(options)
                    != null;
        } catch (NoSuchMethodException e) {
            return false;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Hibernate does not say whether each tenant has a schema of its own", e);
        }
    }

    @Override
    public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
        return stores;
    }

    /** The catalogs of the stores, and the proof that what is written is heard. */
    @Override
    public Set<TableCatalog> catalogs() {
        Set<TableCatalog> all = new LinkedHashSet<>(IdentifierSource.super.catalogs());
        all.add(factory.hearing());
        return all;
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
