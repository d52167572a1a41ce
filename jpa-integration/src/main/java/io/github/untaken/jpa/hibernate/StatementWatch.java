package io.github.untaken.jpa.hibernate;

import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
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
 */
@SuppressWarnings("serial") // a session event listener is Serializable by type; Hibernate never serializes one
final class StatementWatch implements SessionEventListener, Extension {
    private final transient SharedSessionContractImplementor session;
    private final transient @Nullable UnseenWriteInspector inspector;
    private final boolean blind;
    private transient @Nullable SessionWrites writes;

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
        if (inspector != null && statement != null) {
            writes = inspector.events().writesOf(session);
            writes.aboutToPrepare(session, statement);
        } else if (writes != null) {
            writes.aboutToPrepareHarmless();
        }
    }

    @Override
    public void jdbcExecuteStatementStart() {
        if (writes != null) {
            writes.statementBegins();
        }
    }

    @Override
    public void jdbcExecuteStatementEnd() {
        if (writes != null) {
            writes.statementEnded(session);
        }
    }
}
