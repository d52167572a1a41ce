package io.github.untaken.benchmarks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the figures file: a flat JSON object.
 *
 * @param fields numbers and strings, beginning with {@code figure}, {@code subject} and {@code n}
 */
public record Figure(Map<String, Object> fields) {
    private static final Pattern FIELD = Pattern.compile("\"([^\"]+)\":(?:\"([^\"]*)\"|(-?[0-9.eE+-]+))");

    public static Figure of(String figure, String subject, long n) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("figure", figure);
        fields.put("subject", subject);
        fields.put("n", n);
        return new Figure(fields);
    }

    public static Figure parse(String line) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Matcher field = FIELD.matcher(line);
        while (field.find()) {
            fields.put(field.group(1), field.group(2) != null ? field.group(2) : parsed(field.group(3)));
        }
        if (!fields.containsKey("figure") || !fields.containsKey("subject") || !fields.containsKey("n")) {
            throw new IllegalArgumentException("a line of figures names figure, subject and n; this one does not");
        }
        return new Figure(fields);
    }

    private static Number parsed(String text) {
        if (text.matches("-?[0-9]+")) {
            return Long.valueOf(text);
        }
        return Double.valueOf(text);
    }

    public Figure with(String name, Object value) {
        fields.put(name, value);
        return this;
    }

    public String text(String name) {
        return String.valueOf(fields.getOrDefault(name, ""));
    }

    long n() {
        return ((Number) fields.getOrDefault("n", 0)).longValue();
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    /** Not a number if there is none. */
    public double number(String name) {
        return fields.get(name) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    public String toJson() {
        StringBuilder json = new StringBuilder("{");
        fields.forEach((name, value) -> {
            if (json.length() > 1) {
                json.append(',');
            }
            json.append('"').append(name).append("\":");
            if (value instanceof Double number) {
                json.append(rounded(number));
            } else if (value instanceof Number) {
                json.append(value);
            } else {
                json.append('"').append(value.toString().replace('"', '\'')).append('"');
            }
        });
        return json.append('}').toString();
    }

    /** Five digits are more than any of them is sure of. */
    private static String rounded(double number) {
        return Double.toString(Double.parseDouble(String.format(Locale.ROOT, "%.5g", number)));
    }
}
