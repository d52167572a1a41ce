package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.spring.boot.setup.ConditionalOnUntaken;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionSynchronization;

/** For services that register identifiers: announcing within a transaction, and naming the field that was taken. */
@AutoConfiguration(afterName = "io.github.untaken.spring.boot.checker.UntakenAutoConfiguration")
@ConditionalOnUntaken
@ConditionalOnBean(AvailabilityChecker.class)
@ConditionalOnClass(TransactionSynchronization.class)
final class UntakenTransactionAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @Nullable TransactionalRegistrations untakenTransactionalRegistrations(ObjectProvider<AvailabilityChecker> checkers) {
        AvailabilityChecker checker = checkers.getIfAvailable();
        return checker == null ? null : new TransactionalRegistrations(checker);
    }

    @Bean
    @ConditionalOnMissingBean
    @Nullable DuplicateKeys untakenDuplicateKeys(ObjectProvider<AvailabilityChecker> checkers) {
        AvailabilityChecker checker = checkers.getIfAvailable();
        return checker == null ? null : new DuplicateKeys(checker);
    }
}
