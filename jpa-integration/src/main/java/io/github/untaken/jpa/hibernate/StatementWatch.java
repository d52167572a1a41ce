package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionEventListener;
import org.hibernate.engine.extension.spi.Extension;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Tells the writes of one session of statements that no entity event announces, before they are prepared. Belongs to the
 * session and goes with it.
 *
 * <p>A session that was given another inspector than the factory's, or none, is blind: unless that one passes its
 * statements on to the factory's, each may write anything.
 *
 * <p>A statement may also write the tables of another factory, whose checker does not hear this one: that one is told, too.
 */
@SuppressWarnings("serial") // a session event listener is Serializable by type; Hibernate never serializes one
final class StatementWatch implements SessionEventListener, Extension {
    private final transient SharedSessionContractImplementor session;
    private final transient @Nullable UnseenWriteInspector inspector;
    private final boolean blind;
    /** In the name of each factory whose tables this session has written. */
    private final transient List<SessionWrites> writes = new ArrayList<>(1);

    private StatementWatch(SharedSessionContractImplementor session, @Nullable UnseenWriteInspector inspector) {
        this.session = session;
        this.inspector = inspector;
        this.blind = session.getJdbcSessionContext().getStatementInspector() != inspector;
    }

    static StatementWatch of(SharedSessionContractImplementor session) {
        UnseenWriteInspector inspector = UnseenWriteInspector.installedIn(session.getFactory());
        StatementWatch watch = new StatementWatch(session, inspector);
        if (inspector != null) {
            session.getEventListenerManager().addListener(watch);
        }
        return watch;
    }

    @Override
    public void jdbcPrepareStatementStart() {
        InspectedStatement statement = inspector == null ? null : inspector.take(blind);
        if (inspector == null || statement == null) {
            writes.forEach(SessionWrites::aboutToPrepareHarmless);
            return;
        }
        Judgement judgement = aboutToPrepare(inspector, statement);
        for (EntityEvents other : HeardFactories.besides(inspector.events())) {
            UnseenWriteInspector others = UnseenWriteInspector.installedIn(other.factory());
            if (others != null
                    && others.mayConcern(statement)
                    && other.mayBeOnTheDatabaseOf(session)
                    && !isHeardBy(other, inspector.events(), judgement, others.judge(statement, session))) {
                other.warnOf(session.getFactory());
                aboutToPrepare(others, statement);
            }
        }
    }

    /** One checker of both factories hears of all that is told in the name of this one. */
    private static boolean isHeardBy(EntityEvents other, EntityEvents own, Judgement judgement, Judgement theirs) {
        return theirs.kinds().isEmpty()
                || own.openTransactions().isHeardWith(other.openTransactions())
                        && judgement.kinds().containsAll(theirs.kinds())
                        && judgement.columns().containsAll(theirs.columns())
                        && judgement.omitted().containsAll(theirs.omitted());
    }

    private Judgement aboutToPrepare(UnseenWriteInspector owner, InspectedStatement statement) {
        Judgement judgement = owner.judge(statement, session);
        if (judgement.isHarmless()) {
            writes.forEach(SessionWrites::aboutToPrepareHarmless);
            return judgement;
        }
        TableFacts facts = owner.events().facts();
        if (judgement.mistrusted()) {
            facts.forget();
        }
        SessionWrites told = owner.events().writesOf(session);
        if (!writes.contains(told)) {
            writes.add(told);
        }
        told.aboutToPrepare(session, statement, judgement, column -> facts.mayBeFilledIn(column, session));
        return judgement;
    }

    @Override
    public void jdbcExecuteStatementStart() {
        writes.forEach(SessionWrites::statementBegins);
    }

    @Override
    public void jdbcExecuteStatementEnd() {
        writes.forEach(each -> each.statementEnded(session));
    }
}
