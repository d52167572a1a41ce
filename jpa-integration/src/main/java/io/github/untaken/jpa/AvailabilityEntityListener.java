package io.github.untaken.jpa;

import jakarta.persistence.PostPersist;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreUpdate;

/**
 * Tells of writes where the provider is not Hibernate. Name it in {@code @EntityListeners} of each entity with a registered identifier or,
 * with EclipseLink, once in {@code orm.xml}. {@link JpaIdentifiers#of} refuses an entity without it: nobody would tell of its writes, and
 * its names would be called available. Under Hibernate it does nothing, since Hibernate's connections know more.
 *
 * <p>Standard callbacks tell neither when a statement is done nor what a value was before. That sets the limits:
 *
 * <ul>
 *   <li>Each insert and each update of the entity tells its identifier, whatever it changes. The identifier is kept for ten minutes; until
 *       the next renewal after that, each check of it reads the database, even if it is free.
 *   <li>A scan may miss a statement that is sent more than ten minutes after its callback, or is under way for longer.
 *   <li>Writes from before the checker was built are not told: build it before the application writes.
 *   <li>A bulk or native statement is found by the next rescan, unless it is wrapped in {@code bulk(kind, work)}.
 *   <li>Under autocommit, a value changed between {@code persist} and the flush is told only after it is committed.
 * </ul>
 *
 * <p>Thread-safe; never blocks.
 */
public final class AvailabilityEntityListener {

    /** For the persistence provider. */
    public AvailabilityEntityListener() {}

    /**
     * Announces what is about to be written. An exception ends the write: a key that cannot be announced must not be
     * written.
     */
    @PrePersist
    @PreUpdate
    public void beforeWrite(Object entity) {
        ListeningFactories.tell(entity);
    }

    /** After the SQL, as the value may have changed since {@code persist}. */
    @PostPersist
    @PostUpdate
    public void afterWrite(Object entity) {
        ListeningFactories.tell(entity);
    }
}
