package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.statement.StatementJudge;
import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.util.Set;
import org.hibernate.boot.internal.SessionFactoryOptionsBuilder;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.internal.SessionFactoryRegistry;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.jspecify.annotations.Nullable;

/**
 * Sees each statement that a session of one factory is about to prepare, after the application's own inspector has had
 * its say, and leaves it for the session's {@link StatementWatch} to find. An inspector is not told which
 * session asks, but the session prepares the statement next, on the same thread.
 */
@SuppressWarnings("serial") // written as a reference to its factory
final class UnseenWriteInspector implements StatementInspector {
    private static final System.Logger LOG = System.getLogger("io.github.untaken.jpa");

    private final transient SessionFactoryImplementor factory;
    private final transient @Nullable StatementInspector applications;
    private final transient StatementJudge judge;
    private final transient EntityEvents events;
    private final transient ThreadLocal<Handover> handover = ThreadLocal.withInitial(Handover::new);

    /** The statement last inspected on this thread, for the session that prepares it. */
    private static final class Handover {
        @Nullable InspectedStatement statement;
    }

    private UnseenWriteInspector(
            SessionFactoryImplementor factory, EntityEvents events, @Nullable StatementInspector applications) {
        this.factory = factory;
        this.events = events;
        this.applications = applications;
        this.judge = new StatementJudge(events::watchedTables);
    }

    /**
     * Installs one in a factory under construction, where the application's settings and calls have been read and no
     * session has been opened yet. Without it, or where a factory is built in a way of its own, bulk writes go unseen.
     */
    static void install(SessionFactoryImplementor factory, EntityEvents events) {
        if (factory.getSessionFactoryOptions() instanceof SessionFactoryOptionsBuilder options) {
            options.applyStatementInspector(new UnseenWriteInspector(factory, events, options.getStatementInspector()));
        }
    }

    static @Nullable UnseenWriteInspector installedIn(SessionFactoryImplementor factory) {
        return factory.getSessionFactoryOptions().getStatementInspector() instanceof UnseenWriteInspector inspector
                ? inspector
                : null;
    }

    /** Says so if bulk writes of this factory cannot be noticed. */
    static void warnUnlessWatching(SessionFactoryImplementor factory) {
        if (installedIn(factory) != null && !WatchedExecutors.areUsedBy(factory)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "This EntityManagerFactory does not say which statements Hibernate builds itself, so every write of an"
                            + " entity with identifiers costs a scan: this takes the file META-INF/services/"
                            + "org.hibernate.service.spi.ServiceContributor of untaken-jpa on the class path, and no"
                            + " MutationExecutorService of the application's own.");
        }
        if (installedIn(factory) == null || !StatementWatchIntegration.isKnownTo(factory)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Bulk and native statements of this EntityManagerFactory are not noticed, and what they register stays"
                            + " unseen until the next scan: this takes Hibernate 7.4, the file META-INF/services/"
                            + "org.hibernate.engine.extension.spi.ExtensionIntegration of untaken-jpa on the class path,"
                            + " and a session factory built in the usual way. Otherwise wrap such work in bulk(kind, work).");
        }
    }

    EntityEvents events() {
        return events;
    }

    @Override
    public String inspect(String sql) {
        String answer = applications == null ? null : applications.inspect(sql);
        String sent = answer == null ? sql : answer;
        handover.get().statement = new InspectedStatement(sql, sent, true);
        return sent;
    }

    /**
     * The statement that is being prepared on this thread; null if none has come by.
     *
     * @param blind whether its session asks another inspector, so that one that has not come by here may write anything
     */
    @Nullable InspectedStatement take(boolean blind) {
        Handover left = handover.get();
        InspectedStatement statement = left.statement;
        left.statement = null;
        return statement == null && blind ? InspectedStatement.UNSEEN : statement;
    }

    /** Whether a statement of anybody's may write a table of this factory's entities, or a part of one. */
    boolean mayConcern(InspectedStatement statement) {
        return !judgeText(statement).isNothing();
    }

    private Judgement judgeText(InspectedStatement statement) {
        return statement.readable() ? judge.judge(statement.sent()) : judge.anything();
    }

    /** What a statement does to the tables of this factory's entities, whoever sends it. */
    Judgement judge(InspectedStatement statement, SharedSessionContractImplementor session) {
        Judgement judgement = judgeText(statement);
        TableFacts facts = events.facts();
        Set<IdentifierKind> more = facts.kindsInParts(judgement.others(), session);
        if (!more.isEmpty()) {
            judgement = judgement.writing(more);
        }
        Set<IdentifierColumn> computed = facts.computedOf(judgement.untouched(), session);
        return computed.isEmpty()
                ? judgement
                : judgement.computing(events.watchedTables().kindsIn(computed), computed);
    }

    /** A session takes its inspector along when it is serialized. */
    private Object writeReplace() throws ObjectStreamException {
        return new Reference(factory.getUuid(), factory.getName());
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
