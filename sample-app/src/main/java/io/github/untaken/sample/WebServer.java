package io.github.untaken.sample;

import io.github.untaken.sample.console.StartupException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.ErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** An embedded Jetty on the loopback interface. What it serves can be replaced while it runs. */
final class WebServer implements AutoCloseable {
    private static final String HOST = "localhost";
    private static final int MOST_THREADS = 64;
    private static final long STOP_MILLIS = 2_000;

    private final Server server;
    /** Bytes; so that a value of 10,000 characters is refused by the endpoint, with a reason, and not by the server. */
    private static final int LONGEST_REQUEST_LINE = 128 * 1024;

    private final ServerConnector connector;
    private final Handler.Wrapper served = new Handler.Wrapper(true);

    /** Filters and servlets, in the order in which they are added. */
    static final class Pages {
        private final ServletContextHandler context = new ServletContextHandler("/");

        Pages() {
            ErrorHandler errors = new ErrorHandler();
            errors.setShowStacks(false);
            context.setErrorHandler(errors);
        }

        Pages filter(String path, Filter filter) {
            FilterHolder holder = new FilterHolder(filter);
            holder.setAsyncSupported(true);
            context.addFilter(holder, path, EnumSet.of(DispatcherType.REQUEST));
            return this;
        }

        Pages servlet(String path, Servlet servlet) {
            context.addServlet(new ServletHolder(servlet), path);
            return this;
        }
    }

    /** @param readsByItself path whose bodies are read as they come, by whoever serves it */
    WebServer(int port, String readsByItself) {
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS);
        threads.setName("http");
        this.server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(LONGEST_REQUEST_LINE);
        this.connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost(HOST);
        connector.setPort(port);
        server.addConnector(connector);
        server.setStopTimeout(STOP_MILLIS);
        WholeForms forms = new WholeForms(readsByItself);
        WholeAnswers answers = new WholeAnswers();
        forms.setHandler(answers);
        answers.setHandler(served);
        server.setHandler(forms);
    }

    /** Listens from now on, with these pages. */
    void start(Pages first) throws StartupException {
        try {
            server.start();
        } catch (IOException e) {
            throw inUse(connector.getPort(), e);
        } catch (Exception e) {
            throw new StartupException("the web server did not start: " + e, e);
        }
        serve(first);
    }

    private static StartupException inUse(int port, IOException cause) {
        return new StartupException(
                "port " + port + " on " + HOST + " cannot be used (" + cause.getMessage()
                        + "); stop what listens there, or choose another by --port, 0 for any free one",
                cause);
    }

    /** Serves these pages from now on; requests under way end with the pages they began with. */
    void serve(Pages next) throws StartupException {
        try {
            next.context.setServer(server);
            next.context.start();
        } catch (Exception e) {
            throw new StartupException("the web server did not start its pages: " + e, e);
        }
        served.setHandler(next.context);
        served.manage(next.context); // or it would outlive the server
    }

    /** The port it listens on. */
    int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            System.getLogger(WebServer.class.getName())
                    .log(System.Logger.Level.WARNING, "The web server did not stop cleanly", e);
        }
    }
}
