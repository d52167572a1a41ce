package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.transaction.OpenWrite;
import io.github.untaken.jpa.hibernate.statement.OwnStatements;
import java.util.List;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.event.spi.PostUpsertEvent;
import org.hibernate.event.spi.PostUpsertEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every write of an entity, and tells the {@link SessionWrites} of its session.
 *
 * <p>An identifier is announced in the PRE event: @PostPersist and the POST event come too late under autocommit, where
 * the row is committed by then. The POST event adds what differs from the announcement, such as a value that the
 * database or a later listener made. If an announcement fails, the exception is left to end the statement: a sign-up
 * that fails is harmless beside a taken name that looks free.
 */
@SuppressWarnings("serial") // listeners are Serializable by type; Hibernate never serializes them
final class EntityEvents
        implements PreInsertEventListener,
                PreUpdateEventListener,
                PreUpsertEventListener,
                PostInsertEventListener,
                PostUpdateEventListener,
                PostUpsertEventListener {
    private final transient HeardFactory factory;

    EntityEvents(HeardFactory factory) {
        this.factory = factory;
    }

    HeardFactory factory() {
        return factory;
    }

    void install(EventListenerRegistry registry) {
        registry.appendListeners(EventType.PRE_INSERT, this);
        registry.appendListeners(EventType.PRE_UPDATE, this);
        registry.appendListeners(EventType.PRE_UPSERT, this);
        registry.appendListeners(EventType.POST_INSERT, this);
        registry.appendListeners(EventType.POST_UPDATE, this);
        registry.appendListeners(EventType.POST_UPSERT, this);
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        announce(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
        return false;
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        announce(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
        return false;
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        announce(event.getSession(), event.getPersister(), event.getState(), event.getId(), event.getOldState());
        return false;
    }

    private void announce(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            Object[] state,
            @Nullable Object id,
            Object @Nullable [] oldState) {
        EntityIdentifiers entity = factory.identifiersOf(persister);
        if (entity.isEmpty()) {
            return;
        }
        SessionWrites writes = factory.writesOf(session);
        List<IdentifierElements> collections = writtenWith(session, entity);
        begin(writes, entity, collections);
        OpenWrite told = writes.beforeWrite(session);
        for (IdentifierProperty property : entity.properties()) {
            String value = property.read(state, id);
            boolean same = value != null && oldState != null && value.equals(property.read(oldState, id));
            if (value == null || same && !property.isWrittenBack()) {
                continue;
            }
            told.adding(property.kind(), value);
        }
        for (IdentifierElements elements : collections) {
            for (String value : elements.inState(state)) {
                told.adding(elements.kind(), value);
            }
        }
    }

    /** A stateless session writes the element collections of an entity between its PRE event and its POST event. */
    private static List<IdentifierElements> writtenWith(
            SharedSessionContractImplementor session, EntityIdentifiers entity) {
        return session instanceof StatelessSession ? entity.elements() : List.of();
    }

    private void begin(SessionWrites writes, EntityIdentifiers entity, List<IdentifierElements> collections) {
        OwnStatements own = entity.statements();
        if (own != null) {
            writes.begin(own);
        }
        for (IdentifierElements elements : collections) {
            factory.mappings().statementsOf(elements.collection()).ifPresent(writes::begin);
        }
    }

    private void end(SessionWrites writes, EntityIdentifiers entity, List<IdentifierElements> collections) {
        for (IdentifierElements elements : collections) {
            factory.mappings().statementsOf(elements.collection()).ifPresent(writes::end);
        }
        OwnStatements own = entity.statements();
        if (own != null) {
            writes.end(own);
        }
    }

    @Override
    public void onPostInsert(PostInsertEvent event) {
        written(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
    }

    @Override
    public void onPostUpsert(PostUpsertEvent event) {
        written(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
    }

    @Override
    public void onPostUpdate(PostUpdateEvent event) {
        written(event.getSession(), event.getPersister(), event.getState(), event.getId(), event.getOldState());
    }

    private void written(
            SharedSessionContractImplementor session,
            EntityPersister persister,
            Object[] state,
            @Nullable Object id,
            Object @Nullable [] oldState) {
        EntityIdentifiers entity = factory.identifiersOf(persister);
        if (entity.isEmpty()) {
            return;
        }
        SessionWrites writes = factory.writesOf(session);
        List<IdentifierElements> collections = writtenWith(session, entity);
        end(writes, entity, collections);
        for (IdentifierProperty property : entity.properties()) {
            String value = property.read(state, id);
            String old = oldState == null ? null : property.read(oldState, id);
            if (value != null && !value.equals(old)) {
                writes.write(session).adding(property.kind(), value);
            }
        }
        for (IdentifierElements elements : collections) {
            elements.inState(state).forEach(value -> writes.write(session).adding(elements.kind(), value));
        }
        if (!entity.properties().isEmpty() || !collections.isEmpty()) {
            writes.writeDone();
        }
    }

    @Override
    public boolean requiresPostCommitHandling(EntityPersister persister) {
        return false;
    }
}
