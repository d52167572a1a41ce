package io.github.untaken.spring.boot.cluster;

import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.spring.boot.FeedDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.util.ClassUtils;

/**
 * The user and the password with which the application's pool opens its next connection. Whoever rotates passwords tells the pool, but
 * not always Spring Boot.
 */
final class PoolLogin {
    private static final boolean IS_PRESENT =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", PoolLogin.class.getClassLoader());

    private PoolLogin() {}

    /** What Spring Boot was told, unless the pool is one that can be asked. */
    static FeedDatabase of(FeedDatabase told, DataSource pool) {
        try {
            if (IS_PRESENT && pool.isWrapperFor(HikariDataSource.class)) {
                HikariDataSource asked = pool.unwrap(HikariDataSource.class);
                return new FeedDatabase(told.url(), asked::getUsername, asked::getPassword);
            }
        } catch (SQLException e) {
            // it is none
        }
        return told;
    }
}
