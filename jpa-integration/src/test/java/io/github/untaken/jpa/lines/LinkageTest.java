package io.github.untaken.jpa.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jpa.JpaIdentifiers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All that our classes name of Hibernate is there, in each line from 6.6 on: exact for every line of code, run by a test or not. */
class LinkageTest {
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
            Set<String> lacking = new References(Files.readAllBytes(file)).missing();
            if (!lacking.isEmpty()) {
                missing.put(file.getFileName().toString(), lacking);
            }
        }
        assertThat(files).hasSizeGreaterThan(30);
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
