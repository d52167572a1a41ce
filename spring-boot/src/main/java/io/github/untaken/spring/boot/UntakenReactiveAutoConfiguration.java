package io.github.untaken.spring.boot;

import io.github.untaken.spi.ChangeFeed;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** Says at the start what a reactive application has to do without; it would find out by a 404, or by a wrong "available". */
@AutoConfiguration(
        after = {UntakenClusterAutoConfiguration.class, UntakenAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
            "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration"
        })
@ConditionalOnUntaken
final class UntakenReactiveAutoConfiguration {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");

    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnProperty(name = "untaken.endpoint-enabled", havingValue = "true", matchIfMissing = true)
    SmartInitializingSingleton untakenNoEndpoint() {
        return () -> LOG.log(
                Level.WARNING,
                "This is a WebFlux application, and the availability endpoint takes servlets: /availability and /untaken.js"
                        + " answer 404, and untaken.watch hears nothing. Ask the AvailabilityChecker in a controller of your"
                        + " own, where blocking is allowed, for check(...) may wait for the database; checkInMemory(...) never"
                        + " does. untaken.endpoint-enabled=false ends this warning");
    }

    @Bean
    @ConditionalOnBean(type = "io.r2dbc.spi.ConnectionFactory")
    @ConditionalOnMissingBean(ChangeFeed.class)
    SmartInitializingSingleton untakenUnheardWrites() {
        return () -> LOG.log(
                Level.WARNING,
                "This application has an R2DBC ConnectionFactory, and nobody hears what is written over it: a name that is"
                        + " registered so is called available until the next scan. Marked entities of JPA and the tables of"
                        + " untaken.tables are heard, over JDBC. Announce the rest by checker.registrations() before its SQL,"
                        + " or follow the log of PostgreSQL (untaken.cluster.enabled)");
    }
}
