package io.github.untaken.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each published module shows to the world and what it needs from it: a change here is a change of the API. */
class ModuleShapeTest {
    private static final Path ROOT = Path.of("..");
    private static final Path CLASSES = Path.of("target", System.getProperty("classes.folder", "classes"));

    /** A module by its folder; beside what is listed each requires java.base and JSpecify. */
    private record Shape(String folder, Set<String> exports, Set<String> requires, Set<String> provides) {
        @Override
        public String toString() {
            return folder;
        }
    }

    private static final List<Shape> PUBLISHED = List.of(
            new Shape("membership-filters", Set.of("io.github.untaken.filter"), Set.of(), Set.of()),
            new Shape(
                    "plugin-core",
                    Set.of(
                            "io.github.untaken",
                            "io.github.untaken.fault to [io.github.untaken.jdbc, io.github.untaken.servlet]",
                            "io.github.untaken.feed to [io.github.untaken.cluster.mysql,"
                                    + " io.github.untaken.cluster.postgresql]",
                            "io.github.untaken.normalize",
                            "io.github.untaken.spi"),
                    Set.of("com.github.benmanes.caffeine", "io.github.untaken.filter", "java.sql"),
                    Set.of()),
            new Shape(
                    "plugin-testkit",
                    Set.of("io.github.untaken.testkit"),
                    Set.of("io.github.untaken.core", "org.junit.jupiter.api", "org.assertj.core"),
                    Set.of()),
            new Shape(
                    "servlet-filter",
                    Set.of("io.github.untaken.http", "io.github.untaken.http.spi", "io.github.untaken.servlet"),
                    Set.of("io.github.untaken.core", "jakarta.servlet"),
                    Set.of("jakarta.servlet.ServletContainerInitializer")),
            new Shape(
                    "jdbc-integration",
                    Set.of(
                            "io.github.untaken.jdbc",
                            "io.github.untaken.jdbc.column to [io.github.untaken.jpa]",
                            "io.github.untaken.jdbc.connection to [io.github.untaken.jpa]",
                            "io.github.untaken.jdbc.statement to [io.github.untaken.jpa]",
                            "io.github.untaken.jdbc.store to [io.github.untaken.jpa]",
                            "io.github.untaken.jdbc.watch to [io.github.untaken.jpa]",
                            "io.github.untaken.jdbc.writer to [io.github.untaken.jpa]"),
                    Set.of("io.github.untaken.core", "java.sql", "net.ttddyy.dsproxy"),
                    Set.of()),
            new Shape(
                    "jpa-integration",
                    Set.of("io.github.untaken.jpa"),
                    Set.of(
                            "io.github.untaken.core",
                            "io.github.untaken.jdbc",
                            "jakarta.persistence",
                            "org.hibernate.orm.core",
                            "java.sql",
                            "java.naming",
                            "net.ttddyy.dsproxy"),
                    Set.of()),
            new Shape(
                    "cluster-postgresql",
                    Set.of("io.github.untaken.cluster.postgresql"),
                    Set.of("io.github.untaken.core", "java.sql", "org.postgresql.jdbc"),
                    Set.of()),
            new Shape(
                    "phone-numbers",
                    Set.of("io.github.untaken.phone"),
                    Set.of("io.github.untaken.core", "com.google.i18n.phonenumbers.libphonenumber"),
                    Set.of()),
            new Shape(
                    "bean-validation",
                    Set.of("io.github.untaken.validation"),
                    Set.of("io.github.untaken.core", "jakarta.validation"),
                    Set.of()),
            new Shape(
                    "jakarta-cdi",
                    Set.of("io.github.untaken.cdi"),
                    Set.of("io.github.untaken.core", "jakarta.cdi", "io.github.untaken.jpa", "jakarta.persistence"),
                    Set.of("io.github.untaken.CheckerLookup")));

    /**
     * Automatic modules. Spring's own jars are such, and Spring reflects on all of ours; and MySQL's log is read by a jar that is one by
     * nothing but the name of its file.
     */
    @ParameterizedTest
    @ValueSource(strings = {"spring-boot", "cluster-mysql"})
    void thoseWithoutADescriptorMarkTheirPackagesForNullsToo(String folder) throws Exception {
        marksEveryPackageForNulls(new Shape(folder, Set.of(), Set.of(), Set.of()));
    }

    @Test
    void eachPublishedModuleIsListed() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            assertThat(folders.filter(folder -> Files.exists(folder.resolve("src/main/java/module-info.java")))
                            .map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            PUBLISHED.stream().map(Shape::folder).toList());
        }
    }

    @ParameterizedTest
    @FieldSource("PUBLISHED")
    void exportsThesePackagesToEverybody(Shape shape) throws IOException {
        ModuleDescriptor module = module(shape);
        assertThat(module.exports().stream().map(ModuleShapeTest::inOrder))
                .containsExactlyInAnyOrderElementsOf(shape.exports());
        assertThat(module.opens()).isEmpty();
        assertThat(module.isOpen()).isFalse();
    }

    @ParameterizedTest
    @FieldSource("PUBLISHED")
    void readsTheseModules(Shape shape) throws IOException {
        assertThat(module(shape).requires().stream().map(ModuleDescriptor.Requires::name))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(shape.requires().stream(), Stream.of("java.base", "org.jspecify"))
                                .toList());
    }

    /** Whoever looks on the class path finds the same provider. */
    @ParameterizedTest
    @FieldSource("PUBLISHED")
    void offersTheseServicesWithAndWithoutModules(Shape shape) throws IOException {
        Set<ModuleDescriptor.Provides> provided = module(shape).provides();
        assertThat(provided.stream().map(ModuleDescriptor.Provides::service))
                .containsExactlyInAnyOrderElementsOf(shape.provides());
        for (ModuleDescriptor.Provides each : provided) {
            Path service =
                    classes(shape).resolve("META-INF").resolve("services").resolve(each.service());
            assertThat(Files.readAllLines(service)).isEqualTo(each.providers());
        }
    }

    @ParameterizedTest
    @FieldSource("PUBLISHED")
    void marksEveryPackageForNulls(Shape shape) throws Exception {
        Path classes = classes(shape);
        Set<String> packages = packages(classes);
        assertThat(packages).isNotEmpty();
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            for (String name : packages) {
                assertThat(classes.resolve(name.replace('.', '/')).resolve("package-info.class"))
                        .exists();
                assertThat(loader.loadClass(name + ".package-info").isAnnotationPresent(NullMarked.class))
                        .as(name)
                        .isTrue();
            }
        }
    }

    private static Path classes(Shape shape) {
        return ROOT.resolve(shape.folder()).resolve(CLASSES);
    }

    private static String inOrder(ModuleDescriptor.Exports exported) {
        return exported.source() + (exported.isQualified() ? " to " + new TreeSet<>(exported.targets()) : "");
    }

    private static ModuleDescriptor module(Shape shape) throws IOException {
        try (InputStream in = Files.newInputStream(classes(shape).resolve("module-info.class"))) {
            return ModuleDescriptor.read(in);
        }
    }

    private static Set<String> packages(Path classes) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(file -> classes.relativize(file).getParent())
                    .filter(folder -> folder != null)
                    .map(folder -> folder.toString().replace('/', '.').replace('\\', '.'))
                    .collect(Collectors.toSet());
        }
    }
}
