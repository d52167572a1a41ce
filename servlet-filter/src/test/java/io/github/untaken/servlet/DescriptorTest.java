package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.test.log.LoggedLines;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A web application on disk, with this module as a jar in {@code WEB-INF/lib} and a {@code web.xml}, as Tomcat deploys it. */
class DescriptorTest {
    private static final Path CLASSES = Path.of(URI.create(AvailabilityServletFilter.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .toString()));
    private static final String SERVICE = "META-INF/services/jakarta.servlet.ServletContainerInitializer";

    private static final String DECLARED = """
            <filter>
              <filter-name>NAME</filter-name>
              <filter-class>io.github.untaken.servlet.AvailabilityServletFilter</filter-class>
              <async-supported>true</async-supported>
              <init-param>
                <param-name>untaken.path</param-name>
                <param-value>/free</param-value>
              </init-param>
            </filter>
            <filter-mapping>
              <filter-name>NAME</filter-name>
              <url-pattern>/*</url-pattern>
              <dispatcher>REQUEST</dispatcher>
              <dispatcher>ASYNC</dispatcher>
            </filter-mapping>
            """;

    private static final String SWITCHED_OFF = """
            <context-param>
              <param-name>untaken.auto-install</param-name>
              <param-value>false</param-value>
            </context-param>
            """;

    @TempDir
    private Path directory;

    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
    }

    /** The tests' class path without this module, so that what is found is found in the jar. */
    private static final class WithoutThisModule extends ClassLoader {
        WithoutThisModule() {
            super(DescriptorTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.github.untaken.servlet.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals(SERVICE) ? Collections.emptyEnumeration() : super.getResources(name);
        }
    }

    private static void jar(Path into) throws IOException {
        try (OutputStream out = Files.newOutputStream(into);
                JarOutputStream jar = new JarOutputStream(out);
                Stream<Path> files = Files.walk(CLASSES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(
                        new JarEntry(CLASSES.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, jar);
            }
        }
    }

    private Container.Running deploy(String descriptor) throws Exception {
        Path application = directory.resolve("application");
        Path lib = Files.createDirectories(application.resolve("WEB-INF/lib"));
        jar(lib.resolve("servlet-filter.jar"));
        Files.writeString(application.resolve("hello.txt"), "hello");
        Files.writeString(application.resolve("WEB-INF/web.xml"), """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                """ + descriptor + """
                  <servlet>
                    <servlet-name>files</servlet-name>
                    <servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class>
                  </servlet>
                  <servlet-mapping>
                    <servlet-name>files</servlet-name>
                    <url-pattern>/</url-pattern>
                  </servlet-mapping>
                </web-app>
                """);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.setSilent(true);
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        StandardContext context = new StandardContext();
        context.setPath(Container.CONTEXT_PATH);
        context.setDocBase(application.toString());
        context.setParentClassLoader(new WithoutThisModule());
        // The parent's class path is the tests'; it is not searched for annotated classes.
        StandardJarScanner scanner = new StandardJarScanner();
        scanner.setScanClassPath(false);
        context.setJarScanner(scanner);
        ContextConfig config = new ContextConfig();
        config.setDefaultWebXml(tomcat.noDefaultWebXmlPath());
        context.addLifecycleListener(config);
        context.addServletContainerInitializer(
                (classes, made) -> made.setAttribute(AvailabilityServletFilter.CHECKER_ATTRIBUTE, checker), null);
        tomcat.getHost().addChild(context);
        tomcat.start();
        assertThat(context.getState().isAvailable()).isTrue();
        return new Container.Running(tomcat.getConnector().getLocalPort(), () -> {
            tomcat.stop();
            tomcat.destroy();
        });
    }

    private static HttpResponse<String> get(Container.Running server, String pathAndQuery) {
        try {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(server.uri(pathAndQuery))
                                    .timeout(Duration.ofMinutes(1))
                                    .build(),
                            BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theJarAloneIsEnough() throws Exception {
        try (Container.Running server = deploy("")) {
            assertThat(get(server, "/availability?username=Alice").body())
                    .isEqualTo("{\"field\":\"username\",\"value\":\"alice\",\"status\":\"taken\",\"available\":false}");
            assertThat(get(server, "/hello.txt").body()).isEqualTo("hello");
        }
    }

    @Test
    void theJarAloneDoesNothingWhereItIsSwitchedOff() throws Exception {
        try (Container.Running server = deploy(SWITCHED_OFF)) {
            assertThat(get(server, "/availability?username=alice").statusCode()).isEqualTo(404);
            assertThat(get(server, "/hello.txt").body()).isEqualTo("hello");
        }
    }

    @Test
    void aDeclaredFilterWorksWithItsInitParametersAndAlone() throws Exception {
        try (LoggedLines logged = new LoggedLines();
                Container.Running server = deploy(DECLARED.replace("NAME", "availability"))) {
            assertThat(get(server, "/free?username=alice").body()).contains("\"status\":\"taken\"");
            assertThat(get(server, "/availability?username=alice").statusCode()).isEqualTo(404);
            assertThat(logged.warnings("more than once")).isEmpty();
        }
    }

    @Test
    void twoDeclaredFiltersWorkAsOneAndOneWarningSaysSo() throws Exception {
        try (LoggedLines logged = new LoggedLines();
                Container.Running server = deploy(DECLARED.replace("NAME", "one") + DECLARED.replace("NAME", "two"))) {
            for (String name : List.of("alice", "zoe")) {
                assertThat(get(server, "/free?username=" + name).statusCode()).isEqualTo(200);
            }
            assertThat(logged.warnings("more than once")).hasSize(1);
        }
    }
}
