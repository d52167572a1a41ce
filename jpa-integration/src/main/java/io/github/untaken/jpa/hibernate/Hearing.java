package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.watch.HeardConnection;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.TableCatalog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;

/**
 * How a session factory is heard, and the proof of it: one of its connections is taken and asked. While that fails, looks at the catalog
 * fail, so the database answers and the reason names what is missing. Once proved it stays proved, as Hibernate keeps its source of
 * connections.
 */
final class Hearing implements TableCatalog {
    private final SessionFactoryImplementor factory;
    private final Road road;
    private final FactoryConnections connections;
    private final FactoryDatabase database;
    private final AtomicLong looks = new AtomicLong();
    private volatile boolean proved;

    Hearing(SessionFactoryImplementor factory, Road road, FactoryConnections connections, FactoryDatabase database) {
        this.factory = factory;
        this.road = road;
        this.connections = connections;
        this.database = database;
    }

    @Override
    public Look look() {
        OwnConnections.look();
        if (factory.isClosed()) {
            throw new StoreException("the EntityManagerFactory is closed");
        }
        if (!proved) {
            database.learn(); // until then all connections count
            prove();
            proved = road.isAttached();
        }
        return new Look(looks.incrementAndGet(), Map.of());
    }

    private void prove() {
        if (connections.heard() == null) {
            throw unheard("its ConnectionProvider was put into the service registry directly, or Hibernate did not find"
                    + " META-INF/services/org.hibernate.service.spi.ServiceContributor of untaken-jpa:"
                    + " name the provider by hibernate.connection.provider_class instead, and keep that"
                    + " file when repackaging");
        }
        if (!(Proxied.before(factory.getServiceRegistry().getService(TransactionCoordinatorBuilder.class))
                instanceof OwnConnections)) {
            throw unheard("its TransactionCoordinatorBuilder was put into the service registry directly, so sessions"
                    + " with a connection of their own would go unseen: name it by"
                    + " hibernate.transaction.coordinator_class instead");
        }
        if (road.isAttached() && !isHeard()) {
            throw unheard("a connection that it handed out is not watched");
        }
    }

    private boolean isHeard() {
        JdbcConnectionAccess access = factory.getJdbcServices().getBootstrapJdbcConnectionAccess();
        try {
            Connection taken = access.obtainConnection();
            try {
                return taken instanceof HeardConnection heard && heard.isHeardBy(road.watch());
            } finally {
                access.releaseConnection(taken);
            }
        } catch (SQLException e) {
            throw new StoreException("no connection was available to see whether it is watched", e);
        }
    }

    private static StoreException unheard(String why) {
        return new StoreException("writes of this EntityManagerFactory are not seen: " + why);
    }

    @Override
    public void onDefinition(Runnable wanted) {}

    @Override
    public void release() {}

    @Override
    public String toString() {
        return "the connections of the EntityManagerFactory " + factory.getName();
    }
}
