package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.statement.CatalogFacts;
import io.github.untaken.jdbc.watch.OpenTransactions;
import io.github.untaken.jdbc.watch.Watch;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.WriteSink;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * One session factory with identifiers: where they are, who is told of what is written, and by which road. There is one per factory,
 * however many sources are made from it; two would take each other for two processes. Goes when its factory is closed. Thread-safe.
 */
final class HeardFactory {
    private static final Map<SessionFactoryImplementor, HeardFactory> ALL = new ConcurrentHashMap<>();

    private final SessionFactoryImplementor factory;
    private final MappedIdentifiers mapped;
    private final OpenTransactions open = new OpenTransactions();
    private final CatalogFacts facts;
    private final FactoryConnections connections;
    private final FactoryDatabase database;
    private final WriterMarks marks;
    private final Road road;
    private final Hearing hearing;

    private HeardFactory(SessionFactoryImplementor factory) {
        this.factory = factory;
        this.mapped = new MappedIdentifiers(factory);
        this.facts = new CatalogFacts(mapped.madeByDatabase());
        this.connections = new FactoryConnections(factory, open);
        Watch watch = new Watch(mapped.columns(), open, facts);
        this.database = new FactoryDatabase(connections, watch::readsFrom);
        this.marks = new WriterMarks(connections, open, mapped::kindsOf);
        this.road = new Road(watch, connections.heard(), database::mayBeThatOf);
        this.hearing = new Hearing(factory, road, connections, database);
    }

    /** @throws IllegalStateException if a marked attribute cannot be kept track of; the message names it */
    static HeardFactory of(SessionFactoryImplementor factory) {
        HeardFactory known = ALL.get(factory);
        if (known != null) {
            return known;
        }
        HeardFactory made = new HeardFactory(factory);
        HeardFactory before = ALL.putIfAbsent(factory, made);
        if (before != null) {
            return before;
        }
        factory.addObserver(made.observer());
        return made;
    }

    private SessionFactoryObserver observer() {
        return new SessionFactoryObserver() {
            @Override
            public void sessionFactoryClosing(SessionFactory closing) {
                marks.leaveAll(); // or a factory that outlives its checker would keep them until the process ends
            }

            @Override
            public void sessionFactoryClosed(SessionFactory closed) {
                hasClosed();
            }
        };
    }

    private void hasClosed() {
        road.watch().unheard(); // other writers of its tables, from now on
        road.detach();
        ALL.remove(factory, this);
    }

    void connect(WriteSink sink) {
        open.connect(sink);
        road.attach();
    }

    void disconnect() {
        road.detach();
        open.disconnect();
    }

    /** Before each scan: waits for writes that no checker was told of. */
    void awaitUnheard(Duration timeout) {
        database.learn();
        open.awaitUnheard(timeout);
    }

    /** Before each scan, and before the waiting: how many characters a column has room for. */
    void cutsAt(int characters) {
        open.cutsAt(characters);
    }

    MappedIdentifiers mapped() {
        return mapped;
    }

    FactoryConnections connections() {
        return connections;
    }

    WriterMarks marks() {
        return marks;
    }

    CatalogFacts facts() {
        return facts;
    }

    Hearing hearing() {
        return hearing;
    }
}
