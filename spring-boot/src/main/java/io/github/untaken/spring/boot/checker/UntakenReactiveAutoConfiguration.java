package io.github.untaken.spring.boot.checker;

import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Warns at the start of a reactive application's unseen writes, before a wrong "available" reveals them. */
@AutoConfiguration(
        after = UntakenAutoConfiguration.class,
        afterName = {
            "io.github.untaken.spring.boot.cluster.UntakenClusterAutoConfiguration",
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
            "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration"
        })
@ConditionalOnUntaken
final class UntakenReactiveAutoConfiguration {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");

    @Bean
    @ConditionalOnBean(type = "io.r2dbc.spi.ConnectionFactory")
    @ConditionalOnMissingBean(ChangeFeed.class)
    SmartInitializingSingleton untakenUnheardWrites() {
        return () -> LOG.log(
                Level.WARNING,
                "This application has an R2DBC ConnectionFactory, and names written over it are not seen: they"
                        + " look available until the next scan. Writes over JDBC to JPA entities and"
                        + " untaken.tables are seen. Announce the rest by checker.registrations() before its SQL,"
                        + " or follow the database's log (untaken.cluster.enabled)");
    }
}
