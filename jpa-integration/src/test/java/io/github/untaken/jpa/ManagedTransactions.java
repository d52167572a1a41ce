package io.github.untaken.jpa;

import io.github.untaken.test.database.Engine;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A real transaction manager of JTA with the pool that applications have it with. */
interface ManagedTransactions extends AutoCloseable {
    /** What there is. */
    enum Product {
        ATOMIKOS,
        NARAYANA;

        /** @param log a folder of its own */
        ManagedTransactions start(Path log) throws Exception {
            return this == ATOMIKOS ? new Atomikos(log) : new Narayana();
        }
    }

    TransactionManager transactions();

    /** By which Hibernate knows it. */
    String platform();

    /** A pool of connections that it enlists; closed with this. */
    DataSource pool(Engine engine, String url) throws SQLException;

    @Override
    void close();
}
