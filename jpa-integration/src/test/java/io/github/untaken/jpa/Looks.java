package io.github.untaken.jpa;

import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore.Catalogued;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spi.TableCatalog;
import io.github.untaken.testkit.Eventually;

/** What a checker does every other second, for tests without one. */
final class Looks {
    private Looks() {}

    /** The same source, after a look at its tables. */
    static IdentifierSource at(IdentifierSource source) {
        source.stores()
                .values()
                .forEach(stores -> stores.forEach(store -> {
                    if (store instanceof Catalogued catalogued) {
                        Eventually.holds("a look that came in time", () -> comesBack(catalogued.catalog()));
                        catalogued.catalog().release();
                    }
                }));
        source.catalogs().forEach(catalog -> Eventually.holds("one of the source's own", () -> comesBack(catalog)));
        return source;
    }

    private static boolean comesBack(TableCatalog catalog) {
        try {
            catalog.look();
            return true;
        } catch (StoreException e) {
            return false;
        }
    }
}
