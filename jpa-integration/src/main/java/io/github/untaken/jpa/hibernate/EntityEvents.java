package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.hibernate.statement.OwnStatements;
import io.github.untaken.jpa.hibernate.statement.WatchedTables;
import io.github.untaken.jpa.hibernate.table.WriterMarks;
import io.github.untaken.spi.TransactionSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostDeleteEvent;
import org.hibernate.event.spi.PostDeleteEventListener;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.event.spi.PostUpsertEvent;
import org.hibernate.event.spi.PostUpsertEventListener;
import org.hibernate.event.spi.PreDeleteEvent;
import org.hibernate.event.spi.PreDeleteEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every write of an entity. Installed while the session factory is built, before any checker can exist; until one
 * connects, it only remembers what open transactions have written.
 *
 * <p>An identifier is announced in the PRE event: @PostPersist and the POST event come too late under autocommit, where the
 * row is committed by then. The POST event adds what differs from the announcement, such as a value that the database or a
 * later listener made. Where an announcement fails, the exception is left to end the statement: a sign-up that fails is
 * harmless beside a taken name that looks free.
 */
@SuppressWarnings("serial") // listeners are Serializable by type; Hibernate never serializes them
final class EntityEvents
        implements PreInsertEventListener,
                PreDeleteEventListener,
                PreUpdateEventListener,
                PreUpsertEventListener,
                PostInsertEventListener,
                PostUpdateEventListener,
                PostUpsertEventListener,
                PostDeleteEventListener {
    private final transient SessionFactoryImplementor factory;
    private final transient OpenTransactions open = new OpenTransactions();
    private final transient Sessions sessions = new Sessions(open);
    private transient @Nullable WriterMarks marks; // guarded by this
    private final transient Map<EntityPersister, Optional<OwnStatements>> statements = new ConcurrentHashMap<>();
    private transient volatile @Nullable IdentifierProperties properties;
    private transient volatile @Nullable WatchedTables tables;

    EntityEvents(SessionFactoryImplementor factory) {
        this.factory = factory;
    }

    void install(EventListenerRegistry registry) {
        registry.appendListeners(EventType.PRE_INSERT, this);
        registry.appendListeners(EventType.PRE_UPDATE, this);
        registry.appendListeners(EventType.PRE_UPSERT, this);
        registry.appendListeners(EventType.PRE_DELETE, this);
        registry.appendListeners(EventType.POST_INSERT, this);
        registry.appendListeners(EventType.POST_UPDATE, this);
        registry.appendListeners(EventType.POST_UPSERT, this);
        registry.appendListeners(EventType.POST_DELETE, this);
        new CollectionEvents(this, sessions).install(registry);
    }

    static Optional<EntityEvents> installedIn(SessionFactoryImplementor factory) {
        List<EntityEvents> found = new ArrayList<>(1);
        factory.getEventListenerGroups()
                .eventListenerGroup_PRE_INSERT
                .fireEventOnEachListener(found, (listener, list) -> {
                    if (listener instanceof EntityEvents events) {
                        list.add(events);
                    }
                });
        return found.stream().findFirst();
    }

    /** Settles what sessions that were dropped without being closed have left open. */
    void expunge() {
        sessions.expunge();
    }

    void connect(TransactionSink sink) {
        expunge();
        open.connect(sink);
    }

    void disconnect() {
        open.disconnect();
    }

    /** One for the factory, whoever asks: two would take each other for two processes. */
    synchronized WriterMarks writerMarks() {
        WriterMarks known = marks;
        if (known == null) {
            known = new WriterMarks(factory);
            marks = known;
        }
        return known;
    }

    OpenTransactions openTransactions() {
        return open;
    }

    /**
     * Not before the factory is built: its mapping model is made after the integrators have run.
     *
     * @throws IllegalStateException if a marked attribute cannot be kept track of; it ends the building of the factory
     */
    IdentifierProperties readMappings() {
        IdentifierProperties known = properties;
        if (known == null) {
            known = new IdentifierProperties(factory);
            properties = known;
        }
        return known;
    }

    private List<IdentifierProperty> properties(EntityPersister persister) {
        return readMappings().of(persister);
    }

    WatchedTables watchedTables() {
        WatchedTables known = tables;
        if (known == null) {
            known = new WatchedTables(readMappings().columns());
            tables = known;
        }
        return known;
    }

    SessionWrites writesOf(SharedSessionContractImplementor session) {
        return sessions.of(session);
    }

    /** The SQL of an entity that is kept in a table with identifiers, whether they are its own or not. */
    private Optional<OwnStatements> statementsOf(EntityPersister persister) {
        Optional<OwnStatements> known = statements.get(persister);
        if (known == null) {
            known = Optional.of(new OwnStatements(persister, readMappings().columnsOf(persister)))
                    .filter(own -> own.touches(watchedTables()));
            statements.put(persister, known);
        }
        return known;
    }

    private void begin(OwnStatements.Event event, SharedSessionContractImplementor session, EntityPersister persister) {
        statementsOf(persister)
                .ifPresent(own -> sessions.of(session).pendingEvents().begin(event, own));
        for (IdentifierElements elements : elementsWrittenWith(session, persister)) {
            begin(session, elements.collection());
        }
    }

    private void end(OwnStatements.Event event, SharedSessionContractImplementor session, EntityPersister persister) {
        for (IdentifierElements elements : elementsWrittenWith(session, persister)) {
            end(session, elements.collection());
        }
        statementsOf(persister)
                .ifPresent(own -> sessions.of(session).pendingEvents().end(event, own));
    }

    void begin(SharedSessionContractImplementor session, @Nullable CollectionPersister collection) {
        readMappings()
                .statementsOf(collection)
                .ifPresent(own -> sessions.of(session).pendingEvents().begin(OwnStatements.Event.COLLECTION, own));
    }

    void end(SharedSessionContractImplementor session, @Nullable CollectionPersister collection) {
        readMappings()
                .statementsOf(collection)
                .ifPresent(own -> sessions.of(session).pendingEvents().end(OwnStatements.Event.COLLECTION, own));
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        begin(OwnStatements.Event.INSERT, event.getSession(), event.getPersister());
        announce(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
        return false;
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        begin(OwnStatements.Event.UPSERT, event.getSession(), event.getPersister());
        announce(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
        return false;
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        begin(OwnStatements.Event.UPDATE, event.getSession(), event.getPersister());
        announce(event.getSession(), event.getPersister(), event.getState(), event.getId(), event.getOldState());
        return false;
    }

    @Override
    public boolean onPreDelete(PreDeleteEvent event) {
        begin(OwnStatements.Event.DELETE, event.getSession(), event.getPersister());
        return false;
    }

    private void announce(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            Object[] state,
            @Nullable Object id,
            Object @Nullable [] oldState) {
        List<IdentifierProperty> identifiers = properties(persister);
        TransactionEffects effects = null;
        for (IdentifierProperty property : identifiers) {
            String value = property.read(state, id);
            boolean same = value != null && oldState != null && value.equals(property.read(oldState, id));
            if (value == null || same && !property.isWrittenBack()) {
                continue;
            }
            effects = effects == null ? sessions.of(session).beforeWrite(session) : effects;
            if (same) {
                effects.rewriting(property.kind(), value);
            } else {
                effects.adding(property.kind(), value);
            }
        }
        for (IdentifierElements elements : elementsWrittenWith(session, persister)) {
            for (String value : elements.inState(state)) {
                effects = effects == null ? sessions.of(session).beforeWrite(session) : effects;
                effects.adding(elements.kind(), value);
            }
        }
    }

    /** A stateless session writes the element collections of an entity between its PRE event and its POST event. */
    private List<IdentifierElements> elementsWrittenWith(
            SharedSessionContractImplementor session, EntityPersister persister) {
        return session instanceof StatelessSession ? readMappings().elementsOf(persister) : List.of();
    }

    @Override
    public void onPostInsert(PostInsertEvent event) {
        end(OwnStatements.Event.INSERT, event.getSession(), event.getPersister());
        written(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
    }

    @Override
    public void onPostUpsert(PostUpsertEvent event) {
        end(OwnStatements.Event.UPSERT, event.getSession(), event.getPersister());
        written(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
    }

    @Override
    public void onPostUpdate(PostUpdateEvent event) {
        end(OwnStatements.Event.UPDATE, event.getSession(), event.getPersister());
        written(event.getSession(), event.getPersister(), event.getState(), event.getId(), event.getOldState());
    }

    private void written(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            Object[] state,
            @Nullable Object id,
            Object @Nullable [] oldState) {
        List<IdentifierProperty> identifiers = properties(persister);
        List<IdentifierElements> collections = elementsWrittenWith(session, persister);
        if (identifiers.isEmpty() && collections.isEmpty()) {
            return;
        }
        SessionWrites writes = sessions.of(session);
        for (IdentifierProperty property : identifiers) {
            String value = property.read(state, id);
            String old = oldState == null ? null : property.read(oldState, id);
            if (value != null && !value.equals(old)) {
                writes.afterWrite(session).added(property.kind(), value);
            }
            if (old != null && !old.equals(value)) {
                boolean proved = property.proof().ofUpdate() && session.isTransactionInProgress();
                writes.afterWrite(session).removing(property.kind(), old, proved);
            }
        }
        for (IdentifierElements elements : collections) {
            elements.inState(state).forEach(value -> writes.afterWrite(session).added(elements.kind(), value));
        }
        writes.writeDone(session);
    }

    @Override
    public void onPostDelete(PostDeleteEvent event) {
        SharedSessionContractImplementor session = event.getSession();
        end(OwnStatements.Event.DELETE, session, event.getPersister());
        List<IdentifierProperty> identifiers = properties(event.getPersister());
        SessionWrites writes = null;
        for (IdentifierProperty property : identifiers) {
            String value = property.read(event.getDeletedState(), event.getId());
            if (value != null && !property.proof().softDelete()) {
                writes = writes == null ? sessions.of(session) : writes;
                boolean known = event.getDeletedState() != null;
                boolean proved = known && property.proof().ofDelete() && session.isTransactionInProgress();
                writes.afterWrite(session).removing(property.kind(), value, proved);
            }
        }
        if (writes != null) {
            writes.writeDone(session);
        }
    }

    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
        return false;
    }
}
