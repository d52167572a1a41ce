package io.github.untaken.spring.boot.checker;

import io.github.untaken.spring.boot.UntakenProperties;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** The names of all settings, as they are written in a file. */
final class SettingNames {
    static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("untaken");

    private SettingNames() {}

    /** The setting nearest to a name that is not a setting. */
    static String nearest(ConfigurationPropertyName name) {
        List<String> given = IntStream.range(1, name.getNumberOfElements())
                .mapToObj(i -> name.getElement(i, Form.DASHED))
                .toList();
        return PREFIX + nearest(UntakenProperties.class, given);
    }

    private static String nearest(Class<?> settings, List<String> given) {
        String first = given.get(0);
        String all = letters(String.join("", given));
        RecordComponent found = Arrays.stream(settings.getRecordComponents())
                .min(Comparator.comparingInt(each -> Math.min(
                        distance(letters(first), letters(each.getName())), distance(all, letters(each.getName())))))
                .orElseThrow();
        String near = '.' + dashed(found.getName());
        if (found.getType().isRecord() && given.size() > 1) {
            return near + nearest(found.getType(), given.subList(1, given.size()));
        }
        if (found.getType() == Map.class && given.size() > 1) {
            String key = near + '.' + given.get(1);
            Type value = ((ParameterizedType) found.getGenericType()).getActualTypeArguments()[1];
            return value instanceof Class<?> type && type.isRecord() && given.size() > 2
                    ? key + nearest(type, given.subList(2, given.size()))
                    : key;
        }
        return near;
    }

    static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Without what an environment variable cannot have. */
    static String letters(String name) {
        return name.replaceAll("[-.]", "").toLowerCase(Locale.ROOT);
    }

    /** The fewest characters to insert, remove or exchange (Levenshtein). */
    static int distance(String from, String to) {
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
