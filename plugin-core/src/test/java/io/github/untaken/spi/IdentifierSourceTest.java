package io.github.untaken.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class IdentifierSourceTest {
    private final AtomicReference<WriteSink> connected = new AtomicReference<>();

    /** Holds nothing and tells of nothing. */
    private final class Source implements IdentifierSource {
        @Override
        public Map<IdentifierKind, List<RegisteredIdentifierStore>> stores() {
            return Map.of();
        }

        @Override
        public void connect(WriteSink sink) {
            connected.set(sink);
        }

        @Override
        public void disconnect() {
            connected.set(null);
        }
    }

    @Test
    void otherStoresComeWithTheSameEvents() {
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new HashMap<>();
        stores.put(IdentifierKind.USERNAME, List.of());
        IdentifierSource source = new Source().withStores(stores);
        WriteSink sink = () -> {
            throw new AssertionError("no transaction was begun");
        };

        source.connect(sink);
        assertThat(connected.get()).isSameAs(sink);
        source.disconnect();
        assertThat(connected.get()).isNull();

        stores.clear();
        assertThat(source.stores()).containsOnlyKeys(IdentifierKind.USERNAME);
        assertThatThrownBy(() -> source.stores().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
