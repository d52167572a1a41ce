package io.github.untaken.jpa;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;

/** An H2 database of its own with a real Hibernate on it. */
public final class TestDatabase implements AutoCloseable {
    private static final AtomicLong NUMBER = new AtomicLong();
    private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

    static {
        HIBERNATE.setLevel(Level.SEVERE); // refused statements are part of the tests
    }

    private final String url;
    private final EntityManagerFactory factory;

    private TestDatabase(String url, Map<String, ?> settings, Class<?>... entities) {
        this.url = url;
        this.factory = factory(url, settings, entities);
    }

    public static TestDatabase of(Class<?>... entities) {
        return with(Map.of(), entities);
    }

    public static TestDatabase with(Map<String, ?> settings, Class<?>... entities) {
        return new TestDatabase(
                "jdbc:h2:mem:jpa" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1", settings, entities);
    }

    public static TestDatabase at(String url, Map<String, ?> settings, Class<?>... entities) {
        return new TestDatabase(url, settings, entities);
    }

    private static EntityManagerFactory factory(String url, Map<String, ?> settings, Class<?>... entities) {
        PersistenceConfiguration configuration = new PersistenceConfiguration("test")
                .provider("org.hibernate.jpa.HibernatePersistenceProvider")
                .property("jakarta.persistence.jdbc.user", "sa")
                .property("jakarta.persistence.jdbc.password", "")
                .property("jakarta.persistence.schema-generation.database.action", "update")
                .property("hibernate.connection.pool_size", "8")
                .property("hibernate.connection.autocommit", "true");
        if (!settings.containsKey("jakarta.persistence.nonJtaDataSource")) {
            configuration.property("jakarta.persistence.jdbc.url", url);
        }
        settings.forEach(configuration::property);
        for (Class<?> entity : entities) {
            configuration.managedClass(entity);
        }
        return configuration.createEntityManagerFactory();
    }

    public EntityManagerFactory factory() {
        return factory;
    }

    public SessionFactory sessions() {
        return factory.unwrap(SessionFactory.class);
    }

    public void inTransaction(Consumer<EntityManager> work) {
        factory.runInTransaction(work);
    }

    public void stateless(Consumer<StatelessSession> work) {
        try (StatelessSession session = sessions().openStatelessSession()) {
            work.accept(session);
        }
    }

    public void statelessInTransaction(Consumer<StatelessSession> work) {
        sessions().inStatelessTransaction(work);
    }

    public Connection connection() throws SQLException {
        return DriverManager.getConnection(url, "sa", "");
    }

    public void sql(String... statements) {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        factory.close();
        sql("shutdown");
    }
}
