package io.github.untaken.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

/** Where persistence is not there, a container can still look at the producer. */
class WithoutOthersTest {

    @Test
    void theProducerCanBeReflectedUpon() throws Exception {
        Class<?> producer = new Bare(getClass().getClassLoader()).loadClass(CheckerProducer.class.getName());
        assertThat(producer).isNotSameAs(CheckerProducer.class);
        assertThat(producer.getDeclaredMethods()).isNotEmpty();
        assertThat(producer.getDeclaredConstructors()).hasSize(1);
        assertThat(flag(producer, "HAS_JPA")).isFalse();
        assertThat(flag(CheckerProducer.class, "HAS_JPA")).isTrue();
    }

    private static boolean flag(Class<?> producer, String name) throws ReflectiveOperationException {
        Field field = producer.getDeclaredField(name);
        field.setAccessible(true);
        return field.getBoolean(null);
    }

    /** Loads the producer anew, so that it finds none of the others. */
    private static final class Bare extends ClassLoader {
        Bare(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("jakarta.persistence.") || name.startsWith("io.github.untaken.jpa.")) {
                throw new ClassNotFoundException(name);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null
                    ? loaded
                    : name.equals(CheckerProducer.class.getName()) ? define(name) : super.loadClass(name, resolve);
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] code = bytes.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
