package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The events of one source, with other stores. */
record SourceWithStores(IdentifierSource source, Map<IdentifierKind, List<RegisteredIdentifierStore>> stores)
        implements IdentifierSource {

    @Override
    public Object origin() {
        return source.origin();
    }

    @Override
    public Set<TableCatalog> catalogs() {
        return source.catalogs(); // they are what its writes are judged by
    }

    @Override
    public void connect(WriteSink sink) {
        source.connect(sink);
    }

    @Override
    public void disconnect() {
        source.disconnect();
    }
}
