package io.github.untaken.sample;

import io.github.untaken.sample.console.StartupException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.ErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** An embedded Jetty on the loopback interface. */
final class WebServer implements AutoCloseable {
    private static final String HOST = "localhost";
    private static final int MOST_THREADS = 64;
    private static final long STOP_MILLIS = 2_000;

    private final Server server;
    /** Bytes; so that a value of 10,000 characters is refused by the endpoint, with a reason, and not by the server. */
    private static final int LONGEST_REQUEST_LINE = 128 * 1024;

    private final ServerConnector connector;
    private final ServletContextHandler context = new ServletContextHandler("/");

    WebServer(int port) {
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
        ErrorHandler errors = new ErrorHandler();
        errors.setShowStacks(false);
        context.setErrorHandler(errors);
        server.setHandler(context);
    }

    /** Says at once what would otherwise be said after minutes of seeding. */
    static void requireFree(int port) throws StartupException {
        if (port == 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(HOST), port));
        } catch (IOException e) {
            throw inUse(port, e);
        }
    }

    private static StartupException inUse(int port, IOException cause) {
        return new StartupException(
                "port " + port + " on " + HOST + " cannot be used (" + cause.getMessage()
                        + "); stop what listens there, or choose another by --port, 0 for any free one",
                cause);
    }

    WebServer filter(String path, Filter filter) {
        FilterHolder holder = new FilterHolder(filter);
        holder.setAsyncSupported(true);
        context.addFilter(holder, path, EnumSet.of(DispatcherType.REQUEST));
        return this;
    }

    WebServer servlet(String path, Servlet servlet) {
        context.addServlet(new ServletHolder(servlet), path);
        return this;
    }

    void start() throws StartupException {
        try {
            server.start();
        } catch (IOException e) {
            throw inUse(connector.getPort(), e);
        } catch (Exception e) {
            throw new StartupException("the web server did not start: " + e, e);
        }
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
                    .log(System.Logger.Level.WARNING, "The web server did not stop in good order", e);
        }
    }
}
