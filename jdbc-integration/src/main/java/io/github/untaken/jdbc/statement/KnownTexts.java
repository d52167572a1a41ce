package io.github.untaken.jdbc.statement;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What has been found out about texts of SQL: up to 4,096 of them, with at most two million characters together. Thread-safe.
 *
 * @param <T> what is known of a text
 */
final class KnownTexts<T> {
    static final int MOST_TEXTS = 4_096;
    static final int MOST_CHARACTERS = 2_000_000;
    /** A longer one would drive out too many others. */
    static final int LONGEST_KEPT = 32_768;

    private final Map<String, T> known = new ConcurrentHashMap<>();
    private int characters; // guarded by this

    /** What is known of a text, or is found out now. */
    T of(String sql, Function<String, T> reader) {
        @Nullable T found = known.get(sql);
        if (found == null) {
            found = reader.apply(sql);
            if (sql.length() <= LONGEST_KEPT) {
                keep(sql, found);
            }
        }
        return found;
    }

    private synchronized void keep(String sql, T found) {
        if (known.containsKey(sql)) {
            return; // another thread has read it meanwhile; it needs no room, and drives out no other
        }
        if (known.size() == MOST_TEXTS || characters + sql.length() > MOST_CHARACTERS) {
            known.clear(); // the application writes values into its SQL
            characters = 0;
        }
        known.put(sql, found);
        characters += sql.length();
    }

    int size() {
        return known.size();
    }
}
