package io.github.untaken.jdbc.watch;

import java.sql.JDBCType;
import java.sql.Types;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values bound to the parameters of one statement, by number. They stay bound when a batch takes them over, until they are bound anew.
 */
final class BoundValues {
    private static final Set<Integer> TEXTS = Set.of(
            Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR, Types.OTHER);

    /**
     * One value.
     *
     * @param isText whether it is known: a text, or null
     * @param text null for SQL's null
     */
    record Bound(boolean isText, @Nullable String text) {
        @Override
        public String toString() {
            return "***";
        }
    }

    private static final Bound NULL = new Bound(true, null);
    private static final Bound OPAQUE = new Bound(false, null);

    /** No database allows so many parameters. */
    private static final int MOST = 200_000;

    private static final Bound[] NONE = {};

    /** By number; null where nothing is bound, as at 0. */
    private @Nullable Bound[] values = NONE;

    /** A call of {@code setString}, {@code setNull}, or another setter. */
    void bind(String method, @Nullable Object @Nullable [] arguments) {
        if (method.equals("clearParameters")) {
            forget();
        } else if (arguments != null
                && arguments.length > 1
                && arguments[0] instanceof Integer index
                && index > 0
                && index < MOST) {
            if (index >= values.length) {
                values = Arrays.copyOf(values, Math.max(index + 1, Math.max(4, 2 * values.length)));
            }
            values[index] = bound(method, arguments);
        } else {
            forget(); // bound by name, in a way of the driver's: its number is not known
        }
    }

    /** Called when, say, a setter has failed, and what is bound is uncertain. */
    void forget() {
        values = NONE;
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

    Bound at(int parameter) {
        Bound bound = parameter < values.length ? values[parameter] : null;
        return bound == null ? OPAQUE : bound;
    }
}
