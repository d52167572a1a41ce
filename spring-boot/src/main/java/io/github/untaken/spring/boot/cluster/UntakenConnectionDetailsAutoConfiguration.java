package io.github.untaken.spring.boot.cluster;

import io.github.untaken.spring.boot.FeedDatabase;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;

/** Where the database of the application is, if there is one, on Spring Boot 4. */
@AutoConfiguration(afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnUntaken
@ConditionalOnClass(JdbcConnectionDetails.class)
@ConditionalOnSingleCandidate(JdbcConnectionDetails.class)
final class UntakenConnectionDetailsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    FeedDatabase untakenFeedDatabase(JdbcConnectionDetails details) {
        return new FeedDatabase(details.getJdbcUrl(), details::getUsername, details::getPassword);
    }
}
