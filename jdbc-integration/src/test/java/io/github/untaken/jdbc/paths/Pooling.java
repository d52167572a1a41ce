package io.github.untaken.jdbc.paths;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import javax.sql.DataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;

/** Which pool there is, and on which side of the watch. */
public enum Pooling {
    NONE,
    HIKARI_INSIDE {
        @Override
        DataSource pool(DataSource database) {
            return hikari(database);
        }
    },
    HIKARI_OUTSIDE {
        @Override
        DataSource around(DataSource watched) {
            return hikari(watched);
        }
    },
    TOMCAT_INSIDE {
        @Override
        DataSource pool(DataSource database) {
            return tomcat(database);
        }
    },
    TOMCAT_OUTSIDE {
        @Override
        DataSource around(DataSource watched) {
            return tomcat(watched);
        }
    };

    /** What is watched. */
    DataSource pool(DataSource database) {
        return database;
    }

    /** What the application gets. */
    DataSource around(DataSource watched) {
        return watched;
    }

    final DataSource watched(DataSource pool, JdbcIdentifiers identifiers) {
        return around(WatchedDataSource.of(pool, identifiers));
    }

    static DataSource hikari(DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setConnectionTimeout(10_000); // of a server that is down
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    private static DataSource tomcat(DataSource source) {
        PoolProperties properties = new PoolProperties();
        properties.setDataSource(source);
        properties.setMaxActive(8);
        properties.setInitialSize(0);
        properties.setMinIdle(0);
        properties.setTestOnBorrow(true);
        properties.setValidationQuery("select 1");
        return new org.apache.tomcat.jdbc.pool.DataSource(properties);
    }
}
