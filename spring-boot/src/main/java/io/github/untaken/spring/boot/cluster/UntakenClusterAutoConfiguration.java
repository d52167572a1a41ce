package io.github.untaken.spring.boot.cluster;

import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spring.boot.FeedDatabase;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Follows the log of the database where {@code untaken.cluster.enabled} says so; the address says which log that is. */
@AutoConfiguration
@ConditionalOnUntaken
@ConditionalOnProperty(name = "untaken.cluster.enabled", havingValue = "true")
@EnableConfigurationProperties(UntakenProperties.class)
final class UntakenClusterAutoConfiguration {

    /** The checker connects and disconnects it. */
    @Bean
    @ConditionalOnMissingBean
    ChangeFeed untakenChangeFeed(
            UntakenProperties properties,
            ObjectProvider<FeedFactory> factories,
            ObjectProvider<FeedDatabase> database,
            ObjectProvider<DataSource> pools) {
        UntakenProperties.Cluster from = properties.cluster();
        FeedDatabase same = from.url() == null ? database.getIfAvailable() : null;
        String url = same == null ? from.url() : same.url();
        if (url == null) {
            throw new UntakenSetupException(
                    "untaken.cluster.enabled is true, but the address of the database is not known.",
                    "Set untaken.cluster.url, and untaken.cluster.username and password.",
                    null);
        }
        FeedFactory factory = factories
                .orderedStream()
                .filter(each -> each.knows(url))
                .findFirst()
                .orElseThrow(() -> unknown(url));
        try {
            return factory.feed(url, from, FeedLogin.of(from, same, pools));
        } catch (IllegalArgumentException e) {
            throw new UntakenSetupException(
                    "A setting for following the database's log has an invalid value: " + e.getMessage(),
                    "Correct the property; its name is that of the setting, such as untaken.cluster.slot-timeout for"
                            + " slotTimeout.",
                    e);
        }
    }

    @Bean
    @ConditionalOnClass(name = "io.github.untaken.cluster.postgresql.PostgreSqlFeed")
    FeedFactory untakenPostgreSqlFeeds() {
        return new PostgreSqlFeeds();
    }

    @Bean
    @ConditionalOnClass(name = "io.github.untaken.cluster.mysql.MySqlFeed")
    FeedFactory untakenMySqlFeeds() {
        return new MySqlFeeds();
    }

    private static UntakenSetupException unknown(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return without("untaken-cluster-postgresql");
        }
        if (url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:")) {
            return without("untaken-cluster-mysql");
        }
        return new UntakenSetupException(
                "untaken.cluster.enabled is true, but the log of this database cannot be followed: its address"
                        + " begins with none of jdbc:postgresql:, jdbc:mysql: and jdbc:mariadb:",
                "Set untaken.cluster.url if the data source wraps another address; otherwise switch it off.",
                null);
    }

    /** Each feed is an artifact of its own. */
    private static UntakenSetupException without(String artifact) {
        return new UntakenSetupException(
                "untaken.cluster.enabled is true, but nothing can follow the log of the database.",
                "Add the dependency io.github.untaken:" + artifact + ", or define one bean of type ChangeFeed.",
                null);
    }
}
