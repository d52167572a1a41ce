package io.github.untaken.sample.database;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A column no two accounts share, and the constraint that says so. */
public enum UniqueField {
    USERNAME,
    PHONE;

    private static final String UNIQUE_VIOLATION = "23505";

    /** As in a request and in the entity. */
    public String field() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The constraint's name; H2 names the index behind it the same and adds a suffix. */
    String constraint() {
        return "UQ_ACCOUNT_" + name();
    }

    /**
     * The field whose constraint a statement violated, found in what the driver says, or empty if the failure was another.
     */
    static Optional<UniqueField> violatedIn(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && UNIQUE_VIOLATION.equals(sql.getSQLState())) {
                return named(String.valueOf(sql.getMessage()));
            }
        }
        return Optional.empty();
    }

    // The index stands before " ON "; behind it stand values, which a user chose.
    private static Optional<UniqueField> named(String message) {
        int values = message.indexOf(" ON ");
        String index = values < 0 ? message : message.substring(0, values);
        for (UniqueField field : values()) {
            if (index.contains(field.constraint())) {
                return Optional.of(field);
            }
        }
        return Optional.empty();
    }
}
