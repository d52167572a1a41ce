package io.github.untaken.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.servlet.AvailabilityInitializer;
import io.github.untaken.servlet.AvailabilityServletFilter;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers of beans and of servlets that tell one another nothing, in both orders. */
class StartOrderTest {
    private final Tomcat tomcat = new Tomcat();
    private Context context;

    @BeforeEach
    void define(@TempDir Path directory) {
        tomcat.setBaseDir(directory.toString());
        tomcat.getConnector().setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        context = tomcat.addContext("", directory.toString());
        Tomcat.addServlet(context, "rest", new DefaultServlet());
        context.addServletMappingDecoded("/", "rest");
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    private static SeContainer beans() {
        return SeContainerInitializer.newInstance()
                .disableDiscovery()
                .addBeanClasses(CheckerProducer.class, WebApplication.class)
                .initialize();
    }

    private void install() {
        context.addServletContainerInitializer(new AvailabilityInitializer(), Set.of());
    }

    /** As {@code web.xml} does. */
    private void declare() {
        FilterDef filter = new FilterDef();
        filter.setFilterName("availability");
        filter.setFilterClass(AvailabilityServletFilter.class.getName());
        filter.setAsyncSupported("true");
        context.addFilterDef(filter);
        FilterMap mapping = new FilterMap();
        mapping.setFilterName("availability");
        mapping.addURLPattern("/*");
        context.addFilterMap(mapping);
    }

    private HttpResponse<String> ask(String pathAndQuery) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + pathAndQuery);
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofMinutes(1)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    private void answers() throws Exception {
        assertThat(ask("/availability?username=frieda").body()).contains("\"status\":\"taken\"");
    }

    @Test
    void beansFirst() throws Exception {
        install();
        try (SeContainer beans = beans()) {
            tomcat.start();
            answers();
        }
    }

    @Test
    void theFilterFirst() throws Exception {
        install();
        tomcat.start();
        assertThat(ask("/availability?username=frieda").statusCode()).isEqualTo(404);
        try (SeContainer beans = beans()) {
            answers();
        }
    }

    @Test
    void theFilterOfTheDescriptorFirst() throws Exception {
        declare();
        tomcat.start();
        assertThat(ask("/availability?username=frieda").statusCode()).isEqualTo(404);
        try (SeContainer beans = beans()) {
            answers();
        }
    }

    @Test
    void beansBeforeTheFilterOfTheDescriptor() throws Exception {
        declare();
        try (SeContainer beans = beans()) {
            tomcat.start();
            answers();
        }
    }
}
