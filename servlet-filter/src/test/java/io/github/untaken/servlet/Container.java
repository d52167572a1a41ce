package io.github.untaken.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The servlet containers the tests run on, each on a free loopback port with one application at {@code /app}. */
enum Container {
    JETTY {
        @Override
        Running start(Consumer<ServletContext> application) throws Exception {
            Server server = new Server();
            ServerConnector connector = new ServerConnector(server);
            connector.setHost("127.0.0.1");
            connector.setPort(0);
            server.addConnector(connector);
            ServletContextHandler handler = new ServletContextHandler(CONTEXT_PATH);
            handler.addServletContainerInitializer((classes, context) -> application.accept(context));
            ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
            errors.addErrorPage(STATUS_WITH_PAGE, ERROR_PAGE);
            handler.setErrorHandler(errors);
            server.setHandler(handler);
            try {
                server.start();
            } catch (Exception e) {
                server.stop();
                throw e;
            }
            return new Running(connector.getLocalPort(), server::stop);
        }
    },
    TOMCAT {
        @Override
        Running start(Consumer<ServletContext> application) throws Exception {
            Path work = Files.createTempDirectory("tomcat");
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(work.toString());
            tomcat.setSilent(true);
            tomcat.setPort(0);
            tomcat.getConnector().setProperty("address", "127.0.0.1");
            Context context = tomcat.addContext(CONTEXT_PATH, work.toString());
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

    static final String CONTEXT_PATH = "/app";

    /** The one status whose errors are dispatched to {@link #ERROR_PAGE}. */
    static final int STATUS_WITH_PAGE = 555;

    static final String ERROR_PAGE = "/errorpage";

    abstract Running start(Consumer<ServletContext> application) throws Exception;

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
