package io.github.untaken.benchmarks.http;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.benchmarks.PeopleDatabase;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.servlet.AvailabilityServletFilter;
import jakarta.servlet.DispatcherType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongSupplier;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A Jetty with everything that is compared, each in a web application of its own, and the databases they read. */
final class CheckServer implements AutoCloseable {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    static final String ECHO = "echo";
    static final String NEGATIVE = "negative";
    private static final String ENDPOINT = "/availability";
    private static final int NOBODY_WAITS_SO_LONG_MILLIS = 600_000;

    /** Never raised, so that a client that asks for taken names only is no news. */
    private static final int NO_ALARM = Integer.MAX_VALUE;

    private final List<Subject> subjects = new ArrayList<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final ContextHandlerCollection applications = new ContextHandlerCollection();
    private final ServerConnector connector;

    CheckServer(List<String> engines, int rows) throws Exception {
        // Threads that do not come and go: what one has allocated is forgotten when it ends.
        Server server = new Server(new QueuedThreadPool(64, 64));
        connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(NOBODY_WAITS_SO_LONG_MILLIS);
        server.addConnector(connector);
        server.setHandler(applications);
        try {
            add("echo", new ServletHolder(new EchoServlet()));
            subjects.add(new Subject(ECHO, "/echo" + ENDPOINT, false, () -> 0));
            subjects.add(new Subject("echo again", "/echo" + ENDPOINT, false, () -> 0));
            for (String engine : engines) {
                add(engine, rows);
            }
            opened.push(server::stop);
            server.start();
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    private void add(String engine, int rows) throws Exception {
        PeopleDatabase people = PeopleDatabase.withSmallCache(engine, rows);
        opened.push(people);
        AvailabilityChecker checker = AvailabilityChecker.builder()
                .source(people.identifiers())
                .recheckTimeout(Duration.ofMinutes(1)) // a busy machine is slow, and no outage
                .build();
        opened.push(checker);
        while (checker.state(USERNAME) != KindState.READY) {
            Thread.sleep(10);
        }
        ServletContextHandler ours = new ServletContextHandler("/" + engine);
        FilterHolder filter = new FilterHolder(new AvailabilityServletFilter(checker, unlimited()));
        filter.setAsyncSupported(true);
        ours.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        applications.addHandler(ours);
        DatabaseServlet reading = new DatabaseServlet(people.pool());
        add(engine + "-read", new ServletHolder(reading));
        String path = "/" + engine + ENDPOINT;
        LongSupplier ourReads = () -> checker.stats(USERNAME).reads().made();
        if (subjects.stream().noneMatch(subject -> subject.name().equals(NEGATIVE))) { // no matter on which database
            subjects.add(new Subject(NEGATIVE, path, false, ourReads));
        }
        subjects.add(new Subject("positive, " + engine, path, true, ourReads));
        subjects.add(new Subject("read, free, " + engine, "/" + engine + "-read" + ENDPOINT, false, reading::reads));
        subjects.add(new Subject("read, taken, " + engine, "/" + engine + "-read" + ENDPOINT, true, reading::reads));
    }

    private void add(String context, ServletHolder servlet) {
        ServletContextHandler application = new ServletContextHandler("/" + context);
        application.addServlet(servlet, ENDPOINT);
        applications.addHandler(application);
    }

    /** What is in the way of a single client that asks as fast as it can, taken out of it. */
    private static EndpointSettings unlimited() {
        return EndpointSettings.builder()
                .limiter(ClientLimiter.unlimited())
                .recheckLimit(60_000_000, 1_000_000)
                .sweepAlarm(NO_ALARM, 1, Duration.ofMinutes(1))
                .build();
    }

    int port() {
        return connector.getLocalPort();
    }

    /** The echo, the same once more to see what noise there is, and what is compared with it. */
    List<Subject> subjects() {
        return List.copyOf(subjects);
    }

    /** The last opened first; all of it, even if some fails. */
    @Override
    public void close() throws Exception {
        Exception failure = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
