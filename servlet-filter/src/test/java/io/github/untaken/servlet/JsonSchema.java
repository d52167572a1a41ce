package io.github.untaken.servlet;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The part of JSON Schema that our own description uses; a keyword it does not know is an error, not a licence. */
final class JsonSchema {
    private static final Set<String> NO_RULE = Set.of("description");

    private final Map<?, ?> document;

    JsonSchema(Map<?, ?> document) {
        this.document = document;
    }

    /** Follows a local reference, if this is one. */
    Map<?, ?> resolve(Object node) {
        Map<?, ?> map = (Map<?, ?>) node;
        if (!(map.get("$ref") instanceof String reference)) {
            return map;
        }
        Object at = document;
        for (String step : reference.substring(2).split("/")) {
            at = ((Map<?, ?>) at).get(step);
            if (at == null) {
                throw new AssertionError(reference + " leads nowhere");
            }
        }
        return resolve(at);
    }

    /** What is wrong with the value, empty if nothing is. */
    List<String> violations(Object schema, Object value) {
        List<String> wrong = new ArrayList<>();
        Map<?, ?> rules = resolve(schema);
        rules.forEach((keyword, rule) -> check(rules, (String) keyword, rule, value, wrong));
        return wrong;
    }

    private void check(Map<?, ?> rules, String keyword, Object rule, Object value, List<String> wrong) {
        boolean holds = switch (keyword) {
            case "type" ->
                switch ((String) rule) {
                    case "object" -> value instanceof Map<?, ?>;
                    case "array" -> value instanceof List<?>;
                    case "string" -> value instanceof String;
                    case "integer" -> value instanceof Integer;
                    default -> throw new AssertionError("type " + rule);
                };
            case "const" -> rule.equals(value);
            case "enum" -> ((List<?>) rule).contains(value);
            case "pattern" -> value instanceof String text && text.matches((String) rule);
            case "minLength" -> value instanceof String text && text.length() >= (Integer) rule;
            case "minItems" -> value instanceof List<?> list && list.size() >= (Integer) rule;
            case "maxItems" -> value instanceof List<?> list && list.size() <= (Integer) rule;
            case "required" -> value instanceof Map<?, ?> map && map.keySet().containsAll((List<?>) rule);
            case "oneOf" ->
                ((List<?>) rule)
                                .stream()
                                        .filter(each -> violations(each, value).isEmpty())
                                        .count()
                        == 1;
            case "allOf" ->
                ((List<?>) rule)
                        .stream().allMatch(each -> violations(each, value).isEmpty());
            case "items" ->
                ((List<?>) value)
                        .stream().allMatch(each -> violations(rule, each).isEmpty());
            case "additionalProperties" ->
                rule.equals(false)
                        && ((Map<?, ?>) rules.get("properties")).keySet().containsAll(((Map<?, ?>) value).keySet());
            case "properties" ->
                ((Map<?, ?>) rule)
                        .entrySet().stream()
                                .filter(each -> ((Map<?, ?>) value).containsKey(each.getKey()))
                                .allMatch(each -> violations(each.getValue(), ((Map<?, ?>) value).get(each.getKey()))
                                        .isEmpty());
            default -> {
                if (!NO_RULE.contains(keyword)) {
                    throw new AssertionError("unknown keyword " + keyword);
                }
                yield true;
            }
        };
        if (!holds) {
            wrong.add(keyword + " " + rule);
        }
    }
}
