package io.github.untaken.spring.boot;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What an application that does not start says of it. */
public final class Refusals {
    private Refusals() {}

    /** By those of our analyzers that Spring Boot finds; null if it is nothing of ours. Some of Spring Boot's own need beans. */
    public static @Nullable FailureAnalysis of(@Nullable Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, reason) -> {}))
                .stream()
                .filter(each -> each.getClass().getName().startsWith("io.github.untaken."))
                .map(each -> each.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
