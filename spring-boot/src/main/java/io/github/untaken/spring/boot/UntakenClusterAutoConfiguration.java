package io.github.untaken.spring.boot;

import io.github.untaken.cluster.postgresql.PostgreSqlFeed;
import io.github.untaken.cluster.postgresql.PostgreSqlFeedBuilder;
import io.github.untaken.spi.ChangeFeed;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Follows PostgreSQL's log where {@code untaken.cluster.enabled} says so. */
@AutoConfiguration
@ConditionalOnUntaken
@ConditionalOnProperty(name = "untaken.cluster.enabled", havingValue = "true")
@ConditionalOnClass(PostgreSqlFeed.class)
@EnableConfigurationProperties(UntakenProperties.class)
final class UntakenClusterAutoConfiguration {

    /** Connected and let go of by the checker. */
    @Bean
    @ConditionalOnMissingBean
    ChangeFeed untakenChangeFeed(
            UntakenProperties properties, ObjectProvider<FeedDatabase> database, ObjectProvider<DataSource> pools) {
        UntakenProperties.Cluster from = properties.cluster();
        FeedDatabase same = from.url() == null ? database.getIfAvailable() : null;
        String url = same == null ? from.url() : same.url();
        if (url == null) {
            throw new UntakenSetupException(
                    "untaken.cluster.enabled is true, and the address of the database is not known.",
                    "Set untaken.cluster.url, and untaken.cluster.username and password.",
                    null);
        }
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new UntakenSetupException(
                    "untaken.cluster.enabled is true, but the database is not PostgreSQL: its address does not begin with"
                            + " jdbc:postgresql:",
                    "Set untaken.cluster.url if the data source wraps another address; elsewhere switch it off.",
                    null);
        }
        PostgreSqlFeedBuilder to = PostgreSqlFeed.of(url);
        from.properties().forEach(to::property);
        try {
            if (same != null) {
                DataSource pool = pools.getIfUnique();
                FeedDatabase now = pool == null ? same : PoolLogin.of(same, pool);
                to.user(present(now.username())).password(present(now.password()));
            }
            Given.set(from.username(), to::user);
            Given.set(from.password(), to::password);
            Given.set(from.publication(), to::publication);
            Given.set(from.createPublication(), to::createPublication);
            Given.set(from.keepSlots(), to::keepSlots);
            Given.set(from.slotTimeout(), to::slotTimeout);
            Given.set(from.slots(), to::slots);
            Given.set(from.orphanAge(), to::orphanAge);
        } catch (IllegalArgumentException e) {
            throw new UntakenSetupException(
                    "A setting of the database's log has no good value: " + e.getMessage(),
                    "Correct the property; its name is that of the setting, such as untaken.cluster.slot-timeout for"
                            + " slotTimeout.",
                    e);
        }
        return to.build();
    }

    private static Supplier<String> present(Supplier<@Nullable String> asked) {
        return () -> Objects.requireNonNullElse(asked.get(), "");
    }
}
