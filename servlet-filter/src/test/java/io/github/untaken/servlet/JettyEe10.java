package io.github.untaken.servlet;

import jakarta.servlet.ServletContext;
import java.util.function.Consumer;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty 12.1 with Servlet 6.0. */
final class JettyEe10 {
    private JettyEe10() {}

    static Container.Running start(Consumer<ServletContext> application, int idleMillis) throws Exception {
        Server server = new Server(new QueuedThreadPool(Container.THREADS));
        HttpConfiguration http = new HttpConfiguration();
        HTTP2CServerConnectionFactory http2 = new HTTP2CServerConnectionFactory(http);
        http2.setStreamIdleTimeout(idleMillis);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http), http2);
        connector.setHost("127.0.0.1");
        connector.setPort(0);
        connector.setIdleTimeout(idleMillis);
        server.addConnector(connector);
        ServletContextHandler handler =
                new ServletContextHandler(Container.CONTEXT_PATH, ServletContextHandler.SESSIONS);
        handler.addServletContainerInitializer((classes, context) -> application.accept(context));
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        errors.addErrorPage(Container.STATUS_WITH_PAGE, Container.ERROR_PAGE);
        handler.setErrorHandler(errors);
        server.setHandler(handler);
        try {
            server.start();
        } catch (Exception e) {
            server.stop();
            throw e;
        }
        return new Container.Running(connector.getLocalPort(), server::stop);
    }
}
