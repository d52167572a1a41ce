package io.github.untaken.sample.reads;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spi.IdentifierSource;
import io.github.untaken.spi.RegisteredIdentifierStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Makes the stores of a source count each {@code exists}; everything else is passed on. They are asked for one key at a time, so
 * that each check can be told what it cost.
 */
public final class MeteredSource {
    /** An audit begins with a sample and then reads on the same thread, which is none that reads for checks. */
    private static final ThreadLocal<Boolean> AUDITS_HERE = ThreadLocal.withInitial(() -> false);

    private MeteredSource() {}

    /**
     * The source with stores that count.
     *
     * @param checks what is read for checks, and to settle the registrations under way
     * @param audits what is read to audit the memory
     * @param traces which single check it is read for
     */
    public static IdentifierSource of(
            IdentifierSource source, CheckReads checks, CheckReads audits, CheckTraces traces) {
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = new LinkedHashMap<>();
        source.stores()
                .forEach((kind, list) -> stores.put(
                        kind,
                        list.stream()
                                .map(store -> metered(kind, store, checks, audits, traces))
                                .toList()));
        return source.withStores(stores);
    }

    // A proxy, so that the abilities a store has beyond the plain one, which are subtypes, stay visible.
    private static RegisteredIdentifierStore metered(
            IdentifierKind kind,
            RegisteredIdentifierStore store,
            CheckReads checks,
            CheckReads audits,
            CheckTraces traces) {
        Set<Class<?>> abilities = new LinkedHashSet<>();
        abilities.add(RegisteredIdentifierStore.class);
        for (Class<?> type = store.getClass(); type != null; type = type.getSuperclass()) {
            for (Class<?> ability : type.getInterfaces()) {
                if (RegisteredIdentifierStore.class.isAssignableFrom(ability)
                        && ability != RegisteredIdentifierStore.Batched.class) {
                    abilities.add(ability);
                }
            }
        }
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("exists")) {
                String key = (String) arguments[0];
                Duration timeout = (Duration) arguments[1];
                BooleanSupplier read = () -> store.exists(key, timeout);
                return AUDITS_HERE.get()
                        ? audits.counting(read)
                        : traces.counting(kind, key, () -> checks.counting(read));
            }
            if (method.getName().equals("sample")) {
                AUDITS_HERE.set(true);
            }
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        };
        return (RegisteredIdentifierStore) Proxy.newProxyInstance(
                RegisteredIdentifierStore.class.getClassLoader(), abilities.toArray(Class<?>[]::new), handler);
    }
}
