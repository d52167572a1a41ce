package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.statement.TableFacts;
import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.SessionEventListener;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/**
 * Hears each statement of one session before it is prepared, and tells the session's {@link SessionWrites} of those
 * that no entity event announces. Belongs to the session and goes with it.
 *
 * <p>A session that was given another inspector than the factory's, or none, is blind: any statement of it may write
 * anything, unless that inspector passes its statements on to the factory's.
 *
 * <p>A statement may also write the tables of another factory, whose checker does not hear this one: that one is told,
 * too.
 */
@SuppressWarnings("serial") // a session event listener is Serializable by type; Hibernate never serializes one
final class SessionStatements implements SessionEventListener {
    private final transient SharedSessionContractImplementor session;
    private final transient HandoverInspector inspector;
    private final boolean blind;
    /** By the factory whose tables this session has written; its own, as a rule. */
    private final transient Map<HeardFactory, SessionWrites> writes = new HashMap<>(2);

    private SessionStatements(SharedSessionContractImplementor session, HandoverInspector inspector) {
        this.session = session;
        this.inspector = inspector;
        this.blind = session.getJdbcSessionContext().getStatementInspector() != inspector;
    }

    /** Listens to a session that is being made, if there are identifiers in this JVM that it may write. */
    static void listenTo(SharedSessionContractImplementor session) {
        HandoverInspector inspector = HandoverInspector.installedIn(session.getFactory());
        if (inspector != null && HeardFactory.isAnyMarked()) {
            session.getEventListenerManager().addListener(new SessionStatements(session, inspector));
        }
    }

    @Override
    public void jdbcPrepareStatementStart() {
        InspectedStatement statement = inspector.take(blind);
        if (statement == null) {
            aboutToPrepareHarmless();
            return;
        }
        HeardFactory own = inspector.factory();
        Judgement judgement = aboutToPrepare(own, statement);
        for (HeardFactory other : ConnectedFactories.besides(own)) {
            if (other.judge().mayConcern(statement)
                    && other.mayBeOnTheDatabaseOf(session)
                    && !isHeardBy(other, own, judgement, other.judge().judge(statement, session))) {
                other.warnOf(session.getFactory());
                aboutToPrepare(other, statement);
            }
        }
    }

    /** Whether the checker of the other hears all of it in the name of this one: it is connected to both. */
    private static boolean isHeardBy(HeardFactory other, HeardFactory own, Judgement judgement, Judgement theirs) {
        return theirs.kinds().isEmpty()
                || own.isHeardWith(other)
                        && judgement.kinds().containsAll(theirs.kinds())
                        && judgement.columns().containsAll(theirs.columns())
                        && judgement.omitted().containsAll(theirs.omitted());
    }

    private Judgement aboutToPrepare(HeardFactory factory, InspectedStatement statement) {
        Judgement judgement = factory.judge().judge(statement, session);
        if (judgement.isHarmless()) {
            aboutToPrepareHarmless();
            return judgement;
        }
        TableFacts facts = factory.facts();
        if (judgement.mistrusted()) {
            facts.forget();
        }
        writesIn(factory)
                .aboutToPrepare(
                        session,
                        statement,
                        judgement,
                        column -> facts.mayBeFilledIn(column, new SessionConnection(session)::physical));
        return judgement;
    }

    private void aboutToPrepareHarmless() {
        writes.values().forEach(SessionWrites::aboutToPrepareHarmless);
    }

    private SessionWrites writesIn(HeardFactory factory) {
        SessionWrites known = writes.get(factory);
        if (known == null || known.isClosed()) {
            known = factory.writesOf(session);
            writes.put(factory, known);
        }
        return known;
    }

    @Override
    public void jdbcExecuteStatementStart() {
        writes.values().forEach(SessionWrites::statementBegins);
    }

    @Override
    public void jdbcExecuteStatementEnd() {
        writes.values().forEach(each -> each.statementEnded(session));
    }
}
