package io.github.untaken.jpa;

import io.github.untaken.test.database.Console;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.persistence.jpa.PersistenceProvider;

/** An H2 database of its own with a real EclipseLink on it, unwoven. */
final class EclipseLinkDatabase implements AutoCloseable {
    private static final AtomicLong NUMBER = new AtomicLong();

    private final String url = "jdbc:h2:mem:eclipselink" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1";
    private final EntityManagerFactory factory;

    EclipseLinkDatabase(Class<?>... entities) {
        this(List.of(), entities);
    }

    EclipseLinkDatabase(List<String> mappings, Class<?>... entities) {
        PersistenceConfiguration configuration = new PersistenceConfiguration("plain" + NUMBER.get())
                .property("jakarta.persistence.jdbc.url", url)
                .property("jakarta.persistence.jdbc.user", "sa")
                .property("jakarta.persistence.jdbc.password", "")
                .property("jakarta.persistence.schema-generation.database.action", "create")
                .property("eclipselink.weaving", "false")
                .property("eclipselink.logging.level", "OFF");
        for (Class<?> entity : entities) {
            configuration.managedClass(entity);
        }
        mappings.forEach(configuration::mappingFile);
        // Hibernate would answer first if both were asked.
        factory = new PersistenceProvider().createEntityManagerFactory(configuration);
        factory.getMetamodel(); // deploys, and so creates the tables
    }

    EntityManagerFactory factory() {
        return factory;
    }

    void sql(String sql) {
        new Console(url + ";USER=sa;PASSWORD=").sql(sql);
    }

    @Override
    public void close() {
        factory.close();
        sql("shutdown");
    }
}
