package io.github.untaken.spring.boot.endpoint;

import io.github.untaken.http.SettingKeys;
import io.github.untaken.spring.boot.UntakenProperties;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of the endpoint as the texts that its own reader takes, which knows ranges and names what is wrong. */
final class EndpointTexts {
    private final Map<String, String> texts = new LinkedHashMap<>();

    private EndpointTexts() {}

    /** What is set, and nothing else. */
    static Map<String, String> of(UntakenProperties from) {
        EndpointTexts to = new EndpointTexts();
        to.put(SettingKeys.ENDPOINT_ENABLED, from.endpointEnabled());
        to.put(SettingKeys.PATH, from.path());
        to.put(SettingKeys.KINDS, from.kinds());
        to.putEach(SettingKeys.MODE, from.mode());
        to.putEach(SettingKeys.METHODS, from.methods());
        to.putEach(SettingKeys.SUGGESTIONS, from.suggestions());
        to.put(SettingKeys.EXPOSE_DECISION, from.exposeDecision());
        to.put(SettingKeys.CLIENT_LIMIT, from.clientLimit());
        to.put(SettingKeys.CLIENT_BURST, from.clientBurst());
        to.put(SettingKeys.GATE, from.gate());
        to.put(SettingKeys.GATE_ATTRIBUTE, from.gateAttribute());
        to.put(SettingKeys.GATE_HEADER, from.gateHeader());
        to.put(SettingKeys.PROXIES, from.proxies());
        to.put(SettingKeys.PROXY_HEADER, from.proxyHeader());
        to.put(SettingKeys.IPV6_PREFIX_LENGTH, from.ipv6PrefixLength());
        to.put(SettingKeys.CLIENT_NETWORKS, from.clientNetworks());
        to.put(SettingKeys.RECHECK_LIMIT, from.recheckLimit());
        to.put(SettingKeys.RECHECK_BURST, from.recheckBurst());
        to.put(SettingKeys.FREE_ANSWER_LIMIT, from.freeAnswerLimit());
        to.put(SettingKeys.FREE_ANSWER_BURST, from.freeAnswerBurst());
        to.put(SettingKeys.CLIENT_FREE_ANSWER_LIMIT, from.clientFreeAnswerLimit());
        to.put(SettingKeys.CLIENT_FREE_ANSWER_BURST, from.clientFreeAnswerBurst());
        to.put(SettingKeys.SWEEP_ANSWERS, from.sweepAnswers());
        to.put(SettingKeys.SWEEP_SHARE, from.sweepShare());
        to.put(SettingKeys.SWEEP_WINDOW, from.sweepWindow());
        to.put(SettingKeys.BLIND_STEP, from.blindStep());
        to.put(SettingKeys.MAX_WAITING_CHECKS, from.maxWaitingChecks());
        to.put(SettingKeys.PENDING_BODIES, from.pendingBodies());
        to.put(SettingKeys.WATCH, from.watch());
        to.put(SettingKeys.SCRIPT_PATH, from.scriptPath());
        to.put(SettingKeys.OPEN_API_PATH, from.openApiPath());
        to.put(SettingKeys.ALLOWED_ORIGINS, from.allowedOrigins());
        return to.texts;
    }

    private void putEach(String start, Map<String, ?> values) {
        values.forEach((kind, value) -> put(start + kind, value));
    }

    private void put(String key, @Nullable Object value) {
        if (value instanceof List<?> list) {
            texts.put(key, String.join(",", list.stream().map(Object::toString).toList()));
        } else if (value instanceof Duration time) {
            texts.put(key, time.toMillis() + "ms");
        } else if (value != null) {
            texts.put(key, value.toString());
        }
    }
}
