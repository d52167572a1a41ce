package io.github.untaken.spi;

import io.github.untaken.IdentifierKind;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The events of one source with the stores given. */
record SourceWithStores(IdentifierSource source, Map<IdentifierKind, List<RegisteredIdentifierStore>> stores)
        implements IdentifierSource {

    @Override
    public Object origin() {
        return source.origin();
    }

    @Override
    public Set<TableCatalog> catalogs() {
        return source.catalogs(); // its writes are judged by what those show
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
