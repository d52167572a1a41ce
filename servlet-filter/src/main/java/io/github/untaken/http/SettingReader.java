package io.github.untaken.http;

import static io.github.untaken.http.SettingText.constant;
import static io.github.untaken.http.SettingText.items;
import static io.github.untaken.http.SettingText.oneOf;
import static io.github.untaken.http.SettingText.positive;
import static io.github.untaken.http.SettingText.share;
import static io.github.untaken.http.SettingText.time;
import static io.github.untaken.http.SettingText.truth;

import io.github.untaken.IdentifierKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads settings written as text into a builder. An error about a text names its key. */
final class SettingReader {
    private final EndpointSettingsBuilder into;
    private final Map<String, String> texts = new TreeMap<>();

    private SettingReader(EndpointSettingsBuilder into, Map<String, String> properties) {
        this.into = into;
        properties.forEach((key, text) -> {
            if (key.startsWith(SettingKeys.PREFIX)) {
                texts.put(key, text.strip());
            }
        });
    }

    /** @throws IllegalArgumentException if a key under our prefix is unknown or a text is not one of its values */
    static void read(Map<String, String> properties, EndpointSettingsBuilder into) {
        SettingReader reader = new SettingReader(into, properties);
        reader.refuseUnknownKeys();
        reader.readAll();
    }

    private void refuseUnknownKeys() {
        for (String key : texts.keySet()) {
            if (Stream.of(Setting.values()).noneMatch(setting -> setting.isNamedBy(key))) {
                throw new IllegalArgumentException(
                        "there is no setting '" + key + "'; the nearest is '" + NearestKey.to(key) + "'");
            }
        }
    }

    private void readAll() {
        use(SettingKeys.ENDPOINT_ENABLED, text -> into.endpointEnabled(truth(text)));
        use(SettingKeys.PATH, into::path);
        use(SettingKeys.KINDS, text -> {
            IdentifierKind[] kinds = items(text).map(IdentifierKind::of).toArray(IdentifierKind[]::new);
            into.kinds(kinds[0], Arrays.copyOfRange(kinds, 1, kinds.length));
        });
        useOfKinds(SettingKeys.MODE, (kind, text) -> into.mode(kind, constant(KindMode.class, text)));
        useOfKinds(SettingKeys.METHODS, (kind, text) -> {
            CheckMethod[] methods =
                    items(text).map(item -> constant(CheckMethod.class, item)).toArray(CheckMethod[]::new);
            into.methods(kind, methods[0], Arrays.copyOfRange(methods, 1, methods.length));
        });
        useOfKinds(
                SettingKeys.SUGGESTIONS,
                (kind, text) -> into.suggestions(
                        kind,
                        "variants".equals(oneOf(text, "variants", "none"))
                                ? SuggestionPolicy.variants()
                                : SuggestionPolicy.none()));
        use(SettingKeys.EXPOSE_DECISION, text -> into.exposeDecision(truth(text)));
        readLimiter();
        readGate();
        readProxies();
        use(SettingKeys.IPV6_PREFIX_LENGTH, text -> into.ipv6PrefixLength(Setting.IPV6_PREFIX_LENGTH.number(text)));
        use(SettingKeys.CLIENT_NETWORKS, text -> into.clientNetworks(listOrNone(text)));
        readRecheckLimit();
        readFreeAnswerLimit(Setting.FREE_ANSWER_LIMIT, Setting.FREE_ANSWER_BURST, into::freeAnswerLimit);
        readFreeAnswerLimit(
                Setting.CLIENT_FREE_ANSWER_LIMIT, Setting.CLIENT_FREE_ANSWER_BURST, into::clientFreeAnswerLimit);
        readSweepAlarm();
        use(SettingKeys.BLIND_STEP, text -> into.blindStep(time(text)));
        use(SettingKeys.MAX_WAITING_CHECKS, text -> into.maxWaitingChecks(Setting.MAX_WAITING_CHECKS.number(text)));
        use(SettingKeys.PENDING_BODIES, text -> into.pendingBodies(Setting.PENDING_BODIES.number(text)));
        use(
                SettingKeys.WATCH,
                text -> Stream.of(text.split("[;\\n]"))
                        .map(String::strip)
                        .filter(rule -> !rule.isEmpty())
                        .map(WatchRule::parse)
                        .forEach(into::watch));
        use(SettingKeys.SCRIPT_PATH, text -> {
            if (text.equals("none")) {
                into.withoutScript();
            } else {
                into.scriptPath(text);
            }
        });
        use(SettingKeys.OPEN_API_PATH, text -> {
            if (!text.equals("none")) {
                into.openApiPath(text);
            }
        });
        use(SettingKeys.ALLOWED_ORIGINS, text -> into.allowedOrigins(listOrNone(text)));
        use(SettingKeys.AUTO_INSTALL, SettingText::truth);
    }

    private void readLimiter() {
        String limit = texts.get(SettingKeys.CLIENT_LIMIT);
        if ("unlimited".equals(limit)) {
            refuseWithout(SettingKeys.CLIENT_BURST, SettingKeys.CLIENT_LIMIT + " with a number");
            use(SettingKeys.CLIENT_LIMIT, text -> into.limiter(ClientLimiter.unlimited()));
        } else if (limit != null || texts.containsKey(SettingKeys.CLIENT_BURST)) {
            into.limiter(ClientLimiter.perMinute(number(Setting.CLIENT_LIMIT), number(Setting.CLIENT_BURST)));
        }
    }

    private void readGate() {
        String attribute = texts.getOrDefault(SettingKeys.GATE_ATTRIBUTE, "");
        String header = texts.getOrDefault(SettingKeys.GATE_HEADER, "");
        String gate = texts.get(SettingKeys.GATE);
        if (!"header-token".equals(gate)) {
            refuseWithout(SettingKeys.GATE_HEADER, SettingKeys.GATE + " = header-token");
            if (!"session".equals(gate)) {
                refuseWithout(SettingKeys.GATE_ATTRIBUTE, SettingKeys.GATE + " = session or header-token");
            }
        } else if (attribute.isEmpty() || header.isEmpty()) {
            throw refused(
                    SettingKeys.GATE,
                    "needs " + SettingKeys.GATE_HEADER + " and " + SettingKeys.GATE_ATTRIBUTE + " beside it",
                    null);
        }
        use(SettingKeys.GATE, text -> {
            switch (oneOf(text, "open", "session", "header-token")) {
                case "session" ->
                    into.gate(attribute.isEmpty() ? RequestGate.session() : RequestGate.sessionAttribute(attribute));
                case "header-token" -> into.gate(RequestGate.headerToken(header, attribute));
                default -> into.gate(RequestGate.allowAll());
            }
        });
    }

    private void readProxies() {
        if (!texts.containsKey(SettingKeys.PROXIES)) {
            refuseWithout(SettingKeys.PROXY_HEADER, SettingKeys.PROXIES);
            return;
        }
        ForwardingHeader[] header = {ForwardingHeader.X_FORWARDED_FOR};
        use(SettingKeys.PROXY_HEADER, text -> header[0] = constant(ForwardingHeader.class, text));
        use(SettingKeys.PROXIES, text -> into.proxies(header[0], items(text).toArray(String[]::new)));
    }

    private void readRecheckLimit() {
        if (texts.containsKey(SettingKeys.RECHECK_LIMIT) || texts.containsKey(SettingKeys.RECHECK_BURST)) {
            into.recheckLimit(number(Setting.RECHECK_LIMIT), number(Setting.RECHECK_BURST));
        }
    }

    private void readFreeAnswerLimit(Setting limit, Setting burst, BiConsumer<Integer, Integer> use) {
        if (texts.containsKey(limit.key()) && !"unlimited".equals(texts.get(limit.key()))) {
            use.accept(number(limit), number(burst));
        } else {
            refuseWithout(burst.key(), limit.key() + " with a number");
        }
    }

    private void readSweepAlarm() {
        double[] share = {0.7};
        Duration[] window = {Duration.ofMinutes(1)};
        use(SettingKeys.SWEEP_SHARE, text -> share[0] = share(text));
        use(SettingKeys.SWEEP_WINDOW, text -> window[0] = positive(time(text)));
        if (texts.containsKey(SettingKeys.SWEEP_ANSWERS)
                || texts.containsKey(SettingKeys.SWEEP_SHARE)
                || texts.containsKey(SettingKeys.SWEEP_WINDOW)) {
            into.sweepAlarm(number(Setting.SWEEP_ANSWERS), share[0], window[0]);
        }
    }

    private interface KindUse {
        void accept(IdentifierKind kind, String text);
    }

    private void useOfKinds(String start, KindUse use) {
        for (String key : texts.keySet()) {
            if (key.startsWith(start)) {
                use(key, text -> use.accept(IdentifierKind.of(key.substring(start.length())), text));
            }
        }
    }

    /** Uses the text of a key if there is one; errors are reported with the key. */
    private void use(String key, Consumer<String> use) {
        String text = texts.get(key);
        if (text != null) {
            try {
                if (text.isEmpty()) {
                    throw new IllegalArgumentException("it must not be empty");
                }
                use.accept(text);
            } catch (IllegalArgumentException | IllegalStateException e) {
                throw refused(key, String.valueOf(e.getMessage()), e);
            }
        }
    }

    private int number(Setting setting) {
        int[] number = {setting.number()};
        use(setting.key(), text -> number[0] = setting.number(text));
        return number[0];
    }

    private void refuseWithout(String key, String condition) {
        if (texts.containsKey(key)) {
            throw refused(key, "it has no effect without " + condition, null);
        }
    }

    private IllegalArgumentException refused(String key, String why, @Nullable Exception cause) {
        return new IllegalArgumentException("setting '" + key + "' = '" + texts.get(key) + "': " + why, cause);
    }

    private static String[] listOrNone(String text) {
        return text.equals("none") ? new String[0] : items(text).toArray(String[]::new);
    }
}
