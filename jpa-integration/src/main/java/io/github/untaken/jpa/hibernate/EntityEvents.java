package io.github.untaken.jpa.hibernate;

import static org.hibernate.generator.EventType.INSERT;
import static org.hibernate.generator.EventType.UPDATE;

import io.github.untaken.jdbc.WriterMarks;
import io.github.untaken.jdbc.statement.WatchedTables;
import io.github.untaken.jpa.hibernate.statement.OwnStatements;
import io.github.untaken.spi.TransactionSink;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hibernate.StatelessSession;
import org.hibernate.cfg.JdbcSettings;
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
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.event.spi.PreUpdateEvent;
import org.hibernate.event.spi.PreUpdateEventListener;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.sql.model.MutationOperationGroup;
import org.hibernate.sql.model.MutationTarget;
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
                PreUpdateEventListener,
                PreUpsertEventListener,
                PostInsertEventListener,
                PostUpdateEventListener,
                PostUpsertEventListener,
                PostDeleteEventListener {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jpa");

    private final transient SessionFactoryImplementor factory;
    private final transient OpenTransactions open = new OpenTransactions();
    private final transient Sessions sessions = new Sessions(open);
    private transient @Nullable WriterMarks marks; // guarded by this
    private final transient Map<EntityPersister, Optional<OwnStatements>> statements = new ConcurrentHashMap<>();
    private final transient Map<MutationTarget<?>, Boolean> executed = new ConcurrentHashMap<>();
    private final transient TableFacts facts;
    private transient volatile @Nullable IdentifierProperties properties;
    private transient volatile @Nullable WatchedTables tables;
    private transient volatile @Nullable String database;
    private final transient AtomicBoolean warned = new AtomicBoolean();

    EntityEvents(SessionFactoryImplementor factory) {
        this.factory = factory;
        this.facts = new TableFacts(this::watchedTables);
    }

    void install(EventListenerRegistry registry) {
        registry.appendListeners(EventType.PRE_INSERT, this);
        registry.appendListeners(EventType.PRE_UPDATE, this);
        registry.appendListeners(EventType.PRE_UPSERT, this);
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
        HeardFactories.add(this);
    }

    void disconnect() {
        HeardFactories.remove(this);
        open.disconnect();
    }

    /** One for the factory, whoever asks: two would take each other for two processes. */
    synchronized WriterMarks writerMarks() {
        WriterMarks known = marks;
        if (known == null) {
            known = new FactoryConnections(factory).marks();
            marks = known;
        }
        return known;
    }

    /** Before each scan: waits for the transactions of this factory that no checker was told of. */
    void awaitUnheard(Duration timeout) {
        learnDatabase();
        open.awaitUnheard(timeout);
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

    boolean touchesWatchedTables(MutationOperationGroup group) {
        return executed.computeIfAbsent(group.getMutationTarget(), target -> {
            boolean[] touches = new boolean[1];
            target.forEachMutableTable(
                    table -> touches[0] |= watchedTables().contains(WatchedTables.bareName(table.getTableName())));
            return touches[0];
        });
    }

    /** What only the database knows of the watched tables. */
    TableFacts facts() {
        return facts;
    }

    SessionFactoryImplementor factory() {
        return factory;
    }

    /** Notes which database this factory is on, to know later who else is. */
    private void learnDatabase() {
        try (StatelessSession session = factory.openStatelessSession()) {
            database = databaseOf((SharedSessionContractImplementor) session);
        } catch (RuntimeException e) {
            database = null; // then anybody's may be the same
        }
    }

    /** Two addresses of one host count as two; that both are one database cannot be told from here. */
    boolean mayBeOnTheDatabaseOf(SharedSessionContractImplementor session) {
        String own = database == null ? databaseIn(factory.getProperties()) : database;
        String other = own == null ? null : databaseOf(session);
        return own == null || other == null || own.equals(other);
    }

    private static @Nullable String databaseOf(SharedSessionContractImplementor session) {
        try {
            String url = session.getJdbcCoordinator()
                    .getLogicalConnection()
                    .getPhysicalConnection()
                    .getMetaData()
                    .getURL();
            return withoutSettings(url);
        } catch (SQLException | RuntimeException e) {
            return null;
        }
    }

    /** Known before the first scan, if the factory makes its connections itself. */
    private static @Nullable String databaseIn(Map<String, Object> settings) {
        return settings.get(JdbcSettings.JAKARTA_JDBC_URL) instanceof String url ? withoutSettings(url) : null;
    }

    private static @Nullable String withoutSettings(@Nullable String url) {
        return url == null
                ? null
                : url.split("[?;]", 2)[0].replace("//127.0.0.1", "//localhost").replace("//[::1]", "//localhost");
    }

    /** Says once that another factory writes what the checker of this one keeps in memory. */
    void warnOf(SessionFactoryImplementor other) {
        if (warned.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Another EntityManagerFactory of this application (" + other.getName()
                            + ") writes tables with identifiers of this one (" + factory.getName()
                            + "), and its checker does not hear of it: each of its transactions makes checks ask the database until"
                            + " a scan. Give both to one checker, source(JpaIdentifiers.of(factory)) for each.");
        }
    }

    SessionWrites writesOf(SharedSessionContractImplementor session) {
        return sessions.of(session);
    }

    /** The SQL of an entity that is kept in a table with identifiers, whether they are its own or not. */
    private Optional<OwnStatements> statementsOf(EntityPersister persister) {
        Optional<OwnStatements> known = statements.get(persister);
        if (known == null) {
            known = Optional.of(new OwnStatements(
                            persister,
                            readMappings().columnsOf(persister),
                            readMappings().columnsMadeLate(persister, INSERT),
                            readMappings().columnsMadeLate(persister, UPDATE)))
                    .filter(own -> own.touches(watchedTables()));
            statements.put(persister, known);
        }
        return known;
    }

    private void begin(SharedSessionContractImplementor session, EntityPersister persister) {
        statementsOf(persister).ifPresent(own -> sessions.of(session).begin(own));
        for (IdentifierElements elements : elementsWrittenWith(session, persister)) {
            begin(session, elements.collection());
        }
    }

    private void end(SharedSessionContractImplementor session, EntityPersister persister) {
        for (IdentifierElements elements : elementsWrittenWith(session, persister)) {
            end(session, elements.collection());
        }
        statementsOf(persister).ifPresent(own -> sessions.of(session).end(own));
    }

    void begin(SharedSessionContractImplementor session, @Nullable CollectionPersister collection) {
        readMappings()
                .statementsOf(collection)
                .ifPresent(own -> sessions.of(session).begin(own));
    }

    void end(SharedSessionContractImplementor session, @Nullable CollectionPersister collection) {
        readMappings()
                .statementsOf(collection)
                .ifPresent(own -> sessions.of(session).end(own));
    }

    @Override
    public boolean onPreInsert(PreInsertEvent event) {
        begin(event.getSession(), event.getPersister());
        announce(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
        return false;
    }

    @Override
    public boolean onPreUpsert(PreUpsertEvent event) {
        begin(event.getSession(), event.getPersister());
        announce(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
        return false;
    }

    @Override
    public boolean onPreUpdate(PreUpdateEvent event) {
        begin(event.getSession(), event.getPersister());
        announce(event.getSession(), event.getPersister(), event.getState(), event.getId(), event.getOldState());
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
            effects.adding(property.kind(), value);
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
        end(event.getSession(), event.getPersister());
        written(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
    }

    @Override
    public void onPostUpsert(PostUpsertEvent event) {
        end(event.getSession(), event.getPersister());
        written(event.getSession(), event.getPersister(), event.getState(), event.getId(), null);
    }

    @Override
    public void onPostUpdate(PostUpdateEvent event) {
        end(event.getSession(), event.getPersister());
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
                writes.afterWrite(session).removing(property.kind(), old);
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
        List<IdentifierProperty> identifiers = properties(event.getPersister());
        SessionWrites writes = null;
        for (IdentifierProperty property : identifiers) {
            String value = property.read(event.getDeletedState(), event.getId());
            if (value != null && !property.isDeletedSoftly()) {
                writes = writes == null ? sessions.of(session) : writes;
                writes.afterWrite(session).removing(property.kind(), value);
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
