package io.github.untaken.http;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.limit.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Settings of the endpoint, and of what stands in front of it. Immutable.
 *
 * <pre>{@code
 * EndpointSettings.builder()
 *         .kinds(USERNAME, PHONE)
 *         .limiter(limiter)
 *         .gate(gate)
 *         .watch(WatchRule.on("POST", "/signup").registers(USERNAME).fromParameter("name"))
 *         .build();
 * }</pre>
 */
public final class EndpointSettings {
    /** Kinds for which a list of all values is worth stealing: values are few or guessable, and reach a person. */
    private static final Set<IdentifierKind> SENSITIVE = Set.of(IdentifierKind.PHONE, IdentifierKind.EMAIL);

    final String path;
    final Optional<String> scriptPath;
    private final Set<IdentifierKind> kinds;
    private final Map<IdentifierKind, Set<CheckMethod>> methods;
    private final Map<IdentifierKind, KindMode> modes;
    private final Map<IdentifierKind, SuggestionPolicy> suggestions;
    final boolean exposeDecision;
    final ClientLimiter limiter;
    final RequestGate gate;
    private final boolean guarded;
    final ClientIdentity clients;
    private final boolean endpointEnabled;
    final BooleanSupplier registrationOpen;
    private final Optional<Rate> freeAnswerLimit;
    private final Optional<Rate> clientFreeAnswerLimit;
    final CrossOrigin crossOrigin;
    final Optional<String> openApiPath;
    final Rate recheckLimit;
    final OwnIdentifiers ownIdentifiers;
    final EndpointListener listener;
    final SweepLimit sweepLimit;
    final Duration blindStep;
    final int maxWaitingChecks;
    final int pendingBodies;
    final Duration bodyTime;
    private final List<WatchRule> watchRules;

    EndpointSettings(EndpointSettingsBuilder builder) {
        this.path = builder.path;
        this.scriptPath = Optional.ofNullable(builder.scriptPath);
        this.kinds = Collections.unmodifiableSet(new LinkedHashSet<>(builder.kinds));
        this.methods = Map.copyOf(builder.methods);
        this.modes = Map.copyOf(builder.modes);
        this.suggestions = Map.copyOf(builder.suggestions);
        this.exposeDecision = builder.exposeDecision;
        this.limiter = builder.limiter != null
                ? builder.limiter
                : ClientLimiter.perMinute(Setting.CLIENT_LIMIT.number(), Setting.CLIENT_BURST.number());
        this.gate = builder.gate;
        this.guarded = builder.given.containsAll(Set.of("limiter", "gate"));
        this.clients = new ClientIdentity(
                builder.ipv6PrefixLength, builder.clientNetworks, builder.proxyHeader, builder.proxies);
        this.endpointEnabled = builder.endpointEnabled;
        this.registrationOpen = builder.registrationOpen;
        this.freeAnswerLimit = builder.freeAnswerLimit;
        this.clientFreeAnswerLimit = builder.clientFreeAnswerLimit;
        this.crossOrigin = builder.crossOrigin;
        this.openApiPath = Optional.ofNullable(builder.openApiPath);
        this.recheckLimit = builder.recheckLimit;
        this.ownIdentifiers = builder.ownIdentifiers;
        this.listener = builder.listener;
        this.sweepLimit = builder.sweepLimit;
        this.blindStep = builder.blindStep;
        this.maxWaitingChecks = builder.maxWaitingChecks;
        this.pendingBodies = builder.pendingBodies;
        this.bodyTime = builder.bodyTime;
        this.watchRules = List.copyOf(builder.watchRules);
    }

    /** When the share of taken identifiers among the answers is reported as unusual. */
    record SweepLimit(int leastAnswers, double takenShare, Duration window) {}

    /** Every setting at its default. */
    public static EndpointSettings defaults() {
        return builder().build();
    }

    /** Starts a builder with every setting at its default. */
    public static EndpointSettingsBuilder builder() {
        return new EndpointSettingsBuilder();
    }

    /** The watch rules, in order: which requests may register an identifier. */
    public List<WatchRule> watchRules() {
        return watchRules;
    }

    /** Whether the endpoint exists at all. */
    public boolean endpointEnabled() {
        return endpointEnabled;
    }

    /** With nothing counted yet. */
    FreeAnswers freeAnswers() {
        return new FreeAnswers(clientFreeAnswerLimit, freeAnswerLimit);
    }

    /**
     * The kinds to serve, and how.
     *
     * @throws IllegalArgumentException if a setting names a kind the checker does not know, or settings of a kind do not fit each other
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

    /** What operators in production should know, as sentences. */
    List<String> warnings(Collection<ServedKind> served) {
        List<String> warnings = new ArrayList<>();
        if (limiter.equals(UnlimitedClients.INSTANCE)) {
            warnings.add("The availability endpoint limits no client; in production set limiter(...), unless a gateway"
                    + " in front limits them");
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
}
