package io.github.untaken.jpa;

import io.github.untaken.test.database.Console;
import io.github.untaken.test.database.Engine;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.engine.transaction.jta.platform.internal.NoJtaPlatform;
import org.jspecify.annotations.Nullable;

/** A database of its own with a real Hibernate on it; on H2 unless another engine is named. */
public final class TestDatabase implements AutoCloseable {
    private static final Logger HIBERNATE = Logger.getLogger("org.hibernate");

    private static final String ADMINISTRATOR = ";USER=sa;PASSWORD=";

    static {
        HIBERNATE.setLevel(Level.SEVERE); // refused statements are part of the tests
    }

    private final Engine engine;
    private final String url;
    private final EntityManagerFactory factory;
    private final @Nullable CountingDataSource connections;
    private boolean vanished;

    private TestDatabase(
            Engine engine,
            String url,
            @Nullable CountingDataSource connections,
            Map<String, ?> settings,
            Class<?>... entities) {
        this.engine = engine;
        this.url = url;
        this.connections = connections;
        this.factory = factory(url, "create", settings, entities);
    }

    public static TestDatabase of(Class<?>... entities) {
        return with(Map.of(), entities);
    }

    public static TestDatabase with(Map<String, ?> settings, Class<?>... entities) {
        return on(Engine.H2, settings, entities);
    }

    public static TestDatabase on(Engine engine, Map<String, ?> settings, Class<?>... entities) {
        return new TestDatabase(engine, engine.create(), null, settings, entities);
    }

    /** With settings that need to know the database, such as a data source of their own. */
    public static TestDatabase on(
            Engine engine, Function<String, Map<String, ?>> settingsForUrl, Class<?>... entities) {
        String url = engine.create();
        return new TestDatabase(engine, url, null, settingsForUrl.apply(url), entities);
    }

    public static TestDatabase at(String url, Map<String, ?> settings, Class<?>... entities) {
        return new TestDatabase(Engine.H2, url + ADMINISTRATOR, null, settings, entities);
    }

    /** On an empty database of that engine. */
    public static TestDatabase at(Engine engine, String url, Map<String, ?> settings, Class<?>... entities) {
        return new TestDatabase(engine, url, null, settings, entities);
    }

    /** One with connections that count what is read. */
    public static TestDatabase counted(Engine engine, Class<?>... entities) {
        String url = engine.create();
        CountingDataSource connections = new CountingDataSource(url);
        return new TestDatabase(
                engine, url, connections, Map.of("jakarta.persistence.nonJtaDataSource", connections), entities);
    }

    /** Another factory on this database, such as another process would have; the caller closes it. */
    public EntityManagerFactory anotherFactory(Map<String, ?> settings, Class<?>... entities) {
        return factory(url, "update", settings, entities);
    }

    /** Hibernate would read the schema to bring it up to date; where there is none, that is spared. */
    private static EntityManagerFactory factory(
            String url, String schema, Map<String, ?> settings, Class<?>... entities) {
        Map<String, Object> all = new HashMap<>();
        all.put("jakarta.persistence.schema-generation.database.action", schema);
        all.put("hibernate.connection.pool_size", "8");
        // Or Hibernate finds Atomikos on the class path and starts it when a stateless session commits. Its log
        // lies in the working folder, and only one process at a time can have it.
        all.put("hibernate.transaction.jta.platform", NoJtaPlatform.class.getName());
        all.put("hibernate.connection.autocommit", "true");
        if (!settings.containsKey("jakarta.persistence.nonJtaDataSource")
                && !settings.containsKey("jakarta.persistence.jtaDataSource")) {
            boolean asSomebody = settings.containsKey("jakarta.persistence.jdbc.user");
            all.put("jakarta.persistence.jdbc.url", asSomebody ? anonymous(url) : url);
        }
        all.putAll(settings);
        return TestUnit.factory(all, entities);
    }

    private static String anonymous(String url) {
        return url.replace(ADMINISTRATOR, "").replace(";DB_CLOSE_DELAY=-1", "").replace("?user=postgres", "");
    }

    public EntityManagerFactory factory() {
        return factory;
    }

    String url() {
        return url;
    }

    public CountingDataSource connections() {
        return Objects.requireNonNull(connections, "not a counted database");
    }

    public SessionFactory sessions() {
        return factory.unwrap(SessionFactory.class);
    }

    public void inTransaction(Consumer<EntityManager> work) {
        sessions().inTransaction(work::accept); // as every Hibernate has it
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
        return DriverManager.getConnection(url);
    }

    public void sql(String... statements) {
        new Console(url).sql(statements);
    }

    /** The database vanishes while it is in use. */
    public void vanish() {
        engine.vanish(url);
        vanished = true;
    }

    @Override
    public void close() {
        factory.close();
        if (!vanished) {
            engine.drop(url);
        }
    }
}
