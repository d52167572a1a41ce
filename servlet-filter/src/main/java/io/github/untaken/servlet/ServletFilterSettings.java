package io.github.untaken.servlet;

import io.github.untaken.servlet.address.IpNetwork;
import io.github.untaken.servlet.limit.Rate;
import io.github.untaken.spi.IdentifierKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    private final Optional<String> scriptPath;
    private final Set<IdentifierKind> kinds;
    private final Map<IdentifierKind, Set<CheckMethod>> methods;
    private final Map<IdentifierKind, KindMode> modes;
    private final Map<IdentifierKind, SuggestionPolicy> suggestions;
    private final boolean exposeDecision;
    private final ClientLimiter limiter;
    private final RequestGate gate;
    private final boolean guarded;
    private final ClientIdentity clients;
    private final Rate recheckLimit;
    private final OwnIdentifiers ownIdentifiers;
    private final EndpointListener listener;
    private final SweepLimit sweepLimit;
    private final Duration blindStep;
    private final List<WatchRule> watchRules;

    private ServletFilterSettings(Builder builder) {
        this.path = builder.path;
        this.scriptPath = Optional.ofNullable(builder.scriptPath);
        this.kinds = Collections.unmodifiableSet(new LinkedHashSet<>(builder.kinds));
        this.methods = Map.copyOf(builder.methods);
        this.modes = Map.copyOf(builder.modes);
        this.suggestions = Map.copyOf(builder.suggestions);
        this.exposeDecision = builder.exposeDecision;
        this.limiter = builder.limiter == null ? ClientLimiter.perMinute(60, 20) : builder.limiter;
        this.gate = builder.gate;
        this.guarded = builder.given.containsAll(Set.of("limiter", "gate"));
        this.clients = new ClientIdentity(builder.ipv6PrefixLength, builder.proxyHeader, builder.proxies);
        this.recheckLimit = builder.recheckLimit;
        this.ownIdentifiers = builder.ownIdentifiers;
        this.listener = builder.listener;
        this.sweepLimit = builder.sweepLimit;
        this.blindStep = builder.blindStep;
        this.watchRules = List.copyOf(builder.watchRules);
    }

    /** From when on the share of taken identifiers among the answers is told to be unusual. */
    record SweepLimit(int leastAnswers, double takenShare, Duration window) {}

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

    /** Absent where no script is served. */
    Optional<String> scriptPath() {
        return scriptPath;
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

    ClientIdentity clients() {
        return clients;
    }

    Rate recheckLimit() {
        return recheckLimit;
    }

    OwnIdentifiers ownIdentifiers() {
        return ownIdentifiers;
    }

    EndpointListener listener() {
        return listener;
    }

    SweepLimit sweepLimit() {
        return sweepLimit;
    }

    Duration blindStep() {
        return blindStep;
    }

    /**
     * The kinds to serve, and how.
     *
     * @throws IllegalArgumentException if a setting names a kind the checker does not know, or settings of a kind do not fit
     *     each other
     * @throws IllegalStateException if a kind would be served with less protection than it needs
     */
    Map<IdentifierKind, ServedKind> served(Set<IdentifierKind> known) {
        refuseUnknown("kinds", kinds, known);
        Set<IdentifierKind> served = kinds.isEmpty() ? known : kinds;
        refuseUnknown("methods", methods.keySet(), served);
        refuseUnknown("mode", modes.keySet(), served);
        refuseUnknown("suggestions", suggestions.keySet(), served);
        Map<IdentifierKind, ServedKind> all = new LinkedHashMap<>();
        served.forEach(kind -> all.put(kind, served(kind)));
        return all;
    }

    private ServedKind served(IdentifierKind kind) {
        boolean sensitive = SENSITIVE.contains(kind);
        KindMode mode = modes.getOrDefault(kind, sensitive ? KindMode.LIMITED : KindMode.OPEN);
        if (sensitive && mode == KindMode.OPEN) {
            throw new IllegalStateException("kind '" + kind + "' is not served open: anybody could find out who is"
                    + " registered. Use mode LIMITED or BLIND (" + SettingKeys.MODE + kind + "), or leave it out with"
                    + " kinds(...) (" + SettingKeys.KINDS + ")");
        }
        if (mode == KindMode.LIMITED && !guarded) {
            throw new IllegalStateException("kind '" + kind + "' is not served without protection: anybody could"
                    + " find out who is registered. Set both limiter(...) and gate(...) (" + SettingKeys.CLIENT_LIMIT
                    + ", " + SettingKeys.GATE + "), use mode BLIND (" + SettingKeys.MODE + kind
                    + "), or leave it out with kinds(...) (" + SettingKeys.KINDS + ")");
        }
        SuggestionPolicy policy = suggestions.get(kind);
        if (policy != null && mode != KindMode.OPEN) {
            throw new IllegalArgumentException(
                    "suggestions(...) names kind '" + kind + "', but only kinds of mode OPEN have suggestions");
        }
        if (policy == null && mode == KindMode.OPEN && kind.equals(IdentifierKind.USERNAME)) {
            policy = SuggestionPolicy.variants();
        }
        Set<CheckMethod> byDefault =
                mode == KindMode.OPEN ? EnumSet.allOf(CheckMethod.class) : EnumSet.of(CheckMethod.POST);
        return new ServedKind(kind, mode, methods.getOrDefault(kind, byDefault), Optional.ofNullable(policy));
    }

    /** What somebody who runs this in production should know, as sentences. */
    List<String> warnings(Collection<ServedKind> served) {
        List<String> warnings = new ArrayList<>();
        if (limiter.equals(UnlimitedClients.INSTANCE)) {
            warnings.add(
                    "The availability endpoint limits no client; in production set limiter(...), unless a gateway in"
                            + " front does it");
        }
        if (gate.equals(OpenGate.INSTANCE)
                && served.stream().anyMatch(kind -> SENSITIVE.contains(kind.kind()) && !kind.blind())) {
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
        private @Nullable String scriptPath = "/untaken.js";
        private boolean exposeDecision;
        private final Map<IdentifierKind, KindMode> modes = new HashMap<>();
        private final Map<IdentifierKind, SuggestionPolicy> suggestions = new HashMap<>();
        private final List<IpNetwork> proxies = new ArrayList<>();
        private ForwardingHeader proxyHeader = ForwardingHeader.X_FORWARDED_FOR;
        private int ipv6PrefixLength = 64;
        private @Nullable ClientLimiter limiter;
        private RequestGate gate = RequestGate.allowAll();
        private Rate recheckLimit = Rate.perMinute(60_000, 1_000);
        private OwnIdentifiers ownIdentifiers = (request, kind) -> Optional.empty();
        private EndpointListener listener = new EndpointListener() {};
        private SweepLimit sweepLimit = new SweepLimit(300, 0.8, Duration.ofMinutes(1));
        private Duration blindStep = Duration.ofMillis(10);

        private Builder() {}

        /**
         * The path of the endpoint within the application, compared exactly after decoding. Starts with {@code /}, has no
         * {@code ?} or {@code ;}. Default {@code /availability}.
         */
        public Builder path(String exact) {
            once("path");
            this.path = checkedPath("path", exact);
            return this;
        }

        /**
         * The path of the script {@code untaken.js} within the application, of the same form as {@link #path} and not equal to
         * it. Default {@code /untaken.js}.
         */
        public Builder scriptPath(String exact) {
            once("scriptPath");
            this.scriptPath = checkedPath("scriptPath", exact);
            return this;
        }

        /** Leaves {@code untaken.js} to the application. */
        public Builder withoutScript() {
            once("scriptPath");
            this.scriptPath = null;
            return this;
        }

        private static String checkedPath(String setting, String exact) {
            if (!exact.startsWith("/") || exact.indexOf('?') >= 0 || exact.indexOf(';') >= 0) {
                throw new IllegalArgumentException(
                        setting + " must start with '/' and have no '?' or ';', but was '" + exact + "'");
            }
            return exact;
        }

        /**
         * Settings as texts, named by {@link SettingKeys}, such as init parameters or the properties of a framework. Keys that
         * do not begin with {@value SettingKeys#PREFIX} are ignored.
         *
         * @throws IllegalArgumentException if a key with that beginning is unknown, a text is none of the values of its key, or
         *     the setting was already set
         */
        public Builder properties(Map<String, String> texts) {
            SettingReader.read(texts, this);
            return this;
        }

        /** The kinds the endpoint answers about, at least one. Default all kinds of the checker. */
        public Builder kinds(IdentifierKind first, IdentifierKind... more) {
            once("kinds");
            kinds.add(first);
            kinds.addAll(Arrays.asList(more));
            return this;
        }

        /** How values of a kind may be sent. Default GET and POST for kinds of mode OPEN, POST alone for others. */
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

        /**
         * How much is told about a kind. Default {@link KindMode#LIMITED} for phone and e-mail, {@link KindMode#OPEN} for other
         * kinds; phone and e-mail are never served open.
         */
        public Builder mode(IdentifierKind kind, KindMode mode) {
            once("mode of " + kind);
            modes.put(kind, mode);
            return this;
        }

        /**
         * Names to suggest where one of an open kind is taken and the request has {@code suggestions=true}. Default {@link
         * SuggestionPolicy#variants} for user names and none for other kinds.
         */
        public Builder suggestions(IdentifierKind kind, SuggestionPolicy policy) {
            once("suggestions of " + kind);
            suggestions.put(kind, policy);
            return this;
        }

        /** Which identifiers are the person's own, and so available to them. Default none. */
        public Builder ownIdentifiers(OwnIdentifiers own) {
            once("ownIdentifiers");
            this.ownIdentifiers = own;
            return this;
        }

        /**
         * How often a client may ask. Default 60 requests a minute and 20 at once, see {@link ClientLimiter#perMinute}. Phone
         * and e-mail want this set to what they need.
         */
        public Builder limiter(ClientLimiter clients) {
            once("limiter");
            this.limiter = clients;
            return this;
        }

        /**
         * The proxies in front of this server, and the header in which they say for whom they speak. Read from right to left,
         * over as many of these proxies as there are; of any other peer the header is not read. Default none.
         *
         * @param header the one these proxies write, and no client can pass through them unchanged
         * @param networks IP addresses or networks such as {@code 10.0.0.0/8}, at least one
         * @throws IllegalArgumentException if a network cannot be read
         */
        public Builder proxies(ForwardingHeader header, String... networks) {
            once("proxies");
            if (networks.length == 0) {
                throw new IllegalArgumentException("proxies(...) names no network");
            }
            this.proxyHeader = header;
            for (String network : networks) {
                proxies.add(IpNetwork.parse(network));
            }
            return this;
        }

        /**
         * How many leading bits IPv6 addresses share that count as one client, 32 to 128. Default 64, the least that a customer
         * gets; 56 or 48 against those who got more.
         */
        public Builder ipv6PrefixLength(int bits) {
            once("ipv6PrefixLength");
            if (bits < 32 || bits > 128) {
                throw new IllegalArgumentException("ipv6PrefixLength must be 32 to 128, but was " + bits);
            }
            this.ipv6PrefixLength = bits;
            return this;
        }

        /**
         * How often all clients together may make this endpoint read the store. Beyond it, checks that memory cannot answer are
         * 503. Default 60,000 a minute and 1,000 at once.
         *
         * @param reads a minute on average, 1 to 60 million
         * @param burst at once, 1 to a million
         */
        public Builder recheckLimit(int reads, int burst) {
            once("recheckLimit");
            this.recheckLimit = Rate.perMinute(reads, burst);
            return this;
        }

        /** Is told of answers, refusals and sweeps. Default nobody. */
        public Builder listener(EndpointListener told) {
            once("listener");
            this.listener = told;
            return this;
        }

        /**
         * When {@link EndpointListener#sweepSuspected} is told, for each kind by itself. Default from 300 answers a minute on, if
         * 0.8 of them are "taken".
         *
         * @param leastAnswers fewer in one window tell nothing, 1 or more
         * @param takenShare of them, over 0 to 1
         * @param window positive
         */
        public Builder sweepAlarm(int leastAnswers, double takenShare, Duration window) {
            once("sweepAlarm");
            if (leastAnswers < 1 || !(takenShare > 0 && takenShare <= 1) || window.isNegative() || window.isZero()) {
                throw new IllegalArgumentException(
                        "sweepAlarm needs 1 or more answers, a share over 0 to 1 and a positive" + " window, but was "
                                + leastAnswers + ", " + takenShare + ", " + window);
            }
            this.sweepLimit = new SweepLimit(leastAnswers, takenShare, window);
            return this;
        }

        /**
         * In which steps of time requests about blind kinds are answered, 1 ms to 1 s; should be more than any check from memory
         * takes. Default 10 ms. The thread of the request waits.
         */
        public Builder blindStep(Duration step) {
            once("blindStep");
            if (step.compareTo(Duration.ofMillis(1)) < 0 || step.compareTo(Duration.ofSeconds(1)) > 0) {
                throw new IllegalArgumentException("blindStep must be 1 ms to 1 s, but was " + step);
            }
            this.blindStep = step;
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
            if (path.equals(scriptPath)) {
                throw new IllegalArgumentException("path and scriptPath must differ, but both were '" + path + "'");
            }
            return new ServletFilterSettings(this);
        }

        private void once(String setting) {
            if (!given.add(setting)) {
                throw new IllegalStateException(setting + " was already set");
            }
        }
    }
}
