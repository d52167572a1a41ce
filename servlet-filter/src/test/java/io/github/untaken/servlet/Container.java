package io.github.untaken.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.ErrorPage;

/**
 * The servlet containers the tests run on, each on a free loopback port with one application at {@code /app}. They speak
 * HTTP/1.1 and, without TLS, HTTP/2.
 */
enum Container {
    JETTY {
        @Override
        Running start(Consumer<ServletContext> application, int idleMillis) throws Exception {
            return OLDER ? JettyEe10.start(application, idleMillis) : JettyEe11.start(application, idleMillis);
        }
    },
    TOMCAT {
        @Override
        Running start(Consumer<ServletContext> application, int idleMillis) throws Exception {
            Path work = Files.createTempDirectory(Files.createDirectories(Path.of("target", "tomcat")), "")
                    .toAbsolutePath();
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(work.toString());
            tomcat.setSilent(true);
            // Tomcats of one name that start at a time take each other's names in JMX.
            tomcat.getEngine().setName("Tomcat " + UUID.randomUUID());
            tomcat.setPort(0);
            tomcat.getConnector().setProperty("address", "127.0.0.1");
            tomcat.getConnector().setProperty("maxThreads", Integer.toString(THREADS));
            tomcat.getConnector().setProperty("connectionTimeout", Integer.toString(idleMillis));
            Http2Protocol http2 = new Http2Protocol();
            http2.setReadTimeout(idleMillis);
            http2.setStreamReadTimeout(idleMillis);
            http2.setKeepAliveTimeout(idleMillis);
            tomcat.getConnector().addUpgradeProtocol(http2);
            Context context = tomcat.addContext(CONTEXT_PATH, work.toString());
            // Else each stop waits for asynchronous requests that threw, which Tomcat counts as still running.
            ((StandardContext) context).setUnloadDelay(100);
            // Without any servlet at / Tomcat answers 404 before the filters.
            Tomcat.addServlet(context, "default", new DefaultServlet());
            context.addServletMappingDecoded("/", "default");
            ErrorPage page = new ErrorPage();
            page.setErrorCode(STATUS_WITH_PAGE);
            page.setLocation(ERROR_PAGE);
            context.addErrorPage(page);
            context.addServletContainerInitializer((classes, made) -> application.accept(made), null);
            tomcat.start();
            if (!context.getState().isAvailable()) {
                tomcat.stop();
                tomcat.destroy();
                throw new IllegalStateException("the application did not start");
            }
            return new Running(tomcat.getConnector().getLocalPort(), () -> {
                tomcat.stop();
                tomcat.destroy();
            });
        }
    };

    /** Whether this is the run on containers of Servlet 6.0, Jetty's ee10 and Tomcat 10.1; else they are those of 6.1. */
    static final boolean OLDER = "6.0".equals(System.getProperty("test.servlet"));

    /** How long a connection may be silent: longer than any thread of a test is kept from its processor. */
    private static final int PATIENT_MILLIS = 30_000;

    static final String CONTEXT_PATH = "/app";

    /** How many there are for requests, fewer than by default: tests that hold one too many are quicker. */
    static final int THREADS = 64;

    /** The one status whose errors are dispatched to {@link #ERROR_PAGE}. */
    static final int STATUS_WITH_PAGE = 555;

    static final String ERROR_PAGE = "/errorpage";

    /** @param idleMillis how long a connection may be silent before the container closes it */
    abstract Running start(Consumer<ServletContext> application, int idleMillis) throws Exception;

    Running start(Consumer<ServletContext> application) throws Exception {
        return start(application, PATIENT_MILLIS);
    }

    interface Stop {
        void stop() throws Exception;
    }

    /** A container that answers. */
    record Running(int port, Stop stop) implements AutoCloseable {

        /** Of a raw path and query within the application. */
        URI uri(String rawPathAndQuery) {
            return URI.create("http://127.0.0.1:" + port + CONTEXT_PATH + rawPathAndQuery);
        }

        @Override
        public void close() throws Exception {
            stop.stop();
        }
    }

    /** Maps a filter to everything, in every dispatch. */
    static void everywhere(ServletContext context, String name, Filter filter) {
        var registration = context.addFilter(name, filter);
        registration.setAsyncSupported(true);
        registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
    }

    static void serve(ServletContext context, String pattern, HttpServlet servlet) {
        var registration = context.addServlet("at " + pattern, servlet);
        registration.setAsyncSupported(true);
        registration.addMapping(pattern);
    }
}
