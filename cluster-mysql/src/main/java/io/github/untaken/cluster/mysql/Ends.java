package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.ChangeFeed.Backlog;
import io.github.untaken.spi.GapReason;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** Where a server's log ends at this moment: behind all that it has acknowledged to anybody. */
final class Ends {
    private static final int DENIED = 1227;

    private Ends() {}

    /** @throws UnfollowableException if there is no log, this user may not see it, or it leaves out databases */
    static LogPlace of(Connection connection, Facts facts) throws SQLException, UnfollowableException {
        boolean renamed = !facts.isMariaDb() && facts.version() >= 802;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(renamed ? "show binary log status" : "show master status")) {
            if (!row.next()) {
                throw new UnfollowableException(GapReason.SET_UP, "the binary log cannot be followed: log_bin is off");
            }
            if (isSet(row, 3) || isSet(row, 4)) {
                throw new UnfollowableException(
                        GapReason.SET_UP,
                        "the binary log cannot be followed: databases, or statements that alter tables, are left"
                                + " out of it; start the server without binlog_do_db and binlog_ignore_db");
            }
            return new LogPlace(row.getString(1), row.getLong(2));
        } catch (SQLException e) {
            if (e.getErrorCode() == DENIED) {
                throw new UnfollowableException(GapReason.SET_UP, SetUp.right(facts.isMariaDb(), user(connection)));
            }
            throw e;
        }
    }

    /** How much the server has written after that place. Empty if it has no such place, or this user may not ask. */
    static Optional<Backlog> behind(Connection connection, LogPlace place) throws SQLException {
        LogPlace end;
        try {
            end = of(connection, Facts.of(connection));
        } catch (UnfollowableException e) {
            return Optional.empty();
        }
        long unread = end.offset() - place.offset();
        if (!place.file().equals(end.file())) {
            boolean isThere = false;
            try (Statement statement = connection.createStatement();
                    ResultSet files = statement.executeQuery("show binary logs")) {
                while (files.next() && !files.getString(1).equals(end.file())) {
                    isThere |= files.getString(1).equals(place.file());
                    unread += isThere ? files.getLong(2) : 0;
                }
            }
            if (!isThere) {
                return Optional.empty();
            }
        }
        return unread < 0 ? Optional.empty() : Optional.of(new Backlog(unread, 0));
    }

    private static boolean isSet(ResultSet row, int column) throws SQLException {
        String databases = row.getString(column);
        return databases != null && !databases.isEmpty();
    }

    static String user(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_user()")) {
            row.next();
            String user = row.getString(1);
            int at = user.lastIndexOf('@');
            return '\'' + user.substring(0, at) + "'@'" + user.substring(at + 1) + '\'';
        }
    }
}
