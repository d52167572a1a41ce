package io.github.untaken.benchmarks.shared;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.cluster.mysql.MySqlFeed;
import io.github.untaken.jdbc.JdbcIdentifiers;
import java.sql.SQLException;

/** Each node has the names in memory, and follows the database's log. The application writes as if there were nothing. */
final class UntakenNode implements Node {
    private final Accounts accounts;
    private final boolean latest;
    private final AvailabilityChecker checker;

    /** @param latest whether each answer knows all that was committed before it; else what is older than a second */
    UntakenNode(Accounts accounts, String url, boolean latest) {
        this.accounts = accounts;
        this.latest = latest;
        checker = AvailabilityChecker.builder()
                .source(JdbcIdentifiers.table(accounts.pool(), "account", "username"))
                .feed(MySqlFeed.of(url).build())
                .build();
    }

    boolean isReady() {
        return checker.state(IdentifierKind.USERNAME) == KindState.READY;
    }

    @Override
    public boolean isAvailable(String name) {
        return (latest ? checker.latest(IdentifierKind.USERNAME, name) : checker.check(IdentifierKind.USERNAME, name))
                .available();
    }

    @Override
    public void signUp(String name) throws SQLException {
        accounts.insert(name);
    }

    @Override
    public void delete(String name) throws SQLException {
        accounts.delete(name);
    }

    @Override
    public void close() {
        checker.close();
    }
}
