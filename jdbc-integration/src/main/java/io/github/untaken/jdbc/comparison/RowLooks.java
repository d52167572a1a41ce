package io.github.untaken.jdbc.comparison;

import io.github.untaken.jdbc.connection.Lookup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What to look for to find a value: rows that compare in one way or another, first among those that count, then among all. Each look is its
 * own {@code exists (...)}, so that its own index finds it.
 */
final class RowLooks {
    /** In place of a condition on the rows that count: all do. */
    static final String ALL = "";

    /**
     * One way of comparing.
     *
     * @param rows what is compared of a row
     * @param values how often the value stands in the condition
     */
    record Look(String condition, String rows, int values) {}

    private final String table;
    private Map<Look, Set<String>> looks = new LinkedHashMap<>(); // with conditions: rows count if one of them holds

    RowLooks(String table) {
        this.table = table;
    }

    /**
     * Looks for rows that compare so. If that is there already, these rows count too.
     *
     * @param counted which of them count: those for which one of these conditions holds
     */
    void add(String condition, String rows, List<String> counted) {
        looks.computeIfAbsent(new Look(condition, rows, 1), any -> new LinkedHashSet<>())
                .addAll(counted);
    }

    /** As {@link #add}, before all others. */
    void addFirst(String condition, String rows, List<String> counted) {
        Map<Look, Set<String>> others = looks;
        looks = new LinkedHashMap<>();
        add(condition, rows, counted);
        others.forEach((look, rules) ->
                looks.computeIfAbsent(look, any -> new LinkedHashSet<>()).addAll(rules));
    }

    /**
     * As {@link #add}, but only if one of these conditions holds, each of which has the value in it once. The database finds that out
     * before it reads rows.
     */
    void addSeldom(String condition, List<String> where, List<String> counted) {
        String seldom = condition + " and (" + String.join(" or ", where) + ")";
        looks.put(new Look(seldom, "", 1 + where.size()), new LinkedHashSet<>(counted));
    }

    /** What is looked for in rows that do not count, except what is seldom asked. */
    List<Look> uncounted() {
        return looks.entrySet().stream()
                .filter(look -> !look.getValue().contains(ALL) && look.getKey().values() == 1)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** How often the value occurs in {@link #sql}. */
    int values() {
        return looks.entrySet().stream()
                .mapToInt(look -> look.getKey().values()
                        * (look.getValue().contains(ALL) ? 1 : look.getValue().size() + 1))
                .sum();
    }

    /** The branches of a {@code case}, without the one for absence. */
    String sql() {
        List<String> counted = new ArrayList<>();
        List<String> others = new ArrayList<>();
        looks.forEach((look, rules) -> {
            if (rules.contains(ALL)) {
                counted.add(when(look.condition(), Lookup.FOUND));
                return;
            }
            rules.forEach(rule -> counted.add(when(among(look.condition(), rule), Lookup.FOUND)));
            others.add(when(look.condition(), Lookup.UNCOUNTED));
        });
        return String.join("", counted) + String.join("", others);
    }

    private String when(String condition, int answer) {
        return " when exists (select from " + table + " where " + condition + ") then " + answer;
    }

    /** @param rule a condition on the rows, or {@link #ALL} */
    static String among(String condition, String rule) {
        return rule.equals(ALL) ? condition : condition + " and (" + rule + ")";
    }
}
