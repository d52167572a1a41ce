package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Registrations;
import io.github.untaken.servlet.exchange.FormFields;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes the application's own requests on and learns from them which identifiers were registered or released: from watch
 * rules before and while the application runs, from request attributes when they are set and once more afterwards.
 *
 * <p>One {@link RequestWatch} follows a request through forwards, includes, asynchronous dispatches and a second filter of
 * this kind; whoever made it settles it, after the chain or, of an asynchronous request, at its completion. Nothing of ours
 * that fails reaches the application, and nothing it does is changed.
 */
final class RegistrationWatcher {
    private final Registrations registrations;
    private final List<WatchRule> rules;
    private final Map<String, IdentifierKind> registeredAttributes = new LinkedHashMap<>();
    private final Map<String, IdentifierKind> releasedAttributes = new LinkedHashMap<>();
    private final String marker;
    private final FaultLog faults;

    /** @throws IllegalArgumentException if a rule names a kind the checker does not know */
    RegistrationWatcher(AvailabilityChecker checker, List<WatchRule> rules, FaultLog faults) {
        this.registrations = checker.registrations();
        this.rules = rules;
        this.faults = faults;
        // Two filters share a watch if they share a checker.
        this.marker = RequestWatch.class.getName() + "." + System.identityHashCode(checker);
        Set<IdentifierKind> kinds = checker.kinds();
        for (WatchRule rule : rules) {
            if (!kinds.contains(rule.kind())) {
                throw new IllegalArgumentException("watch rule '" + rule + "' names kind '" + rule.kind()
                        + "', but the checker knows only " + kinds);
            }
        }
        for (IdentifierKind kind : kinds) {
            registeredAttributes.put(AvailabilityServletFilter.REGISTERED_ATTRIBUTE + kind.name(), kind);
            releasedAttributes.put(AvailabilityServletFilter.RELEASED_ATTRIBUTE + kind.name(), kind);
        }
    }

    void pass(HttpServletRequest request, @Nullable String path, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getDispatcherType() == DispatcherType.ERROR) {
            chain.doFilter(request, response);
            return;
        }
        boolean first = request.getAttribute(marker) == null;
        RequestWatch watch = watch(request);
        HttpServletRequest passed = begin(request, path, watch);
        if (!first) {
            chain.doFilter(passed, response);
            return;
        }
        boolean returned = false;
        try {
            chain.doFilter(passed, response);
            returned = true;
        } finally {
            // A container that was thrown an exception need not tell when an asynchronous request is over: Tomcat does
            // not.
            if (!returned || !awaitsCompletion(request, watch)) {
                settle(request, watch);
            }
        }
    }

    private RequestWatch watch(HttpServletRequest request) {
        if (request.getAttribute(marker) instanceof RequestWatch running) {
            return running;
        }
        RequestWatch watch = new RequestWatch(registrations, faults);
        request.setAttribute(marker, watch);
        return watch;
    }

    /** The request to pass on: it tells of what only the application may read, and of attributes as they are set. */
    private HttpServletRequest begin(HttpServletRequest request, @Nullable String path, RequestWatch watch) {
        List<WatchRule> ofParameters = new ArrayList<>();
        try {
            if (path != null) {
                for (WatchRule rule : rules) {
                    rule.match(request.getMethod(), path).ifPresent(variables -> {
                        if (rule.inPath()) {
                            rule.apply(watch, variables.getOrDefault(rule.name(), ""));
                        } else {
                            ofParameters.add(rule);
                        }
                    });
                }
            }
            if (!ofParameters.isEmpty()) {
                lookAtQuery(request.getQueryString(), ofParameters, watch);
            }
        } catch (RuntimeException | Error fault) {
            faults.note("A watched request could not be looked at", fault);
        }
        return new WatchedRequest(
                request, ofParameters, watch, (name, value) -> attributeSet(name, value, watch), faults);
    }

    /** Released identifiers can wait: nothing is freed before the end of the request. */
    private void attributeSet(String name, @Nullable Object value, RequestWatch watch) {
        IdentifierKind registered = registeredAttributes.get(name);
        if (registered != null) {
            try {
                forEachText(value, registered, watch::registering);
            } catch (RuntimeException | Error fault) {
                faults.note("An attribute of a request could not be looked at", fault);
            }
        }
    }

    private static void lookAtQuery(@Nullable String raw, List<WatchRule> ofParameters, RequestWatch watch) {
        if (raw == null) {
            return;
        }
        FormFields pairs = FormFields.ofQuery(raw);
        while (pairs.next()) {
            try {
                String name = pairs.name();
                for (WatchRule rule : ofParameters) {
                    if (rule.name().equals(name)) {
                        rule.apply(watch, pairs.value());
                    }
                }
            } catch (CharacterCodingException e) {
                // What the application makes of this pair shows when it asks for its parameters.
            }
        }
    }

    /** Whether the end of the request is still to come and the watch will be settled then. */
    private boolean awaitsCompletion(HttpServletRequest request, RequestWatch watch) {
        try {
            if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(new Completion(request, watch));
                return true;
            }
        } catch (RuntimeException | Error fault) {
            faults.note("The end of a watched asynchronous request could not be awaited", fault);
        }
        return false;
    }

    private void settle(HttpServletRequest request, RequestWatch watch) {
        try {
            registeredAttributes.forEach(
                    (name, kind) -> forEachText(request.getAttribute(name), kind, watch::registering));
            releasedAttributes.forEach((name, kind) -> forEachText(request.getAttribute(name), kind, watch::releasing));
        } catch (RuntimeException | Error fault) {
            faults.note("The attributes of a request could not be looked at", fault);
        }
        watch.settle();
    }

    private static void forEachText(
            @Nullable Object value, IdentifierKind kind, BiConsumer<IdentifierKind, String> use) {
        if (value instanceof String text) {
            use.accept(kind, text);
        } else if (value instanceof Iterable<?> several) {
            several.forEach(one -> forEachText(one, kind, use));
        } else if (value instanceof Object[] several) {
            for (Object one : several) {
                forEachText(one, kind, use);
            }
        } else if (value != null) {
            throw new ClassCastException("the attribute must hold a String or several");
        }
    }

    /**
     * Settles at completion, which follows a timeout or an error too. Not at the timeout itself: the application's thread
     * may still be about to commit.
     */
    private final class Completion implements AsyncListener {
        private final HttpServletRequest request;
        private final RequestWatch watch;

        Completion(HttpServletRequest request, RequestWatch watch) {
            this.request = request;
            this.watch = watch;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            settle(request, watch);
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {
            // A new asynchronous cycle forgets the listeners of the one before.
            event.getAsyncContext().addListener(this);
        }
    }
}
