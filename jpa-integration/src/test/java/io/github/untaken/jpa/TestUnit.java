package io.github.untaken.jpa;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.SharedCacheMode;
import jakarta.persistence.ValidationMode;
import jakarta.persistence.spi.PersistenceUnitInfo;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.hibernate.jpa.HibernatePersistenceProvider;

/**
 * A persistence unit without a file, which other providers would read, too. By the interface of a container, for it is the one way that
 * every Hibernate has; as a proxy, since its methods are not the same in every Jakarta Persistence.
 */
final class TestUnit {
    private TestUnit() {}

    static EntityManagerFactory factory(Map<String, ?> settings, Class<?>... entities) {
        List<String> names = Arrays.stream(entities).map(Class::getName).toList();
        PersistenceUnitInfo unit = (PersistenceUnitInfo) Proxy.newProxyInstance(
                TestUnit.class.getClassLoader(),
                new Class<?>[] {PersistenceUnitInfo.class},
                (proxy, method, arguments) -> answer(method.getName(), method.getReturnType(), names));
        return new HibernatePersistenceProvider().createContainerEntityManagerFactory(unit, settings);
    }

    private static Object answer(String method, Class<?> type, List<String> entities) {
        return switch (method) {
            case "getPersistenceUnitName", "toString" -> "test";
            case "getManagedClassNames" -> entities;
            case "excludeUnlistedClasses" -> true;
            case "getSharedCacheMode" -> SharedCacheMode.UNSPECIFIED;
            case "getValidationMode" -> ValidationMode.AUTO;
            case "getClassLoader" -> TestUnit.class.getClassLoader();
            case "getProperties" -> new Properties();
            case "hashCode" -> 1;
            default -> type == List.class ? List.of() : null;
        };
    }
}
