package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;

/** A column with identifiers, by its name in the catalog. */
record WatchedColumn(IdentifierKind kind, String name) {}
