package io.github.untaken.spring.boot.source;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import jakarta.persistence.EntityManagerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The entities of all persistence units, as sources of the checker. A source of the application's is added to them, or replaces the
 * one of its own unit. If it replaced all, the other units would go unheard.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration"
        })
@ConditionalOnUntaken
@ConditionalOnClass({JpaIdentifiers.class, EntityManagerFactory.class})
@ConditionalOnBean(EntityManagerFactory.class)
@ConditionalOnMissingBean(AvailabilityChecker.class)
final class UntakenJpaAutoConfiguration {

    @Bean
    EntitySources untakenEntitySources(ListableBeanFactory beans) {
        return EntitySources.of(beans.getBeansOfType(EntityManagerFactory.class).values());
    }
}
