package io.github.untaken.jdbc.watch;

import net.ttddyy.dsproxy.ConnectionInfo;
import net.ttddyy.dsproxy.listener.MethodExecutionContext;
import net.ttddyy.dsproxy.listener.MethodExecutionListener;

/**
 * Hears each call of a connection or a statement, before and after. Lets no exception out: if it fails before a call, anything may be
 * written over that connection from then on.
 */
final class WatchingListener implements MethodExecutionListener {
    private final Watch watch;

    WatchingListener(Watch watch) {
        this.watch = watch;
    }

    @Override
    public void beforeMethod(MethodExecutionContext call) {
        ConnectionInfo info = call.getConnectionInfo();
        String method = call.getMethod().getName();
        if (info instanceof StatementWatch statement) {
            if (!watch.open().survived(() -> statement.before(method, call.getMethodArgs()))) {
                watch.open().survived(statement.writes()::lend);
            }
        } else if (info instanceof ConnectionWatch connection) {
            if (!watch.open().survived(() -> connection.before(method, call.getMethodArgs()))) {
                watch.open().survived(connection.writes()::lend);
            }
        }
    }

    @Override
    public void afterMethod(MethodExecutionContext call) {
        ConnectionInfo info = call.getConnectionInfo();
        String method = call.getMethod().getName();
        if (info instanceof StatementWatch statement) {
            watch.open().survived(() -> statement.after(method, call.getResult(), call.getThrown()));
        } else if (info instanceof ConnectionWatch connection) {
            watch.open().survived(() -> connection.after(method, call.getMethodArgs(), call.getThrown()));
        }
    }
}
