package io.github.untaken.jpa;

import jakarta.persistence.PostLoad;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostRemove;
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
 *   <li>An identifier that is inserted or changed becomes doubtful at once: checks read it from the database until a
 *       rescan at least ten minutes later. Under EclipseLink, which writes changed columns only, an update of other
 *       attributes costs nothing; under any other provider it makes the identifier doubtful too. More than 10,000
 *       doubtful identifiers, and every check reads the database until such a rescan.
 *   <li>A delete, and the old name of a rename, frees its name at once all the same, by a read of the database. The old name is known for entities that were loaded or written while the checker
 *       was connected.
 *   <li>A transaction that commits more than ten minutes after its last callback may be forgotten by then, and its
 *       identifiers unknown until the next rescan.
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
        ListeningFactories.beforeWrite(entity);
    }

    /** The value may have changed between {@code persist} and the SQL. */
    @PostPersist
    @PostUpdate
    public void afterWrite(Object entity) {
        ListeningFactories.afterWrite(entity);
    }

    /** Remembers what the identifiers are, so that a rename can be told from another update. */
    @PostLoad
    public void afterLoad(Object entity) {
        ListeningFactories.afterLoad(entity);
    }

    /** After the SQL of a delete. */
    @PostRemove
    public void afterRemove(Object entity) {
        ListeningFactories.afterRemove(entity);
    }
}
