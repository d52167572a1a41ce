package io.github.untaken.spring.boot3;

import io.github.untaken.spring.boot.FeedDatabase;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;

/** Where the database of the application is, if there is one, on Spring Boot 3. */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnClass(JdbcConnectionDetails.class)
@ConditionalOnSingleCandidate(JdbcConnectionDetails.class)
final class UntakenConnectionDetailsOnBoot3AutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    FeedDatabase untakenFeedDatabase(JdbcConnectionDetails details) {
        return new FeedDatabase(details.getJdbcUrl(), details::getUsername, details::getPassword);
    }
}
