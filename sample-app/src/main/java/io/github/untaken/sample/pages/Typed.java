package io.github.untaken.sample.pages;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.sample.database.Accounts;

/**
 * An identifier as somebody typed it into a form, found to be allowed.
 *
 * @param text as typed, without the blanks around it
 * @param key its normal form
 */
record Typed(String text, String key) {

    /** Applies the rules of the kind, those of the checker and no others; whether it is taken is not asked. */
    static Typed of(AvailabilityChecker checker, IdentifierKind kind, String typed) throws BadRequestException {
        String text = typed.strip();
        Verdict verdict = checker.checkInMemory(kind, text);
        switch (verdict.status()) {
            case INVALID ->
                throw new BadRequestException(kind.name(), verdict.reason().orElse("invalid"));
            case RESERVED -> throw new BadRequestException(kind.name(), "reserved");
            default -> {
                return new Typed(text, verdict.key());
            }
        }
    }

    /** What people see of it elsewhere than in the address bar. Cannot be longer than its column. */
    String displayName() {
        return text.length() <= Accounts.LONGEST_NAME ? text : key;
    }

    @Override
    public String toString() {
        return "Typed[***]";
    }
}
