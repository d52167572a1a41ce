package io.github.untaken.sample;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Partition;
import io.github.untaken.spi.RegisteredIdentifierStore.Snapshot;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A site's own source, whose first scan of one kind stands still after so many rows until it is told to go on. */
public final class HeldScan implements UnaryOperator<IdentifierSource> {
    private static final int PATIENCE_MINUTES = 2;

    private final IdentifierKind kind;
    private final int rows;
    private final AtomicInteger handedOver = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);

    public HeldScan(IdentifierKind kind, int rows) {
        this.kind = kind;
        this.rows = rows;
    }

    public void release() {
        released.countDown();
    }

    private void row() {
        if (handedOver.incrementAndGet() <= rows) {
            return;
        }
        try {
            if (!released.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException("nobody let the scan go on");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in the middle of a scan", e);
        }
    }

    private Consumer<String> held(Consumer<String> values) {
        return value -> {
            row();
            values.accept(value);
        };
    }

    @Override
    public IdentifierSource apply(IdentifierSource source) {
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new LinkedHashMap<>(source.stores());
        stores.computeIfPresent(
                kind, (name, each) -> each.stream().map(this::held).toList());
        return source.withStores(stores);
    }

    /** The store scans in parts, and can more besides. */
    private RegisteredIdentifierStore held(RegisteredIdentifierStore store) {
        Set<Class<?>> abilities = new LinkedHashSet<>();
        for (Class<?> type = store.getClass(); type != null; type = type.getSuperclass()) {
            abilities.addAll(List.of(type.getInterfaces()));
        }
        return (RegisteredIdentifierStore) Proxy.newProxyInstance(
                RegisteredIdentifierStore.class.getClassLoader(),
                abilities.toArray(Class<?>[]::new),
                (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(store, arguments);
                        return answer instanceof Snapshot snapshot ? held(snapshot) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private Snapshot held(Snapshot snapshot) {
        return new Snapshot() {
            @Override
            public List<Partition> parts() {
                return snapshot.parts().stream()
                        .<Partition>map(part -> values -> part.scan(held(values)))
                        .toList();
            }

            @Override
            public void confirm() {
                snapshot.confirm();
            }

            @Override
            public void close() {
                snapshot.close();
            }
        };
    }
}
