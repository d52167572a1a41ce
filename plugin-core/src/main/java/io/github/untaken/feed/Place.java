package io.github.untaken.feed;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore.InColumn;
import io.github.untaken.spi.RegisteredIdentifierStore.TableColumn;
import java.util.Comparator;

/** The column that holds identifiers of a kind, as the application spells it, and the store that reads it. */
public record Place(IdentifierKind kind, TableColumn column, InColumn store) {

    public static final Comparator<Place> ORDER = Comparator.<Place, String>comparing(
                    place -> place.kind().name())
            .thenComparing(place -> place.column().table())
            .thenComparing(place -> place.column().column());

    public static Place of(IdentifierKind kind, InColumn store) {
        return new Place(kind, store.column(), store);
    }
}
