package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the identifiers of an application live, and who tells of their changes; {@code JpaIdentifiers.of(emf)} is one.
 */
public interface IdentifierSource {

    /**
     * The stores of each kind this source holds; the same at each call. A kind kept in several tables has several: an
     * identifier exists if any of them holds it, and one that fails fails all.
     */
    Map<IdentifierKind, List<RegisteredIdentifierStore>> stores();

    /**
     * Starts telling of changes. Called once, before the first scan. Every transaction that has written an identifier and
     * has not yet ended when this is called is told of too, before this returns. If it throws, it tells of nothing and is not
     * {@linkplain #disconnect disconnected}.
     */
    void connect(WriteSink sink);

    /** Stops telling of changes; what is still open is told to have {@linkplain IdentifierWrite#ended ended}. */
    void disconnect();

    /** What shows the tables by which it judges what is written; by default that of its stores. The same at each call. */
    default Set<TableCatalog> catalogs() {
        Set<TableCatalog> catalogs = new LinkedHashSet<>();
        for (List<RegisteredIdentifierStore> each : stores().values()) {
            for (RegisteredIdentifierStore store : each) {
                if (store instanceof RegisteredIdentifierStore.Catalogued catalogued) {
                    catalogs.add(catalogued.catalog());
                }
            }
        }
        return catalogs;
    }

    /**
     * What it tells of, such as a factory: equal for sources of which one checker cannot have two, since they tell of the same. By
     * default this source itself.
     */
    default Object origin() {
        return this;
    }

    /**
     * A source that tells of what this one tells of, with other stores: to measure what its own do, to leave out kinds, or to
     * add a table of names that nobody writes any more.
     *
     * @param stores of each kind; a store in the place of one that has more abilities than the plain one, which are subtypes,
     *     should have them too
     */
    default IdentifierSource withStores(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        return new SourceWithStores(this, Collections.unmodifiableMap(new LinkedHashMap<>(stores)));
    }
}
