package io.github.untaken.spring.boot;

import org.jspecify.annotations.Nullable;

/**
 * The database of the application, as Spring Boot knows it, whose log {@code untaken.cluster.enabled} follows. A bean of the
 * auto-configuration for each line of Spring Boot, which keep it in classes of different names.
 *
 * @param url the address for JDBC
 */
public record FeedDatabase(
        String url, @Nullable String username, @Nullable String password) {
    /** Without the password. */
    @Override
    public String toString() {
        return "FeedDatabase";
    }
}
