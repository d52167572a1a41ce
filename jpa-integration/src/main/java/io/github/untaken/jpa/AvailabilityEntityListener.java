package io.github.untaken.jpa;

import jakarta.persistence.PostPersist;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreUpdate;

/**
 * Tells of writes where the provider is not Hibernate: name it in {@code @EntityListeners} of each entity with a registered
 * identifier, or once in {@code orm.xml}. Where the factory is Hibernate's it does nothing, since its events know more.
 *
 * <p>Standard callbacks do not tell how a transaction ends nor what a value was before, which sets the limits:
 *
 * <ul>
 *   <li>An identifier that is inserted, or whose entity is updated in any attribute, becomes doubtful at once: checks read
 *       it from the database until a rescan at least ten minutes later.
 *   <li>Deletes and the old names of renames are not told of. Such a name is available at once all the same, by a read of
 *       the database, until the next rescan drops it.
 *   <li>Nothing that was written before the checker was built is told of: build it before the application writes.
 *   <li>Under autocommit a value that is changed between {@code persist} and the flush is told of after it is committed.
 * </ul>
 *
 * <p>Thread-safe; never blocks.
 */
public final class AvailabilityEntityListener {

    /** For the persistence provider. */
    public AvailabilityEntityListener() {}

    /** Before the SQL. An exception ends the write: a key that cannot be announced must not be written. */
    @PrePersist
    @PreUpdate
    public void beforeWrite(Object entity) {
        ListeningFactories.announce(entity);
    }

    /** The value may have changed between {@code persist} and the SQL. */
    @PostPersist
    @PostUpdate
    public void afterWrite(Object entity) {
        ListeningFactories.announce(entity);
    }
}
