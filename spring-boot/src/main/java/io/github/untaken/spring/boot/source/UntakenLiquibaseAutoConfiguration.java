package io.github.untaken.spring.boot.source;

import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import java.util.Optional;
import javax.sql.DataSource;
import liquibase.integration.spring.SpringLiquibase;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Liquibase may be made to run beside the application, as JHipster does; then nothing else tells when it has ended. */
@AutoConfiguration
@ConditionalOnUntaken
@ConditionalOnClass({SpringLiquibase.class, DelegatingDataSource.class})
final class UntakenLiquibaseAutoConfiguration {

    @Bean
    static BeanPostProcessor untakenLiquibaseWatch(ObjectProvider<BackgroundMigrations> migrations) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof SpringLiquibase liquibase) {
                    Optional<DataSource> given = Optional.ofNullable(liquibase.getDataSource());
                    given.ifPresent(
                            source -> liquibase.setDataSource(new MigratingDataSource(source, migrations.getObject())));
                }
                return bean;
            }
        };
    }
}
