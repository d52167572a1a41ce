package io.github.untaken.jdbc.connection;

import io.github.untaken.spi.StoreException;
import java.util.List;

/** A failed read, reported without the values it asked for. */
public final class ReadFailure {
    private ReadFailure() {}

    /**
     * What a store throws when its database fails.
     *
     * @param message says what could not be read; quotes no value
     * @param values what was asked for; a cause that quotes one of them is left out
     */
    public static StoreException of(String message, List<String> values, Exception cause) {
        return values.stream().anyMatch(value -> quotes(cause, value))
                ? new StoreException(message + "; the cause quotes a value and is left out")
                : new StoreException(message, cause);
    }

    private static boolean quotes(Exception e, String value) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && cause.getMessage().contains(value)) {
                return true;
            }
        }
        return false;
    }
}
