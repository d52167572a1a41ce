package io.github.untaken.spring.boot.endpoint;

import io.github.untaken.IdentifierKind;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointListener;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.OwnIdentifiers;
import io.github.untaken.http.RequestGate;
import io.github.untaken.http.SettingKeys;
import io.github.untaken.spring.boot.EndpointSettingsCustomizer;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What the application says of the endpoint, by properties and beans. */
record EndpointSetup(
        UntakenProperties properties,
        Optional<EndpointSettings> settings,
        Optional<ClientLimiter> limiter,
        Optional<RequestGate> gate,
        Optional<OwnIdentifiers> ownIdentifiers,
        List<EndpointListener> listeners,
        List<EndpointSettingsCustomizer> customizers) {
    private static final Logger LOG = System.getLogger("io.github.untaken.spring.boot");
    private static final Set<IdentifierKind> SENSITIVE = Set.of(IdentifierKind.PHONE, IdentifierKind.EMAIL);

    /**
     * The settings to serve with, empty if no kind is left to be served.
     *
     * @throws UntakenSetupException if the endpoint would refuse them
     */
    Optional<EndpointSettings> settingsFor(Set<IdentifierKind> known) {
        return settings.isPresent() ? settings : refusing(() -> build(known));
    }

    private Optional<EndpointSettings> build(Set<IdentifierKind> known) {
        EndpointSettingsBuilder builder = EndpointSettings.builder();
        Map<String, String> texts = EndpointTexts.of(properties);
        // A customizer decides by itself which kinds are served, and how.
        if (properties.kinds() == null
                && customizers.isEmpty()
                && !Boolean.FALSE.equals(properties.endpointEnabled())) {
            List<IdentifierKind> served = servedOf(known);
            if (!served.isEmpty()) {
                builder.kinds(served.get(0), served.subList(1, served.size()).toArray(IdentifierKind[]::new));
            } else if (properties.watch() != null) {
                texts.put(SettingKeys.ENDPOINT_ENABLED, "false"); // the checker needs the rules all the same
            } else {
                return Optional.empty();
            }
        }
        builder.properties(texts);
        limiter.ifPresent(builder::limiter);
        gate.ifPresent(builder::gate);
        ownIdentifiers.ifPresent(builder::ownIdentifiers);
        if (!listeners.isEmpty()) {
            builder.listener(new EndpointListeners(listeners));
        }
        customizers.forEach(each -> each.customize(builder));
        return Optional.of(builder.build());
    }

    private List<IdentifierKind> servedOf(Set<IdentifierKind> known) {
        List<IdentifierKind> served = new ArrayList<>();
        known.stream().sorted((a, b) -> a.name().compareTo(b.name())).forEach(kind -> {
            if (isProtected(kind)) {
                served.add(kind);
            } else {
                LOG.log(
                        Level.INFO,
                        "Kind '" + kind + "' is not served over HTTP: anybody could find out who is registered. Set"
                                + " untaken.client-limit and untaken.gate, or untaken.mode." + kind + " = blind");
            }
        });
        return served;
    }

    /**
     * Whether a kind may be served. One with an explicit mode may: the endpoint serves it, or refuses it with a
     * reason.
     */
    private boolean isProtected(IdentifierKind kind) {
        boolean limited = properties.clientLimit() != null || properties.clientBurst() != null || limiter.isPresent();
        boolean gated = properties.gate() != null || gate.isPresent();
        return !SENSITIVE.contains(kind) || properties.mode().containsKey(kind.name()) || (limited && gated);
    }

    /** Those who protect pages with an interceptor may not know that it does not protect a filter. */
    void noteUnlessGuarded(boolean bySpringSecurity) {
        if (!bySpringSecurity && properties.gate() == null && gate.isEmpty()) {
            LOG.log(
                    Level.INFO,
                    "Spring Security does not guard the availability endpoint: it tells everybody which"
                            + " names are taken, as fast as untaken.client-limit allows. Filters protect it,"
                            + " interceptors do not. Set untaken.gate to narrow that, or"
                            + " untaken.endpoint-enabled=false");
        }
    }

    /** Makes something of the settings; a refusal becomes a setup exception that says what to do. */
    static <T> T refusing(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException | IllegalStateException e) {
            String message = String.valueOf(e.getMessage());
            boolean unprotected = message.toLowerCase(Locale.ROOT).contains("is not served");
            boolean unknownKind = message.contains("can be served");
            throw new UntakenSetupException(
                    "The availability endpoint was refused: " + message,
                    unprotected
                            ? "Set untaken.client-limit and untaken.gate, or untaken.mode.<kind> = blind, or leave the kind"
                                    + " out of untaken.kinds."
                            : unknownKind
                                    ? "Mark an attribute with @RegisteredIdentifier and the name of the kind, define a store"
                                            + " for it (a bean called <kind>Store), or take the kind out of the property."
                                    : "Correct the property; docs/http.md has all of them in one table.",
                    e);
        }
    }
}
