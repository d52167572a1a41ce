package io.github.untaken;

/**
 * Identifiers that are about to be registered, from {@link Registrations}. Close it once the transaction has ended,
 * however it ended. Thread-safe; closing twice has no effect.
 *
 * <pre>{@code
 * try (Announcement name = checker.registrations().announce(USERNAME, "alice")) {
 *     insertAndCommit("alice");
 * }
 * }</pre>
 */
public interface Announcement extends AutoCloseable {

    /** The work has ended, or was given up. */
    @Override
    void close();
}
