package io.github.untaken.spring.boot;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Says which fields of a form were taken when the database refused its insert: somebody was quicker between the check and the
 * commit. Databases word that in as many ways as there are, and name a constraint; the checker is asked instead. Thread-safe.
 */
public final class DuplicateKeys {
    private final AvailabilityChecker checker;

    DuplicateKeys(AvailabilityChecker checker) {
        this.checker = checker;
    }

    /**
     * The fields that are taken. Empty if the failure is no violated constraint, or another constraint's. To be called once the
     * transaction has been rolled back, that is, outside of the method with {@code @Transactional}; within it the form's own names
     * show as taken. May wait for the store.
     *
     * @param failure what was thrown, such as {@code DataIntegrityViolationException}
     * @param typed what was typed into each field
     * @param kinds the kind of each field
     * @return field and what was typed, in the order of {@code kinds}
     */
    public Map<String, String> takenFields(
            Throwable failure, Map<String, String> typed, Map<String, IdentifierKind> kinds) {
        Map<String, String> taken = new LinkedHashMap<>();
        if (violatesAConstraint(failure)) {
            kinds.forEach((field, kind) -> {
                String text = typed.get(field);
                if (text != null && checker.check(kind, text).status() == Verdict.Status.TAKEN) {
                    taken.put(field, text);
                }
            });
        }
        return taken;
    }

    /** SQLSTATE class 23 is that of integrity constraints, in every database. */
    private static boolean violatesAConstraint(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 50; depth++) {
            if (cause instanceof SQLException e
                    && e.getSQLState() != null
                    && e.getSQLState().startsWith("23")) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
