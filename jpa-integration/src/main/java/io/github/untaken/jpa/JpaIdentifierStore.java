package io.github.untaken.jpa;

import io.github.untaken.jdbc.ReadFailure;
import io.github.untaken.spi.RegisteredIdentifierStore;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.EntityTransaction;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.TypedQuery;
import jakarta.persistence.metamodel.EntityType;
import jakarta.persistence.metamodel.ManagedType;
import jakarta.persistence.metamodel.SingularAttribute;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the identifiers of one entity by standard queries, under any provider; {@link JpaIdentifiers} makes one for
 * each marked attribute. Under Hibernate it reads the table itself instead, which sees more.
 *
 * <p>Its limit: what the provider hides from queries (soft deletion, a tenant filter, an additional criterion) is
 * hidden from it too, while the unique index may still hold the name. Such a name shows as available and is refused by
 * the database. Keep no such filter on an entity with registered identifiers.
 *
 * <p>Each read has an {@code EntityManager} and, unless the factory uses JTA, a transaction of its own. If the primary
 * key is one number or string, a scan goes along it in pages of 10,000 rows, which takes bounded memory; with any other
 * key it is one query, and how much memory that takes is up to the provider. Pages are not one state: a row whose key changes meanwhile may be
 * missed, and so may rows that share it. Thread-safe; every method blocks, and
 * throws {@code StoreException} if the database fails.
 */
public final class JpaIdentifierStore implements RegisteredIdentifierStore.Counted {
    private static final int PAGE = 10_000;
    private static final String TIMEOUT_MILLIS = "jakarta.persistence.query.timeout";

    private final EntityManagerFactory factory;
    private final String entity;
    private final String attribute;
    private final @Nullable String key;

    /**
     * Reads an attribute.
     *
     * @param factory is not closed by this store
     * @param entity the entity's name in queries
     * @param attribute its String attribute, with the embedded attributes it is nested in, such as
     *     {@code contact.phone}
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
        this.key = orderedKey(type);
    }

    private static void requireString(ManagedType<?> type, String path) {
        int dot = path.indexOf('.');
        SingularAttribute<?, ?> step = type.getSingularAttribute(dot < 0 ? path : path.substring(0, dot));
        if (dot >= 0 && step.getType() instanceof ManagedType<?> nested) {
            requireString(nested, path.substring(dot + 1));
        } else if (dot >= 0 || step.getJavaType() != String.class) {
            throw new IllegalArgumentException(
                    path + " of " + type.getJavaType().getName() + " is no String attribute");
        }
    }

    /** The only attribute of the primary key, if rows can be ordered by it. */
    private static @Nullable String orderedKey(EntityType<?> type) {
        if (!type.hasSingleIdAttribute()) {
            return null;
        }
        // Not by getId(type): EclipseLink calls the type of a primitive long Long, and then knows no such attribute.
        SingularAttribute<?, ?> id = type.getSingularAttributes().stream()
                .filter(SingularAttribute::isId)
                .findFirst()
                .orElseThrow();
        boolean ordered = id.getJavaType() == String.class || Number.class.isAssignableFrom(boxed(id.getJavaType()));
        return ordered ? id.getName() : null;
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    @Override
    public boolean exists(String text, Duration timeout) {
        String query = "select e." + attribute + " from " + entity + " e where e." + attribute + " = :text";
        return read(
                List.of(text),
                entities -> !entities.createQuery(query, String.class)
                        .setParameter("text", text)
                        .setHint(TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, Math.max(1, timeout.toMillis())))
                        .setMaxResults(1)
                        .getResultList()
                        .isEmpty());
    }

    @Override
    public void scan(Consumer<String> values) {
        if (key == null) {
            scanAtOnce(values);
        } else {
            scanByPages(key, values);
        }
    }

    private void scanByPages(String orderedBy, Consumer<String> values) {
        String columns = "select e." + orderedBy + ", e." + attribute + " from " + entity + " e";
        Object last = null;
        List<Object[]> page;
        do {
            Object after = last;
            page = read(List.of(), entities -> page(entities, columns, orderedBy, after));
            for (Object[] row : page) {
                last = row[0];
                if (row[1] != null) {
                    values.accept((String) row[1]);
                }
            }
        } while (page.size() == PAGE);
    }

    private static List<Object[]> page(
            EntityManager entities, String columns, String orderedBy, @Nullable Object after) {
        String where = after == null ? "" : " where e." + orderedBy + " > :after";
        TypedQuery<Object[]> query = entities.createQuery(columns + where + " order by e." + orderedBy, Object[].class);
        if (after != null) {
            query.setParameter("after", after);
        }
        return query.setMaxResults(PAGE).getResultList();
    }

    private void scanAtOnce(Consumer<String> values) {
        String query = "select e." + attribute + " from " + entity + " e where e." + attribute + " is not null";
        read(List.of(), entities -> {
            try (Stream<String> rows = entities.createQuery(query, String.class).getResultStream()) {
                rows.forEach(values);
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
            return null; // JTA: a query outside a transaction is one of its own
        }
    }

    @Override
    public String toString() {
        return entity + "." + attribute;
    }
}
