package io.github.untaken.http;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the text of one setting. Errors leave out the key, which the caller knows. */
final class SettingText {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private SettingText() {}

    static Stream<String> items(String text) {
        List<String> items =
                Stream.of(text.split("[,\\s]+")).filter(item -> !item.isEmpty()).toList();
        if (items.isEmpty()) {
            throw new IllegalArgumentException("it must name at least one");
        }
        return items.stream();
    }

    static boolean truth(String text) {
        return oneOf(text, "true", "false").equals("true");
    }

    static String oneOf(String text, String... values) {
        String given = text.toLowerCase(Locale.ROOT);
        if (!List.of(values).contains(given)) {
            throw new IllegalArgumentException("it must be one of " + String.join(", ", values));
        }
        return given;
    }

    static <E extends Enum<E>> E constant(Class<E> type, String text) {
        String[] names = Stream.of(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toArray(String[]::new);
        return type.getEnumConstants()[List.of(names).indexOf(oneOf(text, names))];
    }

    static int whole(String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("it must be a whole number from " + least + " to " + most);
    }

    static double share(String text) {
        try {
            double share = Double.parseDouble(text);
            if (share > 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("it must be over 0 and at most 1");
    }

    static Duration time(String text) {
        Matcher parts = TIME.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("it must be a whole number with ms, s, m or h, such as 10ms");
        }
        long number = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    static Duration positive(Duration time) {
        if (time.isZero()) {
            throw new IllegalArgumentException("it must be more than zero");
        }
        return time;
    }
}
