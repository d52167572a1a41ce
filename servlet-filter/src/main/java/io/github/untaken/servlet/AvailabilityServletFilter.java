package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Answers availability checks over HTTP, and passes every other request on to the application unchanged.
 *
 * <p>Asked by {@code GET /availability?username=alice}, or by POST with the same field in a form body, it answers
 *
 * <pre>{@code
 * {"field":"username","value":"alice","status":"available","available":true}
 * }</pre>
 *
 * <p>{@code value} is the normalised form; {@code status} is one of available, taken, reserved and invalid, the last with a
 * {@code reason}. Several fields in one request are answered as {@code {"results":[...]}}. Where nobody can say, the answer
 * is 503, never "available". Errors are {@code application/problem+json} (RFC 9457).
 *
 * <p>In applications without JPA it also keeps the checker up to date from their requests, in the order of preference: the
 * application calls {@link AvailabilityChecker#registrations} itself; it sets the request attribute {@link
 * #REGISTERED_ATTRIBUTE} or {@link #RELEASED_ATTRIBUTE}; or a {@link WatchRule} says where in the request the identifier
 * stands.
 *
 * <p>Map it to {@code /*} for the dispatcher types REQUEST and ASYNC, with asynchronous support on, before any filter that
 * reads request parameters: such a filter leaves no form body for the endpoint. More dispatcher types, or a second filter
 * of this class, do no harm. A check may block for the recheck timeout of the checker, one second by default. Thread-safe.
 * Does not close the checker.
 */
public final class AvailabilityServletFilter implements Filter {

    /** The attribute of the ServletContext in which {@link #AvailabilityServletFilter()} finds the checker. */
    public static final String CHECKER_ATTRIBUTE = "io.github.untaken.AvailabilityChecker";

    /**
     * With the name of a kind appended, the attribute of a request that has registered an identifier: a {@code String}, or
     * an {@code Iterable} or array of them. Read when the request is over, and then looked up in the store. Set it before
     * the commit: it does no harm if the commit fails.
     */
    public static final String REGISTERED_ATTRIBUTE = "io.github.untaken.registered.";

    /** As {@link #REGISTERED_ATTRIBUTE}, of a request that has freed an identifier. */
    public static final String RELEASED_ATTRIBUTE = "io.github.untaken.released.";

    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    private record Parts(AvailabilityEndpoint endpoint, RegistrationWatcher watcher) {}

    private final ServletFilterSettings settings;
    private final FaultLog faults = new FaultLog();
    private volatile @Nullable Parts parts;

    /** Takes the checker from the ServletContext attribute {@link #CHECKER_ATTRIBUTE}; settings are the defaults. */
    public AvailabilityServletFilter() {
        this(ServletFilterSettings.defaults());
    }

    /** Takes the checker from the ServletContext attribute {@link #CHECKER_ATTRIBUTE}. */
    public AvailabilityServletFilter(ServletFilterSettings settings) {
        this.settings = settings;
    }

    /**
     * With default settings.
     *
     * @throws IllegalStateException if the checker has a kind phone or email, which needs settings
     */
    public AvailabilityServletFilter(AvailabilityChecker checker) {
        this(checker, ServletFilterSettings.defaults());
    }

    /**
     * With everything given.
     *
     * @throws IllegalStateException if a kind would be served with less protection than its {@link KindMode} needs
     * @throws IllegalArgumentException if the settings name a kind the checker does not know, or do not fit each other
     */
    public AvailabilityServletFilter(AvailabilityChecker checker, ServletFilterSettings settings) {
        this.settings = settings;
        this.parts = assemble(checker);
    }

    private Parts assemble(AvailabilityChecker checker) {
        settings.warnings(settings.served(checker.kinds()).values())
                .forEach(sentence -> LOG.log(Level.WARNING, sentence));
        return new Parts(
                new AvailabilityEndpoint(checker, settings, faults),
                new RegistrationWatcher(checker, settings.watchRules(), faults));
    }

    /**
     * @throws ServletException if there is no checker
     * @throws IllegalStateException if a kind would be served with less protection than its {@link KindMode} needs
     * @throws IllegalArgumentException if the settings name a kind the checker does not know, or do not fit each other
     */
    @Override
    public void init(FilterConfig config) throws ServletException {
        if (parts == null) {
            if (!(config.getServletContext().getAttribute(CHECKER_ATTRIBUTE) instanceof AvailabilityChecker checker)) {
                throw new ServletException("the ServletContext attribute " + CHECKER_ATTRIBUTE
                        + " must hold an AvailabilityChecker before this filter starts; set it in a"
                        + " ServletContextListener, or give the checker to the constructor");
            }
            parts = assemble(checker);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Parts ready = parts;
        if (ready == null) {
            throw new ServletException("the filter was not initialised");
        }
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        String path = path(http);
        if (path != null
                && ready.endpoint().serves(path)
                && http.getDispatcherType() != DispatcherType.INCLUDE
                && http.getDispatcherType() != DispatcherType.ERROR) {
            ready.endpoint().handle(http, answer);
        } else {
            ready.watcher().pass(http, path, answer, chain);
        }
    }

    /** The path as the container mapped it: within the application, decoded, without path parameters. */
    private @Nullable String path(HttpServletRequest request) {
        try {
            String info = request.getPathInfo();
            return info == null ? request.getServletPath() : request.getServletPath() + info;
        } catch (RuntimeException fault) {
            // Jetty refuses to decode some paths it was told to let through; they are none of ours.
            faults.note("The path of a request could not be read", fault);
            return null;
        }
    }
}
