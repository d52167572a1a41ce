package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jpa.entities.NamedById;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An application without Hibernate: no class of it can be loaded, and the integration still works. */
class WithoutHibernateTest {

    @Test
    void loadsAndWorks() throws Exception {
        ClassLoader loader = new NoHibernate(getClass().getClassLoader());
        Class<?> inside = Class.forName(Inside.class.getName(), true, loader);
        assertThat(inside).isNotSameAs(Inside.class);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader); // where EclipseLink looks for entities
        try {
            assertThat(inside.getMethod("run").invoke(null)).isEqualTo("[username] true false");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Loads the classes of the tests and the integration anew, so that they find no Hibernate. */
    private static final class NoHibernate extends ClassLoader {
        NoHibernate(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.hibernate.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.github.untaken.jpa.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (bytes == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = bytes.readAllBytes();
                // EclipseLink asks where an entity comes from.
                return defineClass(name, code, 0, code.length, getClass().getProtectionDomain());
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Runs inside that class loader. */
    public static final class Inside {
        private Inside() {}

        public static String run() {
            try (EclipseLinkDatabase database = new EclipseLinkDatabase(NamedById.class)) {
                EntityManagerFactory factory = database.factory();
                JpaIdentifiers source = JpaIdentifiers.of(factory);
                factory.runInTransaction(entities -> entities.persist(new NamedById("alice")));
                var store = source.stores().values().iterator().next().get(0);
                return source.stores().keySet() + " "
                        + store.exists("alice", Duration.ofSeconds(5)).held() + " "
                        + store.exists("bob", Duration.ofSeconds(5)).held();
            }
        }
    }
}
