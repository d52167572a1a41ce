package io.github.untaken;

/**
 * One identifier that a transaction is about to register, from {@link Registrations#announce}. Visible to checks as taken
 * until it is closed. Thread-safe; the first of {@link #committed}, {@link #rolledBack} and {@link #close} counts.
 *
 * <pre>{@code
 * try (Announcement name = checker.registrations().announce(USERNAME, "alice")) {
 *     insertAndCommit("alice");
 *     name.committed();
 * }
 * }</pre>
 */
public interface Announcement extends AutoCloseable {

    /** The commit was acknowledged. */
    void committed();

    /** The transaction was rolled back, and COMMIT was never sent. If in doubt, just close. */
    void rolledBack();

    /** If neither of the others was called: the outcome is unknown, and checks of this identifier ask the database. */
    @Override
    void close();
}
