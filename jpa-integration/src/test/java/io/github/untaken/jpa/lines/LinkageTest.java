package io.github.untaken.jpa.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jpa.JpaIdentifiers;
import io.github.untaken.jpa.hibernate.HibernateLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * All that our classes name of Hibernate is there: exact for every line of code, run by a test or not. Where Hibernate is
 * not heard, this holds for the classes that are loaded all the same.
 */
class LinkageTest {
    private static final Set<String> DOORS =
            Set.of("AvailabilityIntegrator", "AvailabilityServices", "HibernateLine", "MarkedClasses");

    @Test
    void everythingNamedOfHibernateExists() throws Exception {
        Path classes = Path.of(JpaIdentifiers.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Map<String, Set<String>> missing = new TreeMap<>();
        List<Path> files = classFiles(classes.resolve("io/github/untaken/jpa"));
        for (Path file : files) {
            String name = file.getFileName().toString().replaceAll("[$.].*", "");
            boolean hears =
                    classes.relativize(file).startsWith("io/github/untaken/jpa/hibernate") && !DOORS.contains(name);
            Set<String> lacking = new References(Files.readAllBytes(file)).missing();
            if (!lacking.isEmpty() && (HibernateLine.isHeard() || !hears)) {
                missing.put(file.getFileName().toString(), lacking);
            }
        }
        assertThat(files).hasSizeGreaterThan(40);
        assertThat(missing).isEmpty();
    }

    private static List<Path> classFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("package-info.class"))
                    .toList();
        }
    }
}
