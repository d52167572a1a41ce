package io.github.untaken.jpa;

import io.github.untaken.jdbc.connection.ReadFailure;
import io.github.untaken.spi.RegisteredIdentifierStore;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.TypedQuery;
import jakarta.persistence.metamodel.EntityType;
import jakarta.persistence.metamodel.ManagedType;
import jakarta.persistence.metamodel.SingularAttribute;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the identifiers of one entity by standard queries, under any provider; {@link JpaIdentifiers} makes one for each marked attribute.
 * Under Hibernate it reads the table itself instead, which sees more.
 *
 * <p>Its limit: what the provider hides from queries (soft deletion, a tenant filter, an additional criterion) is hidden from it too,
 * though the unique index may still hold the name. Such a name shows as available and is refused by the database. Keep no such filter on an
 * entity with registered identifiers.
 *
 * <p>Each read has its own {@code EntityManager} and, unless the factory uses JTA, its own transaction. A scan is one query, and so shows
 * one state if a statement does. EclipseLink reads it through a cursor; otherwise the memory it takes is up to the provider and the driver.
 * Thread-safe; every method blocks, and throws {@code StoreException} if the database fails.
 */
public final class JpaIdentifierStore implements RegisteredIdentifierStore.Counted {
    private static final String TIMEOUT_MILLIS = "jakarta.persistence.query.timeout";

    private final EntityManagerFactory factory;
    private final String entity;
    private final String attribute;

    /**
     * Reads an attribute.
     *
     * @param factory is not closed by this store
     * @param entity the entity's name in queries
     * @param attribute its String attribute, preceded by the embedded attributes it is nested in, such as {@code contact.phone}
     * @throws IllegalArgumentException if the factory has no such entity, or the entity no such attribute
     */
    public JpaIdentifierStore(EntityManagerFactory factory, String entity, String attribute) {
        EntityType<?> type = factory.getMetamodel().getEntities().stream()
                .filter(candidate -> candidate.getName().equals(entity))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("this factory has no entity named " + entity));
        requireString(type, attribute);
        this.factory = factory;
        this.entity = entity;
        this.attribute = attribute;
    }

    private static void requireString(ManagedType<?> type, String path) {
        int dot = path.indexOf('.');
        SingularAttribute<?, ?> step = type.getSingularAttribute(dot < 0 ? path : path.substring(0, dot));
        if (dot >= 0 && step.getType() instanceof ManagedType<?> nested) {
            requireString(nested, path.substring(dot + 1));
        } else if (dot >= 0 || step.getJavaType() != String.class) {
            throw new IllegalArgumentException(
                    path + " of " + type.getJavaType().getName() + " is not a String attribute");
        }
    }

    @Override
    public Presence exists(String text, Duration timeout) {
        String query = "select e." + attribute + " from " + entity + " e where e." + attribute + " = :text";
        boolean held = read(
                List.of(text),
                entities -> !entities.createQuery(query, String.class)
                        .setParameter("text", text)
                        .setHint(TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, Math.max(1, timeout.toMillis())))
                        .setMaxResults(1)
                        .getResultList()
                        .isEmpty());
        return Presence.of(held);
    }

    @Override
    public void scan(Consumer<String> values) {
        read(List.of(), entities -> {
            TypedQuery<String> query = entities.createQuery(
                    "select e." + attribute + " from " + entity + " e where e." + attribute + " is not null",
                    String.class);
            if (EclipseLinkCursor.isOf(factory)) {
                EclipseLinkCursor.read(query, values);
            } else {
                try (Stream<String> rows = query.getResultStream()) {
                    rows.forEach(values);
                }
            }
            return true;
        });
    }

    @Override
    public long count() {
        String query = "select count(e." + attribute + ") from " + entity + " e";
        return read(
                List.of(), entities -> entities.createQuery(query, Long.class).getSingleResult());
    }

    private <T> T read(List<String> values, Function<EntityManager, T> read) {
        try (EntityManager entities = factory.createEntityManager()) {
            EntityTransaction transaction = transactionOf(entities);
            if (transaction == null) {
                return read.apply(entities);
            }
            transaction.begin();
            try {
                T result = read.apply(entities);
                transaction.commit();
                return result;
            } finally {
                if (transaction.isActive()) {
                    transaction.rollback();
                }
            }
        } catch (PersistenceException e) {
            throw ReadFailure.of(entity + "." + attribute + " could not be read", values, e);
        }
    }

    private static @Nullable EntityTransaction transactionOf(EntityManager entities) {
        try {
            return entities.getTransaction();
        } catch (IllegalStateException e) {
            return null; // JTA: a query outside a transaction is its own transaction
        }
    }

    @Override
    public String toString() {
        return entity + "." + attribute;
    }
}
