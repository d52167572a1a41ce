package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import java.io.ObjectStreamException;
import java.io.Serializable;
import org.hibernate.boot.internal.SessionFactoryOptionsBuilder;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.internal.SessionFactoryRegistry;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.jspecify.annotations.Nullable;

/**
 * Sees each statement that a session of one factory is about to prepare, after the application's own inspector, and
 * hands it over to the session's {@link SessionStatements}. An inspector is not told which session asks, but the
 * session prepares the statement next, on the same thread.
 */
@SuppressWarnings("serial") // written as a reference to its factory
final class HandoverInspector implements StatementInspector {
    private final transient HeardFactory factory;
    private final transient @Nullable StatementInspector applications;
    /**
     * The statement last inspected on this thread, for the session that prepares it. Nothing stays behind: threads
     * outlive applications that are deployed anew.
     */
    @SuppressWarnings("ThreadLocalUsage") // one for each factory, or a session takes the statement of another's
    private final transient ThreadLocal<InspectedStatement> handover = new ThreadLocal<>();

    private HandoverInspector(HeardFactory factory, @Nullable StatementInspector applications) {
        this.factory = factory;
        this.applications = applications;
    }

    /**
     * Installs one in a factory under construction, where the application's settings and calls have been read and no
     * session has been opened yet. Without it, or where a factory is built in a way of its own, bulk writes go unseen.
     */
    static void install(HeardFactory factory) {
        if (factory.sessionFactory().getSessionFactoryOptions() instanceof SessionFactoryOptionsBuilder options) {
            options.applyStatementInspector(new HandoverInspector(factory, options.getStatementInspector()));
        }
    }

    static @Nullable HandoverInspector installedIn(SessionFactoryImplementor factory) {
        return factory.getSessionFactoryOptions().getStatementInspector() instanceof HandoverInspector inspector
                ? inspector
                : null;
    }

    HeardFactory factory() {
        return factory;
    }

    @Override
    public String inspect(String sql) {
        String answer = applications == null ? null : applications.inspect(sql);
        String sent = answer == null ? sql : answer;
        if (HeardFactory.isAnyMarked()) {
            handover.set(new InspectedStatement(sql, sent, true));
        }
        return sent;
    }

    /**
     * The statement that is being prepared on this thread; null if none has come by.
     *
     * @param blind whether its session asks another inspector, so that one that has not come by here may write anything
     */
    @Nullable InspectedStatement take(boolean blind) {
        InspectedStatement statement = handover.get();
        handover.remove();
        return statement == null && blind ? InspectedStatement.UNSEEN : statement;
    }

    /** A session takes its inspector along when it is serialized. */
    private Object writeReplace() throws ObjectStreamException {
        SessionFactoryImplementor own = factory.sessionFactory();
        return new Reference(own.getUuid(), own.getName());
    }

    private record Reference(String uuid, @Nullable String name) implements Serializable {
        private Object readResolve() throws ObjectStreamException {
            return SessionFactoryRegistry.INSTANCE
                    .findSessionFactory(uuid, name)
                    .getSessionFactoryOptions()
                    .getStatementInspector();
        }
    }
}
