package io.github.untaken.spring.boot;

import java.util.Arrays;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

/** By their names, as Spring Boot finds them: most are known to their own package alone. */
final class OurAutoConfigurations {
    private OurAutoConfigurations() {}

    static List<String> names() {
        return ImportCandidates.load(AutoConfiguration.class, OurAutoConfigurations.class.getClassLoader())
                .getCandidates()
                .stream()
                .filter(name -> name.startsWith("io.github.untaken."))
                .toList();
    }

    static List<Class<?>> all() {
        return names().stream()
                .<Class<?>>map(name -> ClassUtils.resolveClassName(name, null))
                .toList();
    }

    /** @param called the names of the classes, without their packages */
    static AutoConfigurations of(String... called) {
        Class<?>[] found = Arrays.stream(called)
                .map(name -> all().stream()
                        .filter(each -> each.getSimpleName().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(name + " is not registered")))
                .toArray(Class<?>[]::new);
        return AutoConfigurations.of(found);
    }
}
