package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict.Status;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.dao.DuplicateKeyException;

/**
 * Says which fields of a form were taken when the database refused its insert: somebody was quicker between the check and the
 * commit. Each database words that in its own way, and names a constraint, so the checker is asked instead. Thread-safe.
 */
public final class DuplicateKeys {
    /** The error code of MariaDB and MySQL, whose SQLSTATE 23000 stands for every constraint. */
    private static final int DUPLICATE_ENTRY = 1062;

    private final AvailabilityChecker checker;

    DuplicateKeys(AvailabilityChecker checker) {
        this.checker = checker;
    }

    /**
     * The fields that are taken, at least one. If anything else has happened, the failure is thrown again, so that nobody takes it for a
     * success. If the checker finds none taken but does not know about some, those count as taken, since a unique constraint was
     * violated. Call this once the transaction has been rolled back, that is, outside the {@code @Transactional} method. May wait for the
     * store.
     *
     * @param failure what was thrown, such as {@code DataIntegrityViolationException}
     * @param typed what was typed into each field; one that is missing is left out
     * @param kinds the kind of each field
     * @return in the order of {@code kinds}
     * @throws E the failure itself, if it is another one than a violated unique constraint, or no field's
     */
    public <E extends Throwable> Set<String> takenOrThrow(
            E failure, Map<String, String> typed, Map<String, IdentifierKind> kinds) throws E {
        Set<String> taken = new LinkedHashSet<>();
        Set<String> unknown = new LinkedHashSet<>();
        if (isADuplicate(failure)) {
            kinds.forEach((field, kind) -> {
                String text = typed.get(field);
                Status status = text == null
                        ? Status.INVALID
                        : checker.check(kind, text).status();
                if (status == Status.TAKEN) {
                    taken.add(field);
                } else if (status == Status.UNKNOWN) {
                    unknown.add(field);
                }
            });
        }
        if (taken.isEmpty() && unknown.isEmpty()) {
            throw failure;
        }
        return taken.isEmpty() ? unknown : taken;
    }

    /**
     * The same as an exception to throw: {@code throw duplicateKeys.takenException(...)} in a {@code @RestController} becomes a problem
     * detail that names the fields.
     *
     * @throws E the failure itself, if it is another one than a violated unique constraint, or no field's
     */
    public <E extends Throwable> IdentifierTakenException takenException(
            E failure, Map<String, String> typed, Map<String, IdentifierKind> kinds) throws E {
        return new IdentifierTakenException(takenOrThrow(failure, typed, kinds));
    }

    /** A value too long or missing, or a foreign key, makes no name taken. */
    private static boolean isADuplicate(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 50; depth++) {
            // Spring knows the codes of many databases.
            if (cause instanceof DuplicateKeyException || cause instanceof SQLException e && isADuplicate(e)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static boolean isADuplicate(SQLException failure) {
        String state = failure.getSQLState();
        return "23505".equals(state) || "23000".equals(state) && failure.getErrorCode() == DUPLICATE_ENTRY;
    }
}
