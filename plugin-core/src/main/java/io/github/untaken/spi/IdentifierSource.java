package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where an application's identifiers are stored, and what reports their changes; {@code JpaIdentifiers.of(emf)} is one.
 */
public interface IdentifierSource {

    /**
     * The stores of each kind in this source; the same at each call. A kind kept in several tables has several: an
     * identifier exists if any of them holds it, and if one fails, all fail.
     */
    Map<IdentifierKind, List<RegisteredIdentifierStore>> stores();

    /**
     * Starts reporting changes. Called once, before the first scan. Every transaction that has written an identifier
     * and is still open is reported too, before this returns. If it throws, it reports nothing and is not
     * {@linkplain #disconnect disconnected}.
     */
    void connect(WriteSink sink);

    /** Stops reporting changes; whatever is still open is reported as {@linkplain IdentifierWrite#ended ended}. */
    void disconnect();

    /** The catalogs of the tables by which it judges writes; by default those of its stores. The same at each call. */
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
     * What it reports about, such as a factory. Equal for sources that one checker cannot have both of, because they
     * report the same. By default this source itself.
     */
    default Object origin() {
        return this;
    }

    /**
     * A source that reports what this one reports, with other stores: to measure its own, to leave out kinds, or to add
     * a table of names that is no longer written.
     *
     * @param stores of each kind; a store that replaces one with more abilities (subtypes) than the plain one should
     *     have them too
     */
    default IdentifierSource withStores(Map<IdentifierKind, List<RegisteredIdentifierStore>> stores) {
        return new SourceWithStores(this, Collections.unmodifiableMap(new LinkedHashMap<>(stores)));
    }
}
