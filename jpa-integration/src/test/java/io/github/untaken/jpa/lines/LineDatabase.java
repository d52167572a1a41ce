package io.github.untaken.jpa.lines;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.transaction.jta.platform.internal.NoJtaPlatform;

/** A database of its own on H2, with whatever Hibernate from 6.6 on is on the class path: names nothing newer. */
final class LineDatabase implements AutoCloseable {
    private static final AtomicLong NUMBER = new AtomicLong();

    private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

    static {
        HIBERNATE.setLevel(Level.SEVERE);
    }

    private final SessionFactory factory;

    LineDatabase(Class<?>... entities) {
        this(Map.of(), entities);
    }

    LineDatabase(Map<String, String> settings, Class<?>... entities) {
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:line" + NUMBER.incrementAndGet())
                .setProperty("hibernate.connection.username", "sa")
                .setProperty("hibernate.connection.password", "")
                .setProperty("hibernate.connection.pool_size", "8")
                .setProperty("hibernate.transaction.jta.platform", NoJtaPlatform.class.getName())
                .setProperty("hibernate.hbm2ddl.auto", "create-drop");
        settings.forEach(configuration::setProperty);
        for (Class<?> entity : entities) {
            configuration.addAnnotatedClass(entity);
        }
        this.factory = configuration.buildSessionFactory();
    }

    SessionFactory sessions() {
        return factory;
    }

    EntityManagerFactory factory() {
        return factory;
    }

    <T> T inTransaction(Function<EntityManager, T> work) {
        try (EntityManager entities = factory().createEntityManager()) {
            entities.getTransaction().begin();
            try {
                T result = work.apply(entities);
                entities.getTransaction().commit();
                return result;
            } finally {
                if (entities.getTransaction().isActive()) {
                    entities.getTransaction().rollback();
                }
            }
        }
    }

    @Override
    public void close() {
        factory.close();
    }
}
