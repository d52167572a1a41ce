package io.github.untaken.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;
import org.junit.jupiter.api.Test;

/**
 * What a native image cannot find out by itself is told to it by {@code reachability-metadata.json} of each module. No image is built here:
 * what the code loads, calls by reflection and puts a proxy before is compared with what those files say.
 */
class NativeImageTest {
    private static final Path ROOT = Path.of("..");
    private static final String CLASSES = System.getProperty("classes.folder", "classes");
    private static final Set<String> PUBLISHED = Set.of(
            "membership-filters",
            "plugin-core",
            "servlet-filter",
            "jdbc-integration",
            "jpa-integration",
            "phone-numbers",
            "bean-validation",
            "jakarta-cdi",
            "cluster-postgresql",
            "cluster-mysql",
            "spring-boot",
            "spring-boot3");
    private static final Pattern GLOB = Pattern.compile("\"glob\": *\"([^\"]+)\"");
    private static final Pattern BUNDLE = Pattern.compile("\"bundle\": *\"([^\"]+)\"");
    private static final Pattern TYPE = Pattern.compile("\"type\": *\"([^\"]+)\"");
    private static final Pattern PROXY = Pattern.compile("\"proxy\": *\\[([^]]+)]");

    /** Calls whose target an image must be told of, unless it is a constant that it sees. */
    private static final Map<String, Set<String>> ASKING = Map.of(
            "java.lang.Class",
            Set.of(
                    "forName",
                    "getResource",
                    "getResourceAsStream",
                    "getMethod",
                    "getMethods",
                    "getDeclaredMethod",
                    "getDeclaredMethods",
                    "getField",
                    "getFields",
                    "getDeclaredField",
                    "getDeclaredFields",
                    "getConstructor",
                    "getConstructors",
                    "getDeclaredConstructor",
                    "getDeclaredConstructors"),
            "java.lang.ClassLoader",
            Set.of("loadClass", "getResource", "getResources", "getResourceAsStream"),
            "java.lang.reflect.Proxy",
            Set.of("newProxyInstance"),
            "java.util.ResourceBundle",
            Set.of("getBundle"));

    /** Where such a call is new, the file of its module has to be looked at. */
    @Test
    void everyCallByReflectionIsKnown() throws IOException {
        Set<String> calls = new TreeSet<>();
        for (String module : PUBLISHED) {
            for (JavaClass each : new ClassFileImporter()
                    .importPath(ROOT.resolve(module).resolve("target").resolve(CLASSES))) {
                for (JavaMethodCall call : each.getMethodCallsFromSelf()) {
                    String method = call.getTarget().getName();
                    if (ASKING.getOrDefault(call.getTargetOwner().getName(), Set.of())
                            .contains(method)) {
                        calls.add(module + ": " + each.getSimpleName() + " " + method);
                    }
                }
            }
        }
        assertThat(calls)
                .containsExactly(
                        "jakarta-cdi: CheckerProducer forName",
                        "jdbc-integration: ConnectionHandler newProxyInstance",
                        "jdbc-integration: WatchingFactory newProxyInstance",
                        "jpa-integration: AnnotatedMembers getDeclaredFields", // of entities, as their provider needs
                        // them, too
                        "jpa-integration: AnnotatedMembers getDeclaredMethods",
                        "jpa-integration: AttributeReader getDeclaredFields",
                        "jpa-integration: AttributeReader getDeclaredMethods",
                        "jpa-integration: ConstrainedEntities getDeclaredFields",
                        "jpa-integration: ConstrainedEntities getDeclaredMethods",
                        "jpa-integration: Cursor getMethod", // of EclipseLink, which weaves classes and has no place in
                        // an image
                        "jpa-integration: EclipseLinkListeners getMethod",
                        "jpa-integration: HibernateIdentifiers getMethod", // a constant, which an image sees
                        "jpa-integration: JpaIdentifiers forName",
                        "jpa-integration: MappedColumn getField",
                        "jpa-integration: Proxied getMethods", // of services in which Hibernate looks for the same
                        // annotation
                        "jpa-integration: Proxied newProxyInstance",
                        "phone-numbers: LibraryVersion getResource",
                        "plugin-core: Listed getResourceAsStream",
                        "servlet-filter: Language getResourceAsStream",
                        "servlet-filter: ServedFile getResourceAsStream",
                        "spring-boot: EntitySources getDeclaredFields",
                        "spring-boot: EntitySources getDeclaredMethods",
                        "spring-boot: MigratingDataSource newProxyInstance");
    }

    @Test
    void everyResourceIsNamed() throws IOException {
        for (String module : PUBLISHED) {
            Path resources = ROOT.resolve(module).resolve("src/main/resources");
            Set<String> loaded = new TreeSet<>();
            if (Files.exists(resources)) {
                try (Stream<Path> files = Files.walk(resources)) {
                    files.filter(Files::isRegularFile)
                            .map(file -> resources.relativize(file).toString())
                            .filter(NativeImageTest::isOurs)
                            .forEach(loaded::add);
                }
            }
            Set<String> globs = named(module, GLOB);
            Set<String> bundles = named(module, BUNDLE);
            assertThat(loaded)
                    .as(module)
                    .allMatch(file -> globs.stream().anyMatch(glob -> matches(glob, file))
                            || bundles.stream().anyMatch(file::startsWith));
            assertThat(globs)
                    .as(module)
                    .allMatch(glob -> loaded.stream().anyMatch(file -> matches(glob, file)) || isThere(glob));
            assertThat(bundles)
                    .as(module)
                    .allMatch(bundle -> loaded.stream().anyMatch(file -> file.startsWith(bundle)));
        }
    }

    /** But for those that an image, CDI or Spring knows by themselves. */
    private static boolean isOurs(String file) {
        return !file.startsWith("META-INF/") || file.startsWith("META-INF/io.github.untaken/");
    }

    private static boolean matches(String glob, String file) {
        return FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(Path.of(file));
    }

    @Test
    void everyTypeIsThere() throws IOException {
        for (String module : PUBLISHED) {
            assertThat(named(module, TYPE)).as(module).allMatch(type -> isThere(type.replace('.', '/') + ".class"));
        }
    }

    private static boolean isThere(String name) {
        return NativeImageTest.class.getClassLoader().getResource(name) != null;
    }

    @Test
    void everyProxyOfAConnectionIsNamed() throws Exception {
        JdbcDataSource pool = new JdbcDataSource();
        pool.setURL("jdbc:h2:mem:native");
        Set<String> made = new TreeSet<>();
        try (var unwatched = pool.getConnection();
                var table = unwatched.createStatement()) {
            table.execute("create table account (id int auto_increment primary key, username varchar(40) unique)");
            var watched = WatchedDataSource.of(pool, JdbcIdentifiers.table(pool, "account", "username"));
            try (var connection = watched.getConnection();
                    var statement = connection.createStatement();
                    var prepared = connection.prepareStatement("insert into account (username) values (?)", 1);
                    var call = connection.prepareCall("call 1")) {
                prepared.setString(1, "alice");
                prepared.executeUpdate();
                for (Object each : List.of(
                        connection,
                        connection.getMetaData(),
                        statement,
                        prepared,
                        call,
                        statement.executeQuery("select username from account"),
                        prepared.getGeneratedKeys())) {
                    proxy(each).ifPresent(made::add);
                }
            }
        }
        assertThat(named("jdbc-integration", PROXY)).containsExactlyInAnyOrderElementsOf(made);
    }

    @Test
    void everyProxyOfAServiceOfHibernateIsNamed() throws IOException {
        Set<String> made = new TreeSet<>();
        JdbcDataSource pool = new JdbcDataSource();
        pool.setURL("jdbc:h2:mem:native");
        for (Map<String, Object> settings : List.<Map<String, Object>>of(
                Map.of("hibernate.connection.datasource", pool),
                Map.of("hibernate.connection.url", "jdbc:h2:mem:native"),
                Map.of("hibernate.connection.datasource", pool, "hibernate.transaction.coordinator_class", "jta"))) {
            try (var registry =
                    new StandardServiceRegistryBuilder().applySettings(settings).build()) {
                proxy(registry.getService(ConnectionProvider.class)).ifPresent(made::add);
                proxy(registry.getService(TransactionCoordinatorBuilder.class)).ifPresent(made::add);
            }
        }
        assertThat(named("jpa-integration", PROXY)).containsExactlyInAnyOrderElementsOf(made);
    }

    private static Optional<String> proxy(Object made) {
        return Proxy.isProxyClass(made.getClass())
                ? Optional.of(Arrays.stream(made.getClass().getInterfaces())
                        .map(Class::getName)
                        .collect(Collectors.joining(" ")))
                : Optional.empty();
    }

    /** Interfaces of a proxy with blanks between them. */
    private static Set<String> named(String module, Pattern what) throws IOException {
        Path folder = ROOT.resolve(module).resolve("src/main/resources/META-INF/native-image/io.github.untaken");
        if (!Files.exists(folder)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            Path file = files.filter(Files::isRegularFile).findFirst().orElseThrow();
            return what.matcher(Files.readString(file))
                    .results()
                    .map((MatchResult found) ->
                            found.group(1).replaceAll("[\", \n]+", " ").strip())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
