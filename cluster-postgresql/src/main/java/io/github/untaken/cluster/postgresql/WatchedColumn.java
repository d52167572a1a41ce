package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;

/**
 * A column with identifiers.
 *
 * @param name in the catalog
 * @param padded whether it is a {@code character(n)}, or a domain over one: its values come with blanks at their end, which count for
 *     nothing when the database compares them
 */
record WatchedColumn(IdentifierKind kind, String name, boolean padded) {}
