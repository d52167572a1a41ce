package io.github.untaken.spring.boot.source;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The tables that {@code untaken.tables} names, as a source of the checker, with the data source watched for what is written to them.
 * Marked entities and the application's own sources go on reporting beside it.
 */
@AutoConfiguration(
        after = UntakenJpaAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
        })
@ConditionalOnUntaken
@ConditionalOnClass({JdbcIdentifiers.class, DataSource.class})
@Conditional(UntakenTablesAutoConfiguration.AreNamed.class)
@ConditionalOnMissingBean(AvailabilityChecker.class)
final class UntakenTablesAutoConfiguration {

    @Bean
    static TablesDataSource untakenTablesDataSource(Environment environment) {
        return new TablesDataSource(environment);
    }

    @Bean
    JdbcIdentifiers untakenTables(TablesDataSource watched, ObjectProvider<DataSource> dataSources) {
        dataSources.stream().forEach(each -> {}); // making them is what watches them
        return watched.identifiers();
    }

    /** Whether there is a property below {@code untaken.tables}. */
    static final class AreNamed extends SpringBootCondition {
        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean named = !TablesDataSource.tables(context.getEnvironment()).isEmpty();
            return new ConditionOutcome(
                    named,
                    ConditionMessage.forCondition("untaken.tables")
                            .because(named ? "tables are named" : "none is named"));
        }
    }
}
