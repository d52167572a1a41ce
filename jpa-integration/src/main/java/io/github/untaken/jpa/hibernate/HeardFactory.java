package io.github.untaken.jpa.hibernate;

import static org.hibernate.generator.EventType.INSERT;
import static org.hibernate.generator.EventType.UPDATE;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.WriterMarks;
import io.github.untaken.jdbc.catalog.CatalogFacts;
import io.github.untaken.jdbc.statement.WatchedTables;
import io.github.untaken.jdbc.transaction.OpenTransactions;
import io.github.untaken.jdbc.transaction.WatchedConnection;
import io.github.untaken.jdbc.watch.Watch;
import io.github.untaken.jpa.hibernate.statement.OwnStatements;
import io.github.untaken.spi.WriteSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.sql.model.MutationOperationGroup;
import org.hibernate.sql.model.MutationTarget;
import org.jspecify.annotations.Nullable;

/**
 * One session factory whose writes are heard of: its sessions, their open transactions, and where its identifiers are.
 * Made while the factory is built, before any checker can exist; until one connects, only what open transactions have
 * written is remembered. Goes with its factory. Thread-safe.
 */
final class HeardFactory {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jpa");

    private static volatile boolean anyMarked;

    private final SessionFactoryImplementor factory;
    private final boolean marked;
    private final OpenTransactions open = new OpenTransactions();
    private final Sessions sessions = new Sessions(open);
    private final FactoryDatabase database;
    private final CatalogFacts facts = new CatalogFacts();
    private final FactoryJudge judge = new FactoryJudge(this::watchedTables, facts);
    private final Map<EntityPersister, EntityIdentifiers> entities = new ConcurrentHashMap<>();
    private final Map<MutationTarget<?>, Boolean> touched = new ConcurrentHashMap<>();
    private final AtomicBoolean warned = new AtomicBoolean();
    private @Nullable WriterMarks marks; // guarded by this
    private volatile @Nullable Road road;
    private volatile @Nullable IdentifierProperties mappings;
    private volatile @Nullable WatchedTables tables;

    HeardFactory(SessionFactoryImplementor factory, boolean marked) {
        this.factory = factory;
        this.marked = marked;
        this.database = new FactoryDatabase(factory);
    }

    /**
     * Listens to a factory under construction.
     *
     * @param marked whether it has registered identifiers; if not, only its statements are looked at, and only while
     *     another factory of this JVM has some, whose tables they may write
     */
    static void install(SessionFactoryImplementor factory, boolean marked) {
        HeardFactory heard = new HeardFactory(factory, marked);
        HandoverInspector.install(heard);
        if (marked) {
            anyMarked = true;
            EventListenerRegistry registry = factory.getEventEngine().getListenerRegistry();
            new EntityEvents(heard).install(registry);
            new CollectionEvents(heard).install(registry);
            factory.addObserver(new SessionFactoryObserver() {
                @Override
                public void sessionFactoryCreated(SessionFactory created) {
                    heard.mappings();
                }
            });
        }
    }

    /** Whether a factory of this JVM has, or had, registered identifiers: otherwise no statement matters. */
    static boolean isAnyMarked() {
        return anyMarked;
    }

    /** Finds it by its listeners; empty if the factory was built without the integrator. */
    static Optional<HeardFactory> of(SessionFactoryImplementor factory) {
        List<HeardFactory> found = new ArrayList<>(1);
        factory.getEventListenerGroups()
                .eventListenerGroup_PRE_INSERT
                .fireEventOnEachListener(found, (listener, list) -> {
                    if (listener instanceof EntityEvents events) {
                        list.add(events.factory());
                    }
                });
        return found.stream().findFirst();
    }

    SessionFactoryImplementor sessionFactory() {
        return factory;
    }

    SessionWrites writesOf(SharedSessionContractImplementor session) {
        return sessions.of(session);
    }

    /** Null if the session has written no identifiers. */
    @Nullable SessionWrites knownWritesOf(SharedSessionContractImplementor session) {
        return sessions.known(session);
    }

    /** Ends what is still open of sessions that were dropped without being closed. */
    void expunge() {
        sessions.expunge();
    }

    void connect(WriteSink sink) {
        expunge();
        Watch watch = new Watch(mappings().columns(), open, facts);
        Road connected = new Road(watch, open, FactoryConnections.provider(factory), database::mayBeThatOf);
        open.connect(sink);
        connected.attach();
        road = connected;
        ConnectedFactories.add(this);
    }

    void disconnect() {
        ConnectedFactories.remove(this);
        Road connected = road;
        if (connected != null) {
            connected.detach();
        }
        open.disconnect();
    }

    /** Whether one checker hears both. */
    boolean isHeardWith(HeardFactory other) {
        return open.isHeardWith(other.open);
    }

    /** Before each scan: waits for the transactions of this factory that no checker was told of. */
    void awaitUnheard(Duration timeout) {
        expunge();
        database.learn();
        open.awaitUnheard(timeout);
    }

    /** Before each scan, and before the waiting: how many characters a column has room for. */
    void cutsAt(int characters) {
        open.cutsAt(characters);
    }

    boolean mayBeOnTheDatabaseOf(SharedSessionContractImplementor session) {
        return database.mayBeThatOf(session);
    }

    /** One for the whole factory: two would take each other for two processes. */
    synchronized WriterMarks writerMarks() {
        WriterMarks known = marks;
        if (known == null) {
            known = new FactoryConnections(factory).marks(open, mappings()::kindsOf);
            marks = known;
        }
        return known;
    }

    /**
     * Read when it is first asked for, which must be after the factory is built: its mapping model is made after the
     * integrators have run.
     *
     * @throws IllegalStateException if a marked attribute cannot be kept track of; that ends the building of the
     *     factory
     */
    IdentifierProperties mappings() {
        IdentifierProperties known = mappings;
        if (known == null) {
            known = new IdentifierProperties(factory);
            mappings = known;
        }
        return known;
    }

    EntityIdentifiers identifiersOf(EntityPersister persister) {
        EntityIdentifiers known = entities.get(persister);
        if (known == null) {
            IdentifierProperties mapped = mappings();
            OwnStatements own = new OwnStatements(
                    persister,
                    mapped.columnsOf(persister),
                    mapped.columnsMadeLate(persister, INSERT),
                    mapped.columnsMadeLate(persister, UPDATE));
            known = new EntityIdentifiers(
                    own.touches(watchedTables()) ? own : null, mapped.of(persister), mapped.elementsOf(persister));
            entities.put(persister, known);
        }
        return known;
    }

    WatchedTables watchedTables() {
        WatchedTables known = tables;
        if (known == null) {
            known = new WatchedTables(mappings().columns());
            tables = known;
        }
        return known;
    }

    boolean touchesWatchedTables(MutationOperationGroup group) {
        return marked
                && touched.computeIfAbsent(group.getMutationTarget(), target -> {
                    boolean[] touches = new boolean[1];
                    target.forEachMutableTable(table ->
                            touches[0] |= watchedTables().contains(WatchedTables.bareName(table.getTableName())));
                    return touches[0];
                });
    }

    /**
     * The kinds of this factory of which a connection tells its checker by itself. What a trigger makes is in no text: that it is one is
     * known from the mapping alone.
     */
    Set<IdentifierKind> toldBy(WatchedConnection connection) {
        Set<IdentifierKind> told = new HashSet<>(connection.toldTo(open, watchedTables()));
        told.removeAll(mappings().kindsMadeLate());
        return told;
    }

    FactoryJudge judge() {
        return judge;
    }

    CatalogFacts facts() {
        return facts;
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
}
