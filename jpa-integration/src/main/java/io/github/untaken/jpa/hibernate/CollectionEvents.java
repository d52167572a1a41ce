package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.transaction.OpenWrite;
import java.util.List;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.CollectionEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AbstractCollectionEvent;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostCollectionRecreateEvent;
import org.hibernate.event.spi.PostCollectionRecreateEventListener;
import org.hibernate.event.spi.PostCollectionUpdateEvent;
import org.hibernate.event.spi.PostCollectionUpdateEventListener;
import org.hibernate.event.spi.PreCollectionRecreateEvent;
import org.hibernate.event.spi.PreCollectionRecreateEventListener;
import org.hibernate.event.spi.PreCollectionUpdateEvent;
import org.hibernate.event.spi.PreCollectionUpdateEventListener;
import org.hibernate.persister.collection.CollectionPersister;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every write of an element collection by a session with a persistence context.
 *
 * <p>What a stateless session writes is told with the owner, see {@link EntityEvents}: there, these events name no
 * session.
 */
@SuppressWarnings("serial") // listeners are Serializable by type; Hibernate never serializes them
final class CollectionEvents
        implements PreCollectionRecreateEventListener,
                PreCollectionUpdateEventListener,
                PostCollectionRecreateEventListener,
                PostCollectionUpdateEventListener {
    private final transient HeardFactory factory;

    CollectionEvents(HeardFactory factory) {
        this.factory = factory;
    }

    void install(EventListenerRegistry registry) {
        registry.appendListeners(EventType.PRE_COLLECTION_RECREATE, this);
        registry.appendListeners(EventType.PRE_COLLECTION_UPDATE, this);
        registry.appendListeners(EventType.POST_COLLECTION_RECREATE, this);
        registry.appendListeners(EventType.POST_COLLECTION_UPDATE, this);
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

    /** Null for a stateless session, whose events carry none and fail when asked for it. */
    private static @Nullable SharedSessionContractImplementor session(AbstractCollectionEvent event) {
        try {
            return event.getSession();
        } catch (NullPointerException e) {
            return null;
        }
    }

    @Override
    public void onPreRecreateCollection(PreCollectionRecreateEvent event) {
        announce(event, true);
    }

    @Override
    public void onPreUpdateCollection(PreCollectionUpdateEvent event) {
        if (event.getCollection().wasInitialized()) {
            announce(event, false);
        }
    }

    private void announce(AbstractCollectionEvent event, boolean all) {
        SharedSessionContractImplementor session = session(event);
        PersistentCollection<?> collection = event.getCollection();
        CollectionPersister persister = session == null ? null : current(session, collection);
        List<IdentifierElements> identifiers = factory.mappings().of(persister);
        if (session == null || identifiers.isEmpty()) {
            return;
        }
        SessionWrites writes = factory.writesOf(session);
        factory.mappings().statementsOf(persister).ifPresent(writes::begin);
        OpenWrite told = writes.beforeWrite(session);
        for (IdentifierElements elements : identifiers) {
            List<String> values = all ? elements.in(collection) : elements.writtenIn(collection);
            values.forEach(value -> told.adding(elements.kind(), value));
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

    /** It is the one begun last. */
    private void written(AbstractCollectionEvent event) {
        SharedSessionContractImplementor session = session(event);
        if (session == null) {
            return;
        }
        SessionWrites writes = factory.knownWritesOf(session);
        if (writes != null && writes.endCollection()) {
            writes.writeDone();
        }
    }
}
