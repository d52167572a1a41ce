package io.github.untaken.cluster.postgresql;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore.InColumn;
import io.github.untaken.spi.RegisteredIdentifierStore.TableColumn;

/** Where identifiers of a kind are, as the application spells it, and who else reads them. */
record Place(IdentifierKind kind, TableColumn column, InColumn store) {

    static Place of(IdentifierKind kind, InColumn store) {
        return new Place(kind, store.column(), store);
    }
}
