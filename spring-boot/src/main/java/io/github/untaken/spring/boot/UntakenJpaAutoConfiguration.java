package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.spi.IdentifierSource;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The entities of all persistence units, as the source of the checker. Stands back where the application has an {@link
 * IdentifierSource} of its own.
 */
@AutoConfiguration(afterName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnUntaken
@ConditionalOnClass({JpaIdentifiers.class, EntityManagerFactory.class})
@ConditionalOnBean(EntityManagerFactory.class)
@ConditionalOnMissingBean({IdentifierSource.class, AvailabilityChecker.class})
final class UntakenJpaAutoConfiguration {

    @Bean
    EntitySources untakenEntitySources(ListableBeanFactory beans) {
        return EntitySources.of(beans.getBeansOfType(EntityManagerFactory.class).values());
    }
}
