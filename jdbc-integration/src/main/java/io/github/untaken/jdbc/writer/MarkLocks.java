package io.github.untaken.jdbc.writer;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.watch.OpenTransactions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.function.Function;

/**
 * The locks of one connection that make a writer of a column known to others. The database drops them with the connection. One caller at a
 * time.
 */
interface MarkLocks {

    /**
     * What is seen of the marks on a column.
     *
     * @param others whether some belong to writers that this one's checker does not hear; also true where they cannot be seen
     */
    record Seen(boolean own, boolean others) {}

    void lock(IdentifierColumn column) throws SQLException;

    /** Only for a locked column. One statement. */
    Seen look(IdentifierColumn column) throws SQLException;

    void unlock(IdentifierColumn column) throws SQLException;

    /** Its connection is given up. */
    default void lost() {}

    /**
     * The locks of the database that the connection leads to.
     *
     * @param writes the marks say that there may be some of these
     * @param kinds the kinds under which a column's writes are told
     */
    static MarkLocks on(
            Connection connection, OpenTransactions writes, Function<IdentifierColumn, Set<IdentifierKind>> kinds)
            throws SQLException {
        return Database.named(connection.getMetaData().getDatabaseProductName()) == Database.MYSQL
                ? new MySqlLocks(connection)
                : new PostgreSqlLocks(connection, writes, kinds);
    }

    /**
     * The number of a column, the same in every process. It is next to impossible that a lock of the application has it, and it would do no
     * harm.
     *
     * @param name of schema, table and column as the catalog has them
     */
    static int number(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(("io.github.untaken writer\n" + name).getBytes(StandardCharsets.UTF_8));
            return (digest[0] & 0xff) << 24 | (digest[1] & 0xff) << 16 | (digest[2] & 0xff) << 8 | digest[3] & 0xff;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
