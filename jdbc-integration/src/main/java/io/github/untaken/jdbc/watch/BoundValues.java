package io.github.untaken.jdbc.watch;

import java.sql.JDBCType;
import java.sql.Types;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values bound to the parameters of one statement, by their numbers. They stay bound when a batch takes them over, and until
 * they are bound anew.
 */
final class BoundValues {
    private static final Set<Integer> TEXTS = Set.of(
            Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR, Types.OTHER);

    /** @param text null for SQL's null */
    private record Bound(boolean isText, @Nullable String text) {
        @Override
        public String toString() {
            return "***";
        }
    }

    private static final Bound NULL = new Bound(true, null);
    private static final Bound OPAQUE = new Bound(false, null);

    private final Map<Integer, Bound> values = new HashMap<>();

    /** A call of {@code setString}, {@code setNull}, or another setter. */
    void bind(String method, @Nullable Object @Nullable [] arguments) {
        if (method.equals("clearParameters")) {
            values.clear();
        } else if (arguments != null && arguments.length > 1 && arguments[0] instanceof Integer index) {
            values.put(index, bound(method, arguments));
        } else {
            values.clear(); // by name, in a way of the driver's: what is bound then is not known by number
        }
    }

    /** A setter has failed, and who knows what is bound now. */
    void forget() {
        values.clear();
    }

    private static Bound bound(String method, @Nullable Object[] arguments) {
        Object value = arguments[1];
        return switch (method) {
            case "setNull" -> NULL;
            case "setString", "setNString" -> value == null ? NULL : new Bound(true, (String) value);
            case "setObject" -> {
                if (value == null) {
                    yield NULL;
                }
                boolean text = value instanceof String && (arguments.length == 2 || isText(arguments[2]));
                yield text ? new Bound(true, (String) value) : OPAQUE;
            }
            default -> OPAQUE;
        };
    }

    private static boolean isText(@Nullable Object type) {
        return type instanceof Integer number && TEXTS.contains(number)
                || type instanceof JDBCType named && TEXTS.contains(named.getVendorTypeNumber());
    }

    /** Whether it is known what is bound there: a text, or null. */
    boolean isText(int parameter) {
        return values.getOrDefault(parameter, OPAQUE).isText();
    }

    /** Null for SQL's null. */
    @Nullable String text(int parameter) {
        return values.getOrDefault(parameter, OPAQUE).text();
    }
}
