package io.github.untaken.jdbc.watch;

import net.ttddyy.dsproxy.ConnectionInfo;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.MethodExecutionListener;

/**
 * Hears each call of a connection or a statement, before and after. Lets no exception out: if it fails before a call, anything may be
 * written over that connection from then on.
 */
final class WatchingListener implements MethodExecutionListener {
    private final OpenTransactions open;

    WatchingListener(OpenTransactions open) {
        this.open = open;
    }

    @Override
    public void beforeMethod(MethodExecutionContext call) {
        ConnectionInfo info = call.getConnectionInfo();
        String method = call.getMethod().getName();
        if (info instanceof StatementWatch statement) {
            if (!open.survived(() -> statement.before(method, call.getMethodArgs()))) {
                open.survived(statement.writes()::lend);
            }
        } else if (info instanceof ConnectionWatch connection) {
            if (!open.survived(() -> connection.before(method, call.getMethodArgs()))) {
                open.survived(connection.writes()::lend);
            }
        }
    }

    @Override
    public void afterMethod(MethodExecutionContext call) {
        ConnectionInfo info = call.getConnectionInfo();
        String method = call.getMethod().getName();
        if (info instanceof StatementWatch statement) {
            open.survived(() -> statement.after(method, call.getResult(), call.getThrown()));
        } else if (info instanceof ConnectionWatch connection) {
            open.survived(() -> connection.after(method, call.getMethodArgs(), call.getThrown()));
        }
    }
}
