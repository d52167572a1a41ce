package io.github.untaken.cdi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.servlet.AvailabilityInitializer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.jboss.weld.environment.servlet.EnhancedListener;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real container of servlets, with Weld in it, and the filter that installs itself. */
@Tag("ci")
class ServletContextTest {

    @Test
    void theFilterAnswersFromTheCheckerOfTheContainer(@TempDir Path directory) throws Exception {
        application(directory.resolve("WEB-INF"));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.getConnector().setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", directory.toString());
        context.addServletContainerInitializer(new EnhancedListener(), Set.of());
        context.addServletContainerInitializer(new AvailabilityInitializer(), Set.of());
        Tomcat.addServlet(context, "rest", new DefaultServlet());
        context.addServletMappingDecoded("/", "rest");
        try {
            tomcat.start();
            URL url = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort()
                            + "/availability?username=frieda")
                    .toURL();
            try (InputStream answer = url.openStream()) {
                assertThat(new String(answer.readAllBytes(), UTF_8)).contains("\"status\":\"taken\"");
            }
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    /** The classes of a web application are those in this folder. */
    private static void application(Path folder) throws IOException {
        String name = WebApplication.class.getName().replace('.', '/') + ".class";
        Path copy = folder.resolve("classes").resolve(name);
        Files.createDirectories(copy.getParent());
        try (InputStream code = WebApplication.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(code, copy);
        }
        Files.createFile(folder.resolve("beans.xml"));
    }
}
