package io.github.untaken.jpa;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import io.github.untaken.test.database.Engine;
import jakarta.transaction.TransactionManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.xa.PGXADataSource;

/** With Agroal's pool, as in Quarkus and WildFly. */
final class Narayana implements ManagedTransactions {
    private static final Logger LOG = Logger.getLogger("com.arjuna");

    private final TransactionManager transactions;
    private final List<AgroalDataSource> pools = new ArrayList<>();

    Narayana() throws Exception {
        LOG.setLevel(Level.SEVERE); // it warns of each rollback
        for (String store :
                new String[] {null, "communicationStore", "stateStore"}) { // nothing to recover after a test
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreType(VolatileStore.class.getName());
        }
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier("test");
        transactions = com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    @Override
    public TransactionManager transactions() {
        return transactions;
    }

    @Override
    public String platform() {
        return "JBossTS";
    }

    @Override
    public DataSource pool(Engine engine, String url) throws SQLException {
        boolean h2 = engine == Engine.H2;
        AgroalDataSource pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(all -> all.maxSize(10)
                        .transactionIntegration(new NarayanaTransactionIntegration(
                                transactions, new TransactionSynchronizationRegistryImple()))
                        .connectionFactoryConfiguration(each -> {
                            each.connectionProviderClass(h2 ? JdbcDataSource.class : PGXADataSource.class)
                                    .jdbcUrl(h2 ? url.replace(";USER=sa;PASSWORD=", "") : url);
                            if (h2) {
                                each.principal(new NamePrincipal("sa")).credential(new SimplePassword(""));
                            }
                            return each;
                        })));
        pools.add(pool);
        return pool;
    }

    @Override
    public void close() {
        pools.forEach(AgroalDataSource::close);
    }
}
