package io.github.untaken.jdbc.paths;

import javax.sql.DataSource;

/** A table of its own on some database, with the columns {@code id}, which the database fills in, and {@code username}, which is unique. */
public interface PathTable extends AutoCloseable {
    String name();

    /** New connections, no pool. */
    DataSource dataSource();

    /** The first column of each row, in lines; {@code TABLE} stands for the table's name. */
    String query(String sql);

    /** Cuts every connection with an open transaction. */
    void cutTransactions();

    /** Cuts one connection at random that has something to do with this table; false if this database's cannot be cut under load. */
    boolean cutAny();

    @Override
    void close();
}
