package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.AvailabilityEndpoint;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointStats;
import io.github.untaken.http.KindMode;
import io.github.untaken.http.SettingKeys;
import io.github.untaken.http.WatchRule;
import io.github.untaken.servlet.exchange.ContainerBodies;
import io.github.untaken.servlet.exchange.ServletCheckRequest;
import io.github.untaken.servlet.exchange.ServletExchange;
import io.github.untaken.servlet.watch.RegistrationWatcher;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
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
 * <p>{@code value} is the normalised form; {@code status} is one of available, taken, reserved and invalid, the last with a {@code reason}.
 * Several fields in one request are answered as {@code {"results":[...]}}. If nobody can say, the answer is 503, never "available". Errors
 * are {@code application/problem+json} (RFC 9457).
 *
 * <p>In applications without JPA it also keeps the checker up to date from their requests, in order of preference: the application calls
 * {@link AvailabilityChecker#registrations} itself; it sets the request attribute {@link #REGISTERED_ATTRIBUTE}; or a {@link WatchRule}
 * says where in the request the identifier stands.
 *
 * <p>Map it to {@code /*} for the dispatcher types REQUEST and ASYNC, with asynchronous support on, before any filter that reads request
 * parameters. Form bodies are then read without holding a thread. If asynchronous support is off, or the body was read before, the
 * container's parameters are used, which may block. More dispatcher types do no harm, nor does a second filter of this class: of those in
 * one application that share a checker, one works. A check may block for the checker's recheck timeout, one second by default; a setting
 * bounds how many do so at one time. Thread-safe. Does not close the checker.
 */
public final class AvailabilityServletFilter implements Filter {

    /** The ServletContext attribute in which {@link #AvailabilityServletFilter()} finds the checker. */
    public static final String CHECKER_ATTRIBUTE = "io.github.untaken.AvailabilityChecker";

    /**
     * With the name of a kind appended, the attribute of a request that registers an identifier: a {@code String}, or an {@code Iterable}
     * or array of them. Set it before the commit, on the request the application was given: from then on the store is asked about the
     * identifier, and once more when the request is over. It does no harm if the commit fails.
     */
    public static final String REGISTERED_ATTRIBUTE = RegistrationWatcher.REGISTERED_ATTRIBUTE;

    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    /** The endpoint is absent if it is switched off. */
    private record Parts(Optional<AvailabilityEndpoint> endpoint, RegistrationWatcher watcher) {}

    private final @Nullable AvailabilityChecker given;
    private final @Nullable EndpointSettings settings;
    private final boolean automatic;
    private final ContainerBodies otherBodies = new ContainerBodies();
    private final FaultLog faults = new FaultLog("io.github.untaken.servlet");
    private volatile @Nullable Parts parts;
    private volatile @Nullable DeclaredFilters joined;
    private volatile @Nullable FilterStart waiting;
    private volatile boolean aside;

    /**
     * For a deployment descriptor. Takes the checker from the ServletContext attribute {@link #CHECKER_ATTRIBUTE}, or else from a
     * {@link io.github.untaken.CheckerLookup} such as that of {@code untaken-cdi}. Takes the settings from init parameters named as in
     * {@link SettingKeys}: the filter's own, or else the ServletContext's.
     */
    public AvailabilityServletFilter() {
        this(null, null, false);
    }

    /** Takes the checker from the same places as {@link #AvailabilityServletFilter()}. */
    public AvailabilityServletFilter(EndpointSettings settings) {
        this(null, settings, false);
    }

    private AvailabilityServletFilter(
            @Nullable AvailabilityChecker given, @Nullable EndpointSettings settings, boolean automatic) {
        this.given = given;
        this.settings = settings;
        this.automatic = automatic;
    }

    /** A filter that nobody declared: it is idle without a checker, and stands aside for a declared one. */
    static AvailabilityServletFilter installedAutomatically() {
        return new AvailabilityServletFilter(null, null, true);
    }

    /**
     * With default settings.
     *
     * @throws IllegalStateException if the checker has a kind phone or email, which needs settings
     */
    public AvailabilityServletFilter(AvailabilityChecker checker) {
        this(checker, EndpointSettings.defaults());
    }

    /**
     * With everything given.
     *
     * @throws IllegalStateException if a kind would be served with less protection than its {@link KindMode} needs
     * @throws IllegalArgumentException if the settings name a kind the checker does not know, or do not fit each other
     */
    public AvailabilityServletFilter(AvailabilityChecker checker, EndpointSettings settings) {
        this(checker, settings, false);
        this.parts = assemble(checker, settings);
    }

    private Parts assemble(AvailabilityChecker checker, EndpointSettings with) {
        RegistrationWatcher watcher = new RegistrationWatcher(
                checker, with.watchRules().stream().map(WatchRule::rule).toList(), faults);
        if (!with.endpointEnabled()) {
            LOG.log(
                    Level.INFO,
                    "The availability endpoint is switched off by endpointEnabled(...) (" + SettingKeys.ENDPOINT_ENABLED
                            + ")");
            return new Parts(Optional.empty(), watcher);
        }
        return new Parts(Optional.of(new AvailabilityEndpoint(checker, with, faults)), watcher);
    }

    /**
     * What the endpoint has done so far. Empty if it is switched off, or if this filter has not started, or no longer works because another
     * one does. Does not block.
     */
    public Optional<EndpointStats> stats() {
        Parts ready = parts;
        return ready == null || aside ? Optional.empty() : ready.endpoint().map(AvailabilityEndpoint::stats);
    }

    /**
     * If a lookup has no checker yet, or the filter was installed automatically, requests are passed on until there is one.
     *
     * @throws ServletException if there is no checker and none can come, or settings are given both in code and in init parameters
     * @throws IllegalStateException if a kind would be served with less protection than its {@link KindMode} needs
     * @throws IllegalArgumentException if an init parameter under our prefix is unknown or has no good value, the settings name a kind the
     *     checker does not know, or they do not fit each other
     */
    @Override
    public void init(FilterConfig config) throws ServletException {
        FilterStart start = FilterStart.of(config, given);
        if (settings != null) {
            refuseTwoPlaces(start.parameters());
        }
        Optional<AvailabilityChecker> found = start.checker();
        if (found.isPresent()) {
            begin(found.get(), start);
        } else if (automatic || !start.lookups().isEmpty()) {
            waiting = start;
            LOG.log(
                    Level.INFO,
                    "The availability filter has no checker yet, and is idle until the ServletContext attribute "
                            + CHECKER_ATTRIBUTE + " holds an AvailabilityChecker, or CDI has one by untaken-cdi");
        } else {
            throw new ServletException("the ServletContext attribute " + CHECKER_ATTRIBUTE
                    + " must hold an AvailabilityChecker before this filter starts; set it in a"
                    + " ServletContextListener, or give the checker to the constructor");
        }
    }

    private void begin(AvailabilityChecker checker, FilterStart start) {
        EndpointSettings with = settings != null
                ? settings
                : EndpointSettings.builder().properties(start.parameters()).build();
        DeclaredFilters declared = DeclaredFilters.of(start.context());
        joined = declared;
        aside = !declared.join(checker, this);
        if (!aside && parts == null) {
            parts = assemble(checker, with);
        }
        shareWith(path -> isMapped(start.context(), path));
    }

    private static boolean isMapped(ServletContext context, String path) {
        return context.getServletRegistrations().values().stream()
                .flatMap(servlet -> servlet.getMappings().stream())
                .anyMatch(pattern -> pattern.equals(path) || pattern.equals(path + "/*"));
    }

    /**
     * Tells which paths the application itself answers. If the endpoint's is one, requests there whose query string names none of its kinds
     * are passed on from now on, and a warning names the setting that moves the endpoint. Servlets mapped to exactly this path are known
     * anyway; a framework behind one servlet has to be asked. Does nothing unless the filter has an endpoint.
     *
     * @param applicationPaths asked at once, for a path within the web application
     */
    public void shareWith(Predicate<String> applicationPaths) {
        Parts ready = parts;
        if (ready != null && !aside) {
            ready.endpoint().ifPresent(endpoint -> endpoint.shareWith(applicationPaths));
        }
    }

    /** What {@link #begin} refuses at application start, it refuses here at each request. */
    private void goOn(FilterStart start) {
        start.checker().ifPresent(checker -> {
            synchronized (this) {
                if (waiting != null) {
                    begin(checker, start);
                    waiting = null;
                }
            }
        });
    }

    private static void refuseTwoPlaces(Map<String, String> parameters) throws ServletException {
        for (String name : parameters.keySet()) {
            if (name.startsWith(SettingKeys.PREFIX) && !name.equals(SettingKeys.AUTO_INSTALL)) {
                throw new ServletException(
                        "the init parameter '" + name + "' would be ignored: this filter was given its"
                                + " settings in code. Move it there, with EndpointSettings.builder().properties(...) or"
                                + " the builder's own methods");
            }
        }
    }

    boolean automatic() {
        return automatic;
    }

    /** Passes every request on from now on. */
    void standAside() {
        aside = true;
    }

    /** Does not close the checker. Requests that wait for their bodies are still answered. */
    @Override
    public void destroy() {
        waiting = null;
        Parts ended = parts;
        if (ended != null) {
            ended.endpoint().ifPresent(AvailabilityEndpoint::close);
            parts = null;
        }
        DeclaredFilters declared = joined;
        if (declared != null) {
            declared.leave(this);
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        FilterStart start = waiting;
        if (start != null) {
            goOn(start);
        }
        if (waiting != null || aside) {
            chain.doFilter(request, response);
            return;
        }
        Parts ready = parts;
        if (ready == null) {
            throw new ServletException("the filter was not initialised");
        }
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            chain.doFilter(request, response);
            return;
        }
        String path = path(http);
        if (path == null
                || http.getDispatcherType() == DispatcherType.INCLUDE
                || http.getDispatcherType() == DispatcherType.ERROR) {
            ready.watcher().pass(http, path, answer, chain);
            return;
        }
        AvailabilityEndpoint endpoint = ready.endpoint().orElse(null);
        if (endpoint != null && endpoint.answers(path, http.getQueryString())) {
            endpoint.handle(new ServletExchange(
                    new ServletCheckRequest(http, path), answer, endpoint::longest, otherBodies, faults));
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
            // Jetty refuses to decode some paths that it was told to let through; they are none of ours.
            faults.failed("Reading the path of a request", fault);
            return null;
        }
    }
}
