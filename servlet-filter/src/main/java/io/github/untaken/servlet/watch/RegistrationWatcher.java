package io.github.untaken.servlet.watch;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Registrations;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.exchange.FormFields;
import io.github.untaken.http.watch.Rule;
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
 * Passes the application's own requests on and learns from them which identifiers may be registered: from watch rules before and while the
 * application runs, and from request attributes when they are set and once more afterwards.
 *
 * <p>One {@link RequestEffects} follows a request through forwards, includes, asynchronous dispatches and a second filter of this kind.
 * Whoever made it settles it: after the chain or, for an asynchronous request, at its completion. No failure of ours reaches the
 * application, and nothing it does is changed.
 */
public final class RegistrationWatcher {
    /** With the name of a kind appended, the attribute of a request that registers an identifier of that kind. */
    public static final String REGISTERED_ATTRIBUTE = "io.github.untaken.registered.";

    private final Registrations registrations;
    private final List<Rule> rules;
    private final Map<String, IdentifierKind> registeredAttributes = new LinkedHashMap<>();
    private final String marker;
    private final FaultLog faults;

    /**
     * Watches by these rules.
     *
     * @throws IllegalArgumentException if a rule names a kind the checker does not know
     */
    public RegistrationWatcher(AvailabilityChecker checker, List<Rule> rules, FaultLog faults) {
        this.registrations = checker.registrations();
        this.rules = rules;
        this.faults = faults;
        // Two filters with one checker share what they saw.
        this.marker = RequestEffects.class.getName() + "." + System.identityHashCode(checker);
        Set<IdentifierKind> kinds = checker.kinds();
        for (Rule rule : rules) {
            if (!kinds.contains(rule.kind())) {
                throw new IllegalArgumentException("watch rule '" + rule + "' names kind '" + rule.kind()
                        + "', but the checker knows only " + kinds);
            }
        }
        for (IdentifierKind kind : kinds) {
            registeredAttributes.put(REGISTERED_ATTRIBUTE + kind.name(), kind);
        }
    }

    /** Passes a request of the application on. */
    public void pass(HttpServletRequest request, @Nullable String path, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getDispatcherType() == DispatcherType.ERROR) {
            chain.doFilter(request, response);
            return;
        }
        boolean first = request.getAttribute(marker) == null;
        RequestEffects effects = effects(request);
        HttpServletRequest passed = begin(request, path, effects);
        if (!first) {
            chain.doFilter(passed, response);
            return;
        }
        boolean returned = false;
        try {
            chain.doFilter(passed, response);
            returned = true;
        } finally {
            // If an exception was thrown, a container need not tell when an asynchronous request is over: Tomcat does
            // not.
            if (!returned || !awaitsCompletion(request, effects)) {
                settle(request, effects);
            }
        }
    }

    private RequestEffects effects(HttpServletRequest request) {
        if (request.getAttribute(marker) instanceof RequestEffects running) {
            return running;
        }
        RequestEffects effects = new RequestEffects(registrations, faults);
        request.setAttribute(marker, effects);
        return effects;
    }

    /** The request to pass on: it tells what only the application may read, and attributes as they are set. */
    private HttpServletRequest begin(HttpServletRequest request, @Nullable String path, RequestEffects effects) {
        List<Rule> ofParameters = new ArrayList<>();
        try {
            if (path != null) {
                for (Rule rule : rules) {
                    rule.match(request.getMethod(), path).ifPresent(variables -> {
                        if (rule.inPath()) {
                            effects.found(rule, variables.getOrDefault(rule.name(), ""));
                        } else {
                            ofParameters.add(rule);
                        }
                    });
                }
            }
            if (!ofParameters.isEmpty()) {
                lookAtQuery(request.getQueryString(), ofParameters, effects);
            }
        } catch (RuntimeException | Error fault) {
            faults.failed("Looking at a watched request", fault);
        }
        return new WatchedRequest(
                request, ofParameters, effects, (name, value) -> attributeSet(name, value, effects), faults);
    }

    private void attributeSet(String name, @Nullable Object value, RequestEffects effects) {
        IdentifierKind registered = registeredAttributes.get(name);
        if (registered != null) {
            try {
                forEachText(value, registered, effects::registering);
            } catch (RuntimeException | Error fault) {
                faults.failed("Looking at an attribute of a request", fault);
            }
        }
    }

    private static void lookAtQuery(@Nullable String raw, List<Rule> ofParameters, RequestEffects effects) {
        if (raw == null) {
            return;
        }
        FormFields pairs = FormFields.ofQuery(raw);
        while (pairs.next()) {
            try {
                String name = pairs.name();
                for (Rule rule : ofParameters) {
                    if (rule.name().equals(name)) {
                        effects.found(rule, pairs.value());
                    }
                }
            } catch (CharacterCodingException e) {
                // How the application reads this pair shows when it asks for its parameters.
            }
        }
    }

    /** Whether the end of the request is still to come, so that what was seen is settled then. */
    private boolean awaitsCompletion(HttpServletRequest request, RequestEffects effects) {
        try {
            if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(new Completion(request, effects));
                return true;
            }
        } catch (RuntimeException | Error fault) {
            faults.failed("Waiting for the end of a watched asynchronous request", fault);
        }
        return false;
    }

    private void settle(HttpServletRequest request, RequestEffects effects) {
        try {
            registeredAttributes.forEach(
                    (name, kind) -> forEachText(request.getAttribute(name), kind, effects::registering));
        } catch (RuntimeException | Error fault) {
            faults.failed("Looking at the attributes of a request", fault);
        }
        effects.settle();
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
     * Settles at completion, which also follows a timeout or an error. Not at the timeout itself: the application's thread may still be
     * about to commit.
     */
    private final class Completion implements AsyncListener {
        private final HttpServletRequest request;
        private final RequestEffects effects;

        Completion(HttpServletRequest request, RequestEffects effects) {
            this.request = request;
            this.effects = effects;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            settle(request, effects);
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
