package io.github.untaken.spring.boot;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database of the application, as Spring Boot knows it, whose log {@code untaken.cluster.enabled} follows. Each line of
 * Spring Boot has an auto-configuration that makes this bean, since they keep it in classes of different names.
 *
 * @param url the address for JDBC
 * @param username asked before each connection, as is the password: either may change while the application runs
 */
public record FeedDatabase(String url, Supplier<@Nullable String> username, Supplier<@Nullable String> password) {
    /** Without the password. */
    @Override
    public String toString() {
        return "FeedDatabase";
    }
}
