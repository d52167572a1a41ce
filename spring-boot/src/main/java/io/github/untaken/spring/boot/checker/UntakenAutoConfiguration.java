package io.github.untaken.spring.boot.checker;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.AvailabilityCheckerBuilder;
import io.github.untaken.CheckListener;
import io.github.untaken.normalize.ReservedNames;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spi.IdentifierNormalizer;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spring.boot.CheckerBuilderCustomizer;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.reserved.ReservedNameLists;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import io.github.untaken.spring.boot.source.BackgroundMigrations;
import io.github.untaken.spring.boot.source.EntitySources;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * The checker of all that the application has: marked entities, or sources and stores as beans. Without any of these there is no
 * checker, and nothing else is configured.
 */
@AutoConfiguration(
        afterName = {
            "io.github.untaken.spring.boot.source.UntakenJpaAutoConfiguration",
            "io.github.untaken.spring.boot.source.UntakenTablesAutoConfiguration",
            "io.github.untaken.spring.boot.cluster.UntakenClusterAutoConfiguration"
        })
@ConditionalOnUntaken
@EnableConfigurationProperties(UntakenProperties.class)
public final class UntakenAutoConfiguration {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");

    /** Made after scripts and migrations have run: nobody tells of the rows they write. */
    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    @Lazy(false)
    @Nullable AvailabilityChecker untakenAvailabilityChecker(
            UntakenProperties properties,
            Environment environment,
            ListableBeanFactory beans,
            ReservedNameLists reserved,
            BackgroundMigrations migrations,
            ObjectProvider<EntitySources> entities,
            ObjectProvider<IdentifierSource> sources,
            ObjectProvider<ChangeFeed> feeds,
            ObjectProvider<CheckListener> listeners,
            ObjectProvider<CheckerBuilderCustomizer> customizers) {
        UnboundSettings.check(environment);
        AvailabilityCheckerBuilder builder = AvailabilityChecker.builder();
        List<IdentifierSource> own = sources.orderedStream().toList();
        Set<Object> followed = own.stream().map(IdentifierSource::origin).collect(Collectors.toSet());
        List<IdentifierSource> marked = entities.stream()
                .flatMap(each -> each.all().stream())
                .filter(each -> !followed.contains(each.origin()))
                .toList();
        var stores = beans.getBeansOfType(RegisteredIdentifierStore.class);
        if (marked.isEmpty() && own.isEmpty() && stores.isEmpty()) {
            LOG.log(
                    Level.INFO,
                    "No availability checker: no entity has an attribute marked with @RegisteredIdentifier, and there is"
                            + " no bean of type IdentifierSource or RegisteredIdentifierStore");
            return null;
        }
        marked.forEach(builder::source);
        own.forEach(builder::source);
        stores.forEach((name, store) -> builder.store(KindsOfBeans.of(name, "Store"), store));
        beans.getBeansOfType(IdentifierNormalizer.class)
                .forEach((name, normalizer) -> builder.normalizer(KindsOfBeans.of(name, "Normalizer"), normalizer));
        beans.getBeansOfType(ReservedNames.class)
                .forEach((name, names) -> builder.reserved(KindsOfBeans.of(name, "ReservedNames"), names));
        reserved.readInto(builder);
        CheckerSettings.apply(properties, builder);
        ChangeFeed feed = feeds.getIfUnique();
        if (feed != null) {
            builder.feed(feed);
        } else if (properties.cluster().enabled()) {
            throw new UntakenSetupException(
                    "untaken.cluster.enabled is true, but nothing can follow the log of the database.",
                    "Add the dependency io.github.untaken:untaken-cluster-postgresql or untaken-cluster-mysql, or"
                            + " define one bean"
                            + " of type ChangeFeed.",
                    null);
        }
        builder.listener(CheckListeners.of(listeners.orderedStream().toList()));
        customizers.orderedStream().forEach(each -> each.customize(builder));
        AvailabilityChecker checker = build(builder);
        migrations.concern(checker);
        try {
            reserved.watch(checker);
        } catch (UntakenSetupException e) {
            checker.close();
            throw e;
        }
        return checker;
    }

    private static AvailabilityChecker build(AvailabilityCheckerBuilder builder) {
        try {
            return builder.build();
        } catch (IllegalStateException e) {
            boolean kindOfItsOwn = String.valueOf(e.getMessage()).contains("has no normalizer");
            throw new UntakenSetupException(
                    "The availability checker was refused: " + e.getMessage(),
                    kindOfItsOwn
                            ? "Give user names the kind username. For names of another kind set"
                                    + " untaken.policy.<kind>.least-length, or another property beside it; for"
                                    + " anything else define a bean of type IdentifierNormalizer called"
                                    + " <kind>Normalizer."
                            : "Change the sources, stores and customizers as it says.",
                    e);
        }
    }

    @Bean
    ReservedNameLists untakenReservedNameLists(
            UntakenProperties properties, ResourceLoader resources, ObjectProvider<DataSource> databases) {
        return new ReservedNameLists(properties, resources, databases);
    }

    @Bean
    BackgroundMigrations untakenBackgroundMigrations() {
        return new BackgroundMigrations();
    }

    @Bean
    ReadyWait untakenReadyWait(UntakenProperties properties, ObjectProvider<AvailabilityChecker> checker) {
        return new ReadyWait(properties.awaitReady(), checker);
    }
}
