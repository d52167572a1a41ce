package io.github.untaken.jpa;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.mapping.AttributeReader;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import io.github.untaken.spi.IdentifierTransaction;
import io.github.untaken.spi.TransactionSink;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceUnitUtil;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Who is told by entity listeners. Static, since there is no other way: a provider makes its entity listeners itself
 * and tells them nothing of the factory they belong to. An entry goes when its checker is closed.
 */
final class ListeningFactories {
    private static final List<Listening> ALL = new CopyOnWriteArrayList<>();

    private record Listening(
            EntityManagerFactory factory,
            List<AttributeReader> readers,
            TransactionSink sink,
            boolean writesChangesOnly,
            LoadedValues loaded) {

        /** Announces what may be written. */
        void beforeWrite(Object entity) {
            Class<?> mapped = mappedClassOf(entity);
            if (mapped != null) {
                @Nullable String[] values = read(entity, mapped);
                tell(values, loaded.of(entity), false);
            }
        }

        void afterWrite(Object entity) {
            Class<?> mapped = mappedClassOf(entity);
            if (mapped != null) {
                @Nullable String[] values = read(entity, mapped);
                tell(values, loaded.of(entity), true);
                loaded.remember(entity, values);
            }
        }

        void afterLoad(Object entity) {
            Class<?> mapped = mappedClassOf(entity);
            if (mapped != null && areLoaded(entity, mapped)) {
                loaded.remember(entity, read(entity, mapped));
            }
        }

        /** Reading a lazy attribute would cost a query for each entity. */
        private boolean areLoaded(Object entity, Class<?> mapped) {
            PersistenceUnitUtil unit = factory.getPersistenceUnitUtil();
            return readers.stream()
                    .map(AttributeReader::attribute)
                    .filter(attribute -> attribute.entity() == mapped)
                    .allMatch(
                            attribute -> unit.isLoaded(entity, attribute.path().get(0)));
        }

        void afterRemove(Object entity) {
            Class<?> mapped = mappedClassOf(entity);
            if (mapped != null) {
                @Nullable String[] old = loaded.forget(entity);
                tell(new @Nullable String[readers.size()], old == null ? read(entity, mapped) : old, true);
            }
        }

        private void tell(@Nullable String[] values, @Nullable String @Nullable [] old, boolean written) {
            IdentifierTransaction transaction = null;
            for (int i = 0; i < values.length; i++) {
                IdentifierKind kind = readers.get(i).attribute().kind();
                String value = values[i];
                String before = old == null ? null : old[i];
                boolean same = value != null && value.equals(before);
                if (value != null && !(same && writesChangesOnly)) {
                    transaction = transaction == null ? sink.begin() : transaction;
                    transaction.adding(kind, value);
                }
                if (written && before != null && !same) {
                    transaction = transaction == null ? sink.begin() : transaction;
                    transaction.removing(kind, before);
                }
            }
            if (transaction != null) {
                transaction.unknown();
            }
        }

        /** One value for each reader; null for those of other entities. */
        private @Nullable String[] read(Object entity, Class<?> mapped) {
            @Nullable String[] values = new @Nullable String[readers.size()];
            for (int i = 0; i < values.length; i++) {
                AttributeReader reader = readers.get(i);
                values[i] = reader.attribute().entity() == mapped ? reader.read(entity) : null;
            }
            return values;
        }

        /** Looks at superclasses too: the provider may have made a subclass of its own. */
        private @Nullable Class<?> mappedClassOf(Object entity) {
            for (Class<?> c = entity.getClass(); c != null; c = c.getSuperclass()) {
                for (AttributeReader reader : readers) {
                    if (reader.attribute().entity() == c) {
                        return c;
                    }
                }
            }
            return null;
        }
    }

    private ListeningFactories() {}

    static synchronized void connect(
            EntityManagerFactory factory, List<IdentifierAttribute> attributes, TransactionSink sink) {
        if (ALL.stream().anyMatch(listening -> listening.factory() == factory)) {
            throw new IllegalStateException(
                    "another checker is connected to this EntityManagerFactory: close that one first");
        }
        // EclipseLink leaves out columns that have not changed. With others an update of any attribute may write an
        // identifier back as it was read, over a rename by somebody else.
        boolean writesChangesOnly = EclipseLinkListeners.areIn(factory);
        ALL.add(new Listening(
                factory,
                attributes.stream().map(AttributeReader::new).toList(),
                sink,
                writesChangesOnly,
                new LoadedValues()));
    }

    static synchronized void disconnect(EntityManagerFactory factory) {
        ALL.removeIf(listening -> listening.factory() == factory);
    }

    static void beforeWrite(Object entity) {
        ALL.forEach(listening -> listening.beforeWrite(entity));
    }

    static void afterWrite(Object entity) {
        ALL.forEach(listening -> listening.afterWrite(entity));
    }

    static void afterLoad(Object entity) {
        ALL.forEach(listening -> listening.afterLoad(entity));
    }

    static void afterRemove(Object entity) {
        ALL.forEach(listening -> listening.afterRemove(entity));
    }
}
