package io.github.untaken.spring.boot.checker;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Names the setting nearest to a key that does not exist. */
final class UnknownSettingFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, UnboundConfigurationPropertiesException cause) {
        List<ConfigurationPropertyName> unknown = cause.getUnboundProperties().stream()
                .map(property -> property.getName())
                .filter(SettingNames.PREFIX::isAncestorOf)
                .toList();
        if (unknown.isEmpty()) {
            return null; // another's settings, and another's analyzer
        }
        return new FailureAnalysis(
                "There is no setting "
                        + unknown.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ")),
                unknown.stream()
                        .map(name ->
                                "Instead of '" + name + "' try '" + SettingNames.nearest(name) + "', or remove it.")
                        .collect(Collectors.joining(" ")),
                cause);
    }
}
