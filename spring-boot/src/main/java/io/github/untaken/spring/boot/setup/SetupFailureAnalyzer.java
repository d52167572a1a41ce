package io.github.untaken.spring.boot.setup;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a refusal the way Spring Boot reports its own. */
final class SetupFailureAnalyzer extends AbstractFailureAnalyzer<UntakenSetupException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, UntakenSetupException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
