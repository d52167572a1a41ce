package io.github.untaken.servlet;

import io.github.untaken.spi.IdentifierKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Settings of an {@link AvailabilityServletFilter}. Immutable.
 *
 * <pre>{@code
 * ServletFilterSettings.builder()
 *         .kinds(USERNAME, PHONE)
 *         .limiter(limiter)
 *         .gate(gate)
 *         .watch(WatchRule.on("POST", "/signup").registers(USERNAME).fromParameter("name"))
 *         .build();
 * }</pre>
 */
public final class ServletFilterSettings {
    /** Kinds of which a list of all values is worth stealing: they are small or guessable, and they reach a person. */
    private static final Set<IdentifierKind> SENSITIVE = Set.of(IdentifierKind.PHONE, IdentifierKind.EMAIL);

    private final String path;
    private final Set<IdentifierKind> kinds;
    private final Map<IdentifierKind, Set<CheckMethod>> methods;
    private final boolean exposeDecision;
    private final ClientLimiter limiter;
    private final RequestGate gate;
    private final boolean guarded;
    private final List<WatchRule> watchRules;

    private ServletFilterSettings(Builder builder) {
        this.path = builder.path;
        this.kinds = Collections.unmodifiableSet(new LinkedHashSet<>(builder.kinds));
        this.methods = Map.copyOf(builder.methods);
        this.exposeDecision = builder.exposeDecision;
        this.limiter = builder.limiter;
        this.gate = builder.gate;
        this.guarded = builder.given.containsAll(Set.of("limiter", "gate"));
        this.watchRules = List.copyOf(builder.watchRules);
    }

    /** Every setting at its default. */
    public static ServletFilterSettings defaults() {
        return builder().build();
    }

    /** Starts a builder with every setting at its default. */
    public static Builder builder() {
        return new Builder();
    }

    String path() {
        return path;
    }

    boolean exposeDecision() {
        return exposeDecision;
    }

    ClientLimiter limiter() {
        return limiter;
    }

    RequestGate gate() {
        return gate;
    }

    List<WatchRule> watchRules() {
        return watchRules;
    }

    /**
     * The kinds to serve and their methods.
     *
     * @throws IllegalArgumentException if a setting names a kind the checker does not know
     * @throws IllegalStateException if a sensitive kind would be served without a limit and a gate
     */
    Map<IdentifierKind, Set<CheckMethod>> methodsOf(Set<IdentifierKind> known) {
        refuseUnknown("kinds", kinds, known);
        Set<IdentifierKind> served = kinds.isEmpty() ? known : kinds;
        refuseUnknown("methods", methods.keySet(), served);
        Map<IdentifierKind, Set<CheckMethod>> all = new LinkedHashMap<>();
        for (IdentifierKind kind : served) {
            boolean sensitive = SENSITIVE.contains(kind);
            if (sensitive && !guarded) {
                throw new IllegalStateException("kind '" + kind + "' is not served without protection: anybody could"
                        + " find out who is registered. Set both limiter(...) and gate(...), or leave it out with"
                        + " kinds(...)");
            }
            all.put(
                    kind,
                    methods.getOrDefault(
                            kind, sensitive ? EnumSet.of(CheckMethod.POST) : EnumSet.allOf(CheckMethod.class)));
        }
        return all;
    }

    /** What somebody who runs this in production should know, as sentences. */
    List<String> warnings(Set<IdentifierKind> served) {
        List<String> warnings = new ArrayList<>();
        if (limiter.equals(UnlimitedClients.INSTANCE)) {
            warnings.add(
                    "The availability endpoint limits no client; in production set limiter(...), unless a gateway in"
                            + " front does it");
        }
        if (gate.equals(OpenGate.INSTANCE) && served.stream().anyMatch(SENSITIVE::contains)) {
            warnings.add(
                    "The availability endpoint answers anybody about phone numbers or e-mail addresses; in production"
                            + " set gate(...) to one that refuses");
        }
        return warnings;
    }

    private static void refuseUnknown(String setting, Set<IdentifierKind> named, Set<IdentifierKind> known) {
        for (IdentifierKind kind : named) {
            if (!known.contains(kind)) {
                throw new IllegalArgumentException(
                        setting + "(...) names kind '" + kind + "', but only " + known + " can be served");
            }
        }
    }

    /** Not thread-safe. Setting a single value twice is an error; watch rules add up. */
    public static final class Builder {
        private final Set<String> given = new HashSet<>();
        private final Set<IdentifierKind> kinds = new LinkedHashSet<>();
        private final Map<IdentifierKind, Set<CheckMethod>> methods = new HashMap<>();
        private final List<WatchRule> watchRules = new ArrayList<>();
        private String path = "/availability";
        private boolean exposeDecision;
        private ClientLimiter limiter = ClientLimiter.unlimited();
        private RequestGate gate = RequestGate.allowAll();

        private Builder() {}

        /**
         * The path of the endpoint within the application, compared exactly after decoding. Starts with {@code /}, has no
         * {@code ?} or {@code ;}. Default {@code /availability}.
         */
        public Builder path(String exact) {
            once("path");
            if (!exact.startsWith("/") || exact.indexOf('?') >= 0 || exact.indexOf(';') >= 0) {
                throw new IllegalArgumentException(
                        "path must start with '/' and have no '?' or ';', but was '" + exact + "'");
            }
            this.path = exact;
            return this;
        }

        /** The kinds the endpoint answers about, at least one. Default all kinds of the checker. */
        public Builder kinds(IdentifierKind first, IdentifierKind... more) {
            once("kinds");
            kinds.add(first);
            kinds.addAll(Arrays.asList(more));
            return this;
        }

        /** How values of a kind may be sent. Default POST alone for phone and e-mail, GET and POST for other kinds. */
        public Builder methods(IdentifierKind kind, CheckMethod first, CheckMethod... more) {
            once("methods of " + kind);
            methods.put(kind, Collections.unmodifiableSet(EnumSet.of(first, more)));
            return this;
        }

        /**
         * Whether answers say which part decided, such as {@code filter} or {@code store}. For demonstrations: it tells
         * strangers how the registry works. Default false.
         */
        public Builder exposeDecision(boolean expose) {
            once("exposeDecision");
            this.exposeDecision = expose;
            return this;
        }

        /** How often a client may ask. Default {@link ClientLimiter#unlimited}, which will not do for phone and e-mail. */
        public Builder limiter(ClientLimiter clients) {
            once("limiter");
            this.limiter = clients;
            return this;
        }

        /** Which requests may ask. Default {@link RequestGate#allowAll}, which will not do for phone and e-mail. */
        public Builder gate(RequestGate requests) {
            once("gate");
            this.gate = requests;
            return this;
        }

        /** A request that registers or releases an identifier, for applications that cannot tell of it otherwise. */
        public Builder watch(WatchRule rule) {
            watchRules.add(rule);
            return this;
        }

        /** The settings. Whether they fit the checker shows when the filter is made. */
        public ServletFilterSettings build() {
            return new ServletFilterSettings(this);
        }

        private void once(String setting) {
            if (!given.add(setting)) {
                throw new IllegalStateException(setting + " was already set");
            }
        }
    }
}
