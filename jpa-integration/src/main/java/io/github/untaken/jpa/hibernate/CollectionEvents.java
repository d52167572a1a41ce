package io.github.untaken.jpa.hibernate;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.CollectionEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AbstractCollectionEvent;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostCollectionRecreateEvent;
import org.hibernate.event.spi.PostCollectionRecreateEventListener;
import org.hibernate.event.spi.PostCollectionRemoveEvent;
import org.hibernate.event.spi.PostCollectionRemoveEventListener;
import org.hibernate.event.spi.PostCollectionUpdateEvent;
import org.hibernate.event.spi.PostCollectionUpdateEventListener;
import org.hibernate.event.spi.PreCollectionRecreateEvent;
import org.hibernate.event.spi.PreCollectionRecreateEventListener;
import org.hibernate.event.spi.PreCollectionRemoveEvent;
import org.hibernate.event.spi.PreCollectionRemoveEventListener;
import org.hibernate.event.spi.PreCollectionUpdateEvent;
import org.hibernate.event.spi.PreCollectionUpdateEventListener;
import org.hibernate.persister.collection.CollectionPersister;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every write of an element collection by a session with a persistence context. All of it is told before the
 * SQL, which replaces the snapshot that says what was there before.
 *
 * <p>A collection that was never loaded tells nothing of what it held: those names are found free by their next check.
 *
 * <p>What a stateless session writes is told with the owner, see {@link EntityEvents}: there, these events name no
 * session.
 */
@SuppressWarnings("serial") // listeners are Serializable by type; Hibernate never serializes them
final class CollectionEvents
        implements PreCollectionRecreateEventListener,
                PreCollectionUpdateEventListener,
                PreCollectionRemoveEventListener,
                PostCollectionRecreateEventListener,
                PostCollectionUpdateEventListener,
                PostCollectionRemoveEventListener {
    private final transient HeardFactory factory;

    CollectionEvents(HeardFactory factory) {
        this.factory = factory;
    }

    void install(EventListenerRegistry registry) {
        registry.appendListeners(EventType.PRE_COLLECTION_RECREATE, this);
        registry.appendListeners(EventType.PRE_COLLECTION_UPDATE, this);
        registry.appendListeners(EventType.PRE_COLLECTION_REMOVE, this);
        registry.appendListeners(EventType.POST_COLLECTION_RECREATE, this);
        registry.appendListeners(EventType.POST_COLLECTION_UPDATE, this);
        registry.appendListeners(EventType.POST_COLLECTION_REMOVE, this);
    }

    /**
     * The collection as it will be written; a row may have moved here from another attribute. The event itself names it
     * only since Hibernate 7.3.
     */
    private static @Nullable CollectionPersister current(
            SharedSessionContractImplementor session, PersistentCollection<?> collection) {
        CollectionEntry entry = session.getPersistenceContextInternal().getCollectionEntry(collection);
        return entry == null ? null : entry.getCurrentPersister();
    }

    /** The collection as it was read; null if it never was. */
    private static @Nullable CollectionPersister loaded(
            SharedSessionContractImplementor session, @Nullable PersistentCollection<?> collection) {
        CollectionEntry entry = collection == null
                ? null
                : session.getPersistenceContextInternal().getCollectionEntry(collection);
        return entry == null ? null : entry.getLoadedPersister();
    }

    /** Null for a stateless session, whose events carry none and fail when asked for it. */
    private static @Nullable SharedSessionContractImplementor session(AbstractCollectionEvent event) {
        try {
            return event.getSession();
        } catch (NullPointerException e) {
            return null;
        }
    }

    /** The writes of the session, which is now about to write the collection. */
    private SessionWrites begin(SharedSessionContractImplementor session, @Nullable CollectionPersister collection) {
        SessionWrites writes = factory.writesOf(session);
        factory.mappings().statementsOf(collection).ifPresent(writes::begin);
        return writes;
    }

    @Override
    public void onPreRecreateCollection(PreCollectionRecreateEvent event) {
        SharedSessionContractImplementor session = session(event);
        CollectionPersister persister = session == null ? null : current(session, event.getCollection());
        List<IdentifierElements> identifiers = factory.mappings().of(persister);
        if (session == null || identifiers.isEmpty()) {
            return;
        }
        SessionWrites writes = begin(session, persister);
        for (IdentifierElements elements : identifiers) {
            for (String value : elements.in(event.getCollection())) {
                writes.beforeWrite(session).adding(elements.kind(), value);
            }
        }
    }

    @Override
    public void onPreUpdateCollection(PreCollectionUpdateEvent event) {
        SharedSessionContractImplementor session = session(event);
        PersistentCollection<?> collection = event.getCollection();
        CollectionPersister persister = session == null ? null : current(session, collection);
        List<IdentifierElements> identifiers = factory.mappings().of(persister);
        if (session == null || identifiers.isEmpty() || !collection.wasInitialized()) {
            return;
        }
        SessionWrites writes = begin(session, persister);
        for (IdentifierElements elements : identifiers) {
            for (String value : elements.writtenIn(collection)) {
                writes.beforeWrite(session).adding(elements.kind(), value);
            }
            Set<String> gone = new HashSet<>(elements.inSnapshot(collection));
            elements.in(collection).forEach(gone::remove);
            removing(writes, session, elements, gone);
        }
    }

    @Override
    public void onPreRemoveCollection(PreCollectionRemoveEvent event) {
        SharedSessionContractImplementor session = session(event);
        PersistentCollection<?> collection = event.getCollection();
        CollectionPersister persister = session == null ? null : loaded(session, collection);
        List<IdentifierElements> identifiers = factory.mappings().of(persister);
        if (session == null || identifiers.isEmpty()) {
            return;
        }
        SessionWrites writes = begin(session, persister);
        for (IdentifierElements elements : identifiers) {
            removing(writes, session, elements, elements.inSnapshot(collection));
        }
    }

    private static void removing(
            SessionWrites writes,
            SharedSessionContractImplementor session,
            IdentifierElements elements,
            Collection<String> values) {
        if (!elements.softDelete()) {
            for (String value : values) {
                writes.afterWrite(session).removing(elements.kind(), value);
            }
        }
    }

    @Override
    public void onPostRecreateCollection(PostCollectionRecreateEvent event) {
        written(event);
    }

    @Override
    public void onPostUpdateCollection(PostCollectionUpdateEvent event) {
        written(event);
    }

    @Override
    public void onPostRemoveCollection(PostCollectionRemoveEvent event) {
        written(event);
    }

    /** By then Hibernate has forgotten which collection was removed; it is the one begun last. */
    private void written(AbstractCollectionEvent event) {
        SharedSessionContractImplementor session = session(event);
        if (session == null) {
            return;
        }
        SessionWrites writes = factory.knownWritesOf(session);
        if (writes != null && writes.endCollection()) {
            writes.writeDone(session);
        }
    }
}
