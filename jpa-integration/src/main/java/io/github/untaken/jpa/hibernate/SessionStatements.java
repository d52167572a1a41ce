package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.transaction.WatchedConnection;
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
    private final boolean jta;
    /** By the factory whose tables this session has written; its own, as a rule. */
    private final transient Map<HeardFactory, SessionWrites> writes = new HashMap<>(2);

    /** Whether a text may have defined data, of which others see nothing before its transaction ends. */
    private boolean defines;

    private SessionStatements(SharedSessionContractImplementor session, HandoverInspector inspector, boolean jta) {
        this.jta = jta;
        this.session = session;
        this.inspector = inspector;
        this.blind = session.getJdbcSessionContext().getStatementInspector() != inspector;
    }

    /**
     * Listens to a session that is being made, if there are identifiers in this JVM that it may write.
     *
     * @param jta whether a transaction manager ends its transactions, not the session
     */
    static void listenTo(SharedSessionContractImplementor session, boolean jta) {
        HandoverInspector inspector = HandoverInspector.installedIn(session.getFactory());
        if (inspector != null && HeardFactory.isAnyMarked()) {
            session.getEventListenerManager().addListener(new SessionStatements(session, inspector, jta));
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
        Judgement judgement = own.judge().judge(statement);
        defines |= judgement.mistrusted();
        aboutToPrepare(own, statement, untold(own, judgement));
        for (HeardFactory other : ConnectedFactories.besides(own)) {
            if (other.judge().mayConcern(statement) && other.mayBeOnTheDatabaseOf(session)) {
                Judgement there = other.judge().judge(statement);
                defines |= there.mistrusted();
                Judgement theirs = untold(other, there);
                if (!isHeardBy(other, own, judgement, theirs)) {
                    other.warnOf(session.getFactory());
                    aboutToPrepare(other, statement, theirs);
                }
            }
        }
    }

    /**
     * Without what the session's connection tells by itself, as that of a watched data source does. A manager ends transactions after such
     * a connection has been given back, so that this listener knows more of them.
     */
    private Judgement untold(HeardFactory factory, Judgement judgement) {
        WatchedConnection watched =
                jta || judgement.kinds().isEmpty() ? null : new SessionConnection(session).watched();
        return watched == null ? judgement : judgement.without(factory.toldBy(watched));
    }

    /** Whether the checker of the other hears all of it in the name of this one: it is connected to both. */
    private static boolean isHeardBy(HeardFactory other, HeardFactory own, Judgement judgement, Judgement theirs) {
        return theirs.kinds().isEmpty()
                || own.isHeardWith(other)
                        && judgement.kinds().containsAll(theirs.kinds())
                        && judgement.columns().containsAll(theirs.columns())
                        && judgement.omitted().containsAll(theirs.omitted());
    }

    private void aboutToPrepare(HeardFactory factory, InspectedStatement statement, Judgement judgement) {
        if (judgement.isNothing()) {
            aboutToPrepareHarmless();
            return;
        }
        writesIn(factory).aboutToPrepare(session, statement, judgement, column -> true);
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
    public void jdbcExecuteStatementEnd() {
        writes.values().forEach(each -> each.statementEnded(session));
        if (!session.isTransactionInProgress()) {
            tellOfDefinitions();
        }
    }

    @Override
    public void transactionCompletion(boolean successful) {
        tellOfDefinitions();
    }

    /** The session was closed. */
    @Override
    public void end() {
        tellOfDefinitions();
    }

    /** A look at the catalog is wanted at once, by each checker whose tables may be concerned. */
    private void tellOfDefinitions() {
        if (defines) {
            defines = false;
            inspector.factory().facts().defined();
            ConnectedFactories.besides(inspector.factory())
                    .forEach(other -> other.facts().defined());
        }
    }
}
