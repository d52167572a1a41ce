package io.github.untaken.jpa;

import io.github.untaken.jpa.mapping.AttributeReader;
import io.github.untaken.jpa.mapping.IdentifierAttribute;
import io.github.untaken.spi.IdentifierTransaction;
import io.github.untaken.spi.TransactionSink;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Who is told by entity listeners. Static, for want of another way: a provider makes its entity listeners itself and tells
 * them nothing of the factory they belong to. An entry goes when its checker is closed.
 */
final class ListeningFactories {
    private static final List<Listening> ALL = new CopyOnWriteArrayList<>();

    private record Listening(EntityManagerFactory factory, List<AttributeReader> readers, TransactionSink sink) {

        void announce(Object entity) {
            IdentifierTransaction transaction = null;
            Class<?> mapped = mappedClassOf(entity);
            for (AttributeReader reader : readers) {
                if (reader.attribute().entity() == mapped) {
                    String value = reader.read(entity);
                    if (value != null) {
                        transaction = transaction == null ? sink.begin() : transaction;
                        transaction.adding(reader.attribute().kind(), value);
                    }
                }
            }
            if (transaction != null) {
                transaction.unknown();
            }
        }

        /** The provider may have made a subclass of its own. */
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
        ALL.add(new Listening(
                factory, attributes.stream().map(AttributeReader::new).toList(), sink));
    }

    static synchronized void disconnect(EntityManagerFactory factory) {
        ALL.removeIf(listening -> listening.factory() == factory);
    }

    static void announce(Object entity) {
        for (Listening listening : ALL) {
            listening.announce(entity);
        }
    }
}
