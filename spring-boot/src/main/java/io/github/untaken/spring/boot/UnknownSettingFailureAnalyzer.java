package io.github.untaken.spring.boot;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Of a key that does not exist it names the nearest. */
final class UnknownSettingFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("untaken");

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, UnboundConfigurationPropertiesException cause) {
        List<ConfigurationPropertyName> unknown = cause.getUnboundProperties().stream()
                .map(property -> property.getName())
                .filter(PREFIX::isAncestorOf)
                .toList();
        if (unknown.isEmpty()) {
            return null; // another's settings, and another's analyzer
        }
        return new FailureAnalysis(
                "There is no setting "
                        + unknown.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ")),
                unknown.stream()
                        .map(name -> "Instead of '" + name + "' try '" + nearest(name) + "', or remove it.")
                        .collect(Collectors.joining(" ")),
                cause);
    }

    private static String nearest(ConfigurationPropertyName name) {
        String given = name.getElement(1, ConfigurationPropertyName.Form.DASHED);
        return Arrays.stream(UntakenProperties.class.getRecordComponents())
                .map(RecordComponent::getName)
                .map(UnknownSettingFailureAnalyzer::dashed)
                .min(Comparator.comparingInt(key -> distance(given, key)))
                .map(key -> "untaken." + key)
                .orElse("untaken");
    }

    static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** The fewest characters to insert, remove or exchange (Levenshtein). */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int exchanged = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(exchanged, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
