package io.github.untaken.cluster.mysql;

import io.github.untaken.IdentifierKind;

/**
 * A column with identifiers, as the catalog has it.
 *
 * @param schema as the log spells it, as it does the table
 * @param place among the columns of its table, from 0 on
 * @param padded whether it is a {@code CHAR}
 * @param computed whether the database computes it
 * @param text how its bytes are read
 */
record WatchedColumn(
        IdentifierKind kind,
        String schema,
        String table,
        String name,
        int place,
        boolean padded,
        boolean computed,
        ColumnText text) {}
