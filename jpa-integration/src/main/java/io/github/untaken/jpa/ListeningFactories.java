package io.github.untaken.jpa;

import io.github.untaken.jpa.mapping.AttributeReader;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import io.github.untaken.spi.IdentifierWrite;
import io.github.untaken.spi.WriteSink;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Who is told by entity listeners. Static, as there is no other way: a provider makes its entity listeners itself and does not tell them
 * which factory they belong to. An entry goes when its checker is closed.
 */
final class ListeningFactories {
    private static final List<Listening> ALL = new CopyOnWriteArrayList<>();

    private record Listening(EntityManagerFactory factory, List<AttributeReader> readers, WriteSink sink) {

        /** Tells of what may be or was written. When that is done is not heard. */
        void tell(Object entity) {
            Class<?> mapped = mappedClassOf(entity);
            if (mapped == null) {
                return;
            }
            IdentifierWrite write = sink.begin();
            for (AttributeReader reader : readers) {
                String value = reader.attribute().entity() == mapped ? reader.read(entity) : null;
                if (value != null) {
                    write.adding(reader.attribute().mark().kind(), value);
                }
            }
            write.ended();
        }

        /** Looks at superclasses too: the provider may have made a subclass. */
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
            EntityManagerFactory factory, List<IdentifierAttribute> attributes, WriteSink sink) {
        if (ALL.stream().anyMatch(listening -> listening.factory() == factory)) {
            throw new IllegalStateException(
                    "another checker is connected to this EntityManagerFactory: close that one first");
        }
        ALL.add(new Listening(
                factory, attributes.stream().map(AttributeReader::new).toList(), sink));
    }

    static synchronized void disconnect(EntityManagerFactory factory) {
        ALL.removeIf(listening -> listening.factory() == factory);
    }

    static void tell(Object entity) {
        ALL.forEach(listening -> listening.tell(entity));
    }
}
