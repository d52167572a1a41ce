package io.github.untaken.cluster.mysql;

import io.github.untaken.IdentifierKind;

/**
 * A column with identifiers, as the catalog has it.
 *
 * @param place among the columns of its table, from 0 on
 * @param computed whether the database computes it
 * @param text how its bytes are read
 */
record WatchedColumn(IdentifierKind kind, Table table, String name, int place, boolean computed, ColumnText text) {

    /** A table as the log spells it. */
    record Table(String schema, String name) {
        boolean is(String otherSchema, String otherName, boolean ignoresCase) {
            return ignoresCase
                    ? schema.equalsIgnoreCase(otherSchema) && name.equalsIgnoreCase(otherName)
                    : schema.equals(otherSchema) && name.equals(otherName);
        }
    }
}
