package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore;

/** Where identifiers of a kind are, as the application spells it. */
record Place(IdentifierKind kind, RegisteredIdentifierStore.TableColumn column) {}
