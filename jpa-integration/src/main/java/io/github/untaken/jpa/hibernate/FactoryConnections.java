package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.connection.Connections;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.watch.OpenTransactions;
import io.github.untaken.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import org.hibernate.dialect.DB2Dialect;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.HSQLDialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.OracleDialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.dialect.SQLServerDialect;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a session factory, taken without a session, which would ask for a tenant and begin a transaction of its manager. The
 * factory may have nothing but a URL.
 */
final class FactoryConnections implements Connections {
    private final SessionFactoryImplementor factory;
    private final OpenTransactions writes;

    /** @param writes whose lost connections are looked for at each read */
    FactoryConnections(SessionFactoryImplementor factory, OpenTransactions writes) {
        this.factory = factory;
        this.writes = writes;
    }

    @Override
    public Connection open() throws SQLException {
        if (factory.isClosed()) {
            throw new StoreException("the database cannot be read: the EntityManagerFactory is closed");
        }
        writes.lent().look();
        return unheard().getConnection();
    }

    /** What stands before the provider, and hears what is written over its connections; null if nothing does. */
    @Nullable HeardConnections heard() {
        return Proxied.before(factory.getServiceRegistry().getService(ConnectionProvider.class))
                        instanceof HeardConnections heard
                ? heard
                : null;
    }

    /** Reads need not be heard. */
    private ConnectionProvider unheard() {
        HeardConnections heard = heard();
        return heard == null
                ? factory.getServiceRegistry().requireService(ConnectionProvider.class)
                : (ConnectionProvider) heard.service();
    }

    @Override
    public void close(Connection connection) throws SQLException {
        unheard().closeConnection(connection);
    }

    /** By the dialect, without asking the database. */
    Database database() {
        Dialect dialect = factory.getJdbcServices().getDialect();
        if (dialect instanceof H2Dialect) {
            return Database.H2;
        }
        if (dialect instanceof PostgreSQLDialect) {
            return Database.POSTGRESQL;
        }
        if (dialect instanceof MySQLDialect) {
            return Database.MYSQL;
        }
        if (dialect instanceof SQLServerDialect) {
            return Database.SQL_SERVER;
        }
        if (dialect instanceof OracleDialect) {
            return Database.ORACLE;
        }
        if (dialect instanceof DB2Dialect) {
            return Database.DB2;
        }
        return dialect instanceof HSQLDialect ? Database.HSQLDB : Database.OTHER;
    }
}
