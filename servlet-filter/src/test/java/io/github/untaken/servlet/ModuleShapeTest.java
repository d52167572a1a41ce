package io.github.untaken.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** What this module shows to the world and what it needs from it: a change here is a change of the API. */
class ModuleShapeTest {

    private static final Path CLASSES = Path.of("target", "classes");

    @Test
    void exportsThesePackagesToEverybody() throws IOException {
        ModuleDescriptor module = module();
        assertThat(module.exports().stream().map(ModuleDescriptor.Exports::toString))
                .containsExactlyInAnyOrder("io.github.untaken.servlet");
        assertThat(module.opens()).isEmpty();
        assertThat(module.isOpen()).isFalse();
    }

    @Test
    void offersItsInitializerToContainers() throws IOException {
        assertThat(module().provides())
                .singleElement()
                .satisfies(provided -> assertThat(provided.providers())
                        .containsExactly(Files.readString(CLASSES.resolve("META-INF")
                                        .resolve("services")
                                        .resolve(provided.service()))
                                .strip()));
    }

    @Test
    void readsTheseModules() throws IOException {
        assertThat(module().requires().stream().map(required -> required.name()))
                .containsExactlyInAnyOrder("io.github.untaken.core", "jakarta.servlet", "java.base", "org.jspecify");
    }

    @Test
    void marksEveryPackageForNulls() throws Exception {
        assertThat(packages()).isNotEmpty();
        for (String name : packages()) {
            Path info = CLASSES.resolve(name.replace('.', '/')).resolve("package-info.class");
            assertThat(info).exists();
            assertThat(Class.forName(name + ".package-info").isAnnotationPresent(NullMarked.class))
                    .as(name)
                    .isTrue();
        }
    }

    private static ModuleDescriptor module() throws IOException {
        try (InputStream in = Files.newInputStream(CLASSES.resolve("module-info.class"))) {
            return ModuleDescriptor.read(in);
        }
    }

    private static Set<String> packages() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            List<Path> classes = files.filter(f -> f.toString().endsWith(".class"))
                    .map(f -> CLASSES.relativize(f).getParent())
                    .toList();
            return classes.stream()
                    .filter(folder -> folder != null)
                    .map(folder -> folder.toString().replace('/', '.').replace('\\', '.'))
                    .collect(Collectors.toSet());
        }
    }
}
