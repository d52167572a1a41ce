package io.github.untaken.http.watch;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A path within the application: exact, such as {@code /signup}; with variables that take one non-empty segment each, such
 * as {@code /accounts/{username}}; or a prefix of whole segments, such as {@code /admin/*}, which matches {@code /admin}
 * too.
 */
public final class PathPattern {
    private final String text;
    private final List<String> segments;
    private final boolean prefix;

    private PathPattern(String text, List<String> segments, boolean prefix) {
        this.text = text;
        this.segments = segments;
        this.prefix = prefix;
    }

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if the text is no such pattern
     */
    public static PathPattern of(String text) {
        boolean prefix = text.endsWith("/*");
        List<String> segments = split(prefix ? text.substring(0, text.length() - 2) : text);
        Set<String> variables = new HashSet<>();
        boolean sound = text.startsWith("/") && text.indexOf('?') < 0 && text.indexOf(';') < 0;
        for (String segment : segments) {
            boolean named = isVariable(segment) && segment.length() > 2 && variables.add(variable(segment));
            boolean plain = segment.indexOf('{') < 0 && segment.indexOf('}') < 0 && segment.indexOf('*') < 0;
            sound &= named || plain;
        }
        if (!sound) {
            throw new IllegalArgumentException(
                    "a path must start with '/', may have distinct variables like {name} as whole"
                            + " segments and /* at its end, and no '?' or ';', but was '" + text + "'");
        }
        return new PathPattern(text, segments, prefix);
    }

    /** The variables' values if the decoded path matches, else empty. */
    public Optional<Map<String, String>> match(String path) {
        List<String> actual = split(path);
        if (prefix ? actual.size() < segments.size() : actual.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (!isVariable(segment)) {
                if (!segment.equals(actual.get(i))) {
                    return Optional.empty();
                }
            } else if (actual.get(i).isEmpty()) {
                return Optional.empty();
            } else {
                variables.put(variable(segment), actual.get(i));
            }
        }
        return Optional.of(variables);
    }

    public boolean hasVariable(String name) {
        return segments.contains("{" + name + "}");
    }

    private static List<String> split(String path) {
        return Arrays.asList(path.split("/", -1));
    }

    private static boolean isVariable(String segment) {
        return segment.startsWith("{") && segment.endsWith("}");
    }

    private static String variable(String segment) {
        return segment.substring(1, segment.length() - 1);
    }

    @Override
    public String toString() {
        return text;
    }
}
