package io.github.untaken.jpa;

import jakarta.persistence.PostLoad;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostRemove;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreUpdate;

/**
 * Tells of writes where the provider is not Hibernate, or Hibernate is older than 7.2: name it in
 * {@code @EntityListeners} of each entity with a registered identifier, or, if the provider is EclipseLink, once in
 * {@code orm.xml}. {@link JpaIdentifiers#of} refuses an entity without it: nobody would tell of its writes, and its names would be
 * called available. Under Hibernate 7.2 to 7.4 it does nothing, since Hibernate's events know more.
 *
 * <p>Standard callbacks tell neither how a transaction ends nor what a value was before. That sets the limits:
 *
 * <ul>
 *   <li>An identifier that is inserted or changed becomes doubtful at once: each check of it reads the database until a
 *       rescan at least ten minutes later. Under EclipseLink, which writes changed columns only, an update of other
 *       attributes costs nothing; under any other provider it makes the identifier doubtful too. With more than 10,000
 *       doubtful identifiers every check reads the database until such a rescan.
 *   <li>A name that goes by a delete or a rename is free at once all the same, proved by a read of the database. The
 *       old name of a rename is known if the entity was loaded or written while the checker was connected.
 *   <li>A transaction that commits more than ten minutes after its last callback may be forgotten by then, and its
 *       identifiers unknown until the next rescan.
 *   <li>Writes from before the checker was built are not told of: build it before the application writes.
 *   <li>Under Hibernate before 7.2 a bulk or native statement, and what a {@code StatelessSession} writes, is found by the
 *       next rescan, unless it is wrapped in {@code bulk(kind, work)}.
 *   <li>Under autocommit, a value that is changed between {@code persist} and the flush is told of only after it is
 *       committed.
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
        ListeningFactories.beforeWrite(entity);
    }

    /** After the SQL, for the value may have changed since {@code persist}. */
    @PostPersist
    @PostUpdate
    public void afterWrite(Object entity) {
        ListeningFactories.afterWrite(entity);
    }

    /** Remembers the identifiers of an entity, so that a rename can be told from another update. */
    @PostLoad
    public void afterLoad(Object entity) {
        ListeningFactories.afterLoad(entity);
    }

    /** After the SQL of a delete: the name is read, and free if it is gone. */
    @PostRemove
    public void afterRemove(Object entity) {
        ListeningFactories.afterRemove(entity);
    }
}
