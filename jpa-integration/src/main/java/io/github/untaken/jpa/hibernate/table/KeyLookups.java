package io.github.untaken.jpa.hibernate.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Finds single keys in the index of a primary key. By its order: for {@code min} and {@code max} with a condition H2 would
 * read all the rows that meet it.
 */
final class KeyLookups {
    private final IdentifierColumn column;
    private final IdentifierColumn.Key key;
    private final SessionFactoryImplementor factory;
    private final Connection connection;
    private final SharedSessionContractImplementor session;

    KeyLookups(
            IdentifierColumn column,
            IdentifierColumn.Key key,
            SessionFactoryImplementor factory,
            Connection connection,
            SharedSessionContractImplementor session) {
        this.column = column;
        this.key = key;
        this.factory = factory;
        this.connection = connection;
        this.session = session;
    }

    @Nullable Object first() throws SQLException {
        return find("", null, "", 0);
    }

    @Nullable Object last() throws SQLException {
        return find("", null, " desc", 0);
    }

    @Nullable Object lastBelow(Object bound) throws SQLException {
        return find("<", bound, " desc", 0);
    }

    @Nullable Object firstFrom(Object bound) throws SQLException {
        return find(">=", bound, "", 0);
    }

    /** The key that so many precede, counted from the given one on, or from the first; null if there are no more than those. */
    @Nullable Object firstAfter(@Nullable Object from, int others) throws SQLException {
        return find(">=", from, "", others);
    }

    private @Nullable Object find(String comparison, @Nullable Object bound, String direction, int skipped)
            throws SQLException {
        String sql = "select " + key.column() + " from " + column.table()
                + (bound == null ? "" : " where " + key.column() + " " + comparison + " ?") + " order by "
                + key.column()
                + direction;
        PageLimit limit = skipped == 0 ? new PageLimit(factory, 1) : new PageLimit(factory, skipped, 1);
        try (PreparedStatement statement = connection.prepareStatement(limit.applyTo(sql, bound == null ? 0 : 1))) {
            int index = limit.bindFirst(statement);
            if (bound != null) {
                key.bind(statement, index++, bound, session);
            }
            limit.bindLast(statement, index);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? key.read(row, 1, session) : null;
            }
        }
    }

    long count() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select count(*) from " + column.table());
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
