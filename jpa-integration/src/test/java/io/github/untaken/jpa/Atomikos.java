package io.github.untaken.jpa;

import com.atomikos.icatch.jta.UserTransactionManager;
import com.atomikos.jdbc.AtomikosDataSourceBean;
import io.github.untaken.test.database.Engine;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.xa.PGXADataSource;

/** With its own pool. */
final class Atomikos implements ManagedTransactions {
    private static final Logger LOG = Logger.getLogger("com.atomikos");

    private final UserTransactionManager transactions = new UserTransactionManager();
    private final List<AtomikosDataSourceBean> pools = new ArrayList<>();

    /** It locks its log: with one for each run, two can go on in one folder. */
    Atomikos(Path log) throws SystemException {
        LOG.setLevel(Level.SEVERE); // it warns of each rollback
        System.setProperty("com.atomikos.icatch.enable_logging", "false"); // nothing to recover after a test
        System.setProperty("com.atomikos.icatch.log_base_dir", log.toString());
        System.setProperty("com.atomikos.icatch.recovery_delay", "200"); // so long its shutdown waits
        transactions.setForceShutdown(true);
        transactions.init();
    }

    @Override
    public TransactionManager transactions() {
        return transactions;
    }

    @Override
    public String platform() {
        return "Atomikos";
    }

    @Override
    public DataSource pool(Engine engine, String url) {
        AtomikosDataSourceBean pool = new AtomikosDataSourceBean();
        pool.setUniqueResourceName(engine.name() + pools.size());
        pool.setXaDataSource(xa(engine, url));
        pool.setMaxPoolSize(10);
        pools.add(pool);
        return pool;
    }

    static XADataSource xa(Engine engine, String url) {
        if (engine == Engine.H2) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL(url.replace(";USER=sa;PASSWORD=", ""));
            source.setUser("sa");
            source.setPassword("");
            return source;
        }
        PGXADataSource source = new PGXADataSource();
        source.setUrl(url);
        return source;
    }

    @Override
    public void close() {
        pools.forEach(AtomikosDataSourceBean::close);
        transactions.close();
    }
}
