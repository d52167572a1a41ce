package io.github.untaken;

import java.util.Optional;

/**
 * The answer to one check.
 *
 * @param kind what was asked about
 * @param status the answer
 * @param decidedBy the part that decided
 * @param key the normalised form of the text, even if it was refused; the text itself if it has more than 65,536
 *     characters
 * @param reason a stable code. Present when the status is {@code INVALID} or {@code UNKNOWN}; {@code variant} when it
 *     is {@code TAKEN} because     someone holds the name in another spelling, although the database would accept it
 */
public record Verdict(IdentifierKind kind, Status status, DecidedBy decidedBy, String key, Optional<String> reason) {

    /** What is said about an identifier. */
    public enum Status {
        /** No one holds it. The database's unique constraint still has the last word when it is registered. */
        AVAILABLE,
        /** Someone holds it, or a name that differs only in spelling. */
        TAKEN,
        /** No one may hold it. */
        RESERVED,
        /** It breaks a rule, see {@link Verdict#reason}. */
        INVALID,
        /**
         * Unknown: the database was needed and did not answer in time, or a limit was reached, see
         * {@link Verdict#reason}. Neither show this as available nor refuse a sign-up because of it: the unique
         * constraint decides.
         */
        UNKNOWN
    }

    /** The part that decided. All but {@code STORE} answer from memory. */
    public enum DecidedBy {
        /** The rules of its kind. */
        NORMALIZER,
        RESERVED_LIST,
        /** The membership filter proves it absent. */
        FILTER,
        /** The membership filter said maybe, and an earlier recheck proved it absent. */
        WHITELIST,
        /** A recheck, or for {@code UNKNOWN} the lack of one. */
        STORE
    }

    /** Whether the status is {@link Status#AVAILABLE}. */
    public boolean available() {
        return status == Status.AVAILABLE;
    }

    /** Without the key: a verdict may be logged, an identifier may not. */
    @Override
    public String toString() {
        return "Verdict[" + kind + " ***, " + status + " by " + decidedBy
                + reason.map(r -> ", " + r).orElse("") + "]";
    }
}
