package io.github.untaken.kind;

import io.github.untaken.spi.StoreException;
import java.sql.SQLException;

/**
 * Says why the database refused the statement of a scan. Messages of foreign exceptions are not passed on, since they
 * may quote an identifier. But a scan contains none, and an error of SQL class 42 (syntax error or access rule
 * violation) is about tables, columns and privileges, before any row is read.
 */
final class RefusedStatement {
    private static final int LONGEST_CHAIN = 20;
    private static final int LONGEST_MESSAGE = 300;

    private RefusedStatement() {}

    /** What to report for a failure: the failure itself, unless the database refused the statement. */
    static Throwable of(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; cause != null && i < LONGEST_CHAIN; i++) {
            if (cause instanceof SQLException refusal
                    && refusal.getSQLState() != null
                    && refusal.getSQLState().startsWith("42")) {
                String what = failure instanceof StoreException ? failure.getMessage() + ": " : "";
                return new StoreException(
                        what + "the database refuses the statement with SQLSTATE " + refusal.getSQLState() + ", "
                                + brief(String.valueOf(refusal.getMessage())),
                        failure);
            }
            cause = cause.getCause();
        }
        return failure;
    }

    private static String brief(String message) {
        String line = message.replaceAll("\\s+", " ").strip();
        return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "...";
    }
}
