import org.jspecify.annotations.NullMarked;

/** Reads the tables that hold identifiers, and the SQL that may write them, on plain JDBC. */
@NullMarked
@SuppressWarnings("module") // the module it is exported to is built later
module io.github.untaken.jdbc {
    requires transitive io.github.untaken.core;
    requires transitive java.sql;
    requires static net.ttddyy.dsproxy;
    requires static org.jspecify;

    exports io.github.untaken.jdbc;
    exports io.github.untaken.jdbc.column to
            io.github.untaken.jpa;
    exports io.github.untaken.jdbc.connection to
            io.github.untaken.jpa;
    exports io.github.untaken.jdbc.statement to
            io.github.untaken.jpa;
    exports io.github.untaken.jdbc.store to
            io.github.untaken.jpa;
    exports io.github.untaken.jdbc.watch to
            io.github.untaken.jpa;
    exports io.github.untaken.jdbc.writer to
            io.github.untaken.jpa;
}
