package io.github.untaken.jpa.lines;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
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

    private final String url;
    private final SessionFactory factory;

    LineDatabase(Class<?>... entities) {
        this(Map.of(), entities);
    }

    LineDatabase(Map<String, String> settings, Class<?>... entities) {
        this("jdbc:h2:mem:line" + NUMBER.incrementAndGet(), "create-drop", settings, entities);
    }

    private LineDatabase(String url, String schema, Map<String, ?> settings, Class<?>... entities) {
        this.url = url;
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", url)
                .setProperty("hibernate.connection.username", "sa")
                .setProperty("hibernate.connection.password", "")
                .setProperty("hibernate.connection.pool_size", "8")
                .setProperty("hibernate.transaction.jta.platform", NoJtaPlatform.class.getName())
                .setProperty("hibernate.hbm2ddl.auto", schema);
        settings.forEach((name, value) -> configuration.getProperties().put(name, value));
        for (Class<?> entity : entities) {
            configuration.addAnnotatedClass(entity);
        }
        this.factory = configuration.buildSessionFactory();
    }

    /** With a setting that is no text. */
    static LineDatabase with(String setting, Object value, Class<?>... entities) {
        return new LineDatabase(
                "jdbc:h2:mem:line" + NUMBER.incrementAndGet(), "create", Map.of(setting, value), entities);
    }

    /** Another factory on this database. */
    LineDatabase another(Class<?>... entities) {
        return new LineDatabase(url, "none", Map.of(), entities);
    }

    /** From nobody's pool. */
    Connection anotherConnection() throws SQLException {
        return DriverManager.getConnection(url, "sa", "");
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
