package io.github.untaken.spring.boot.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.SettingKeys;
import io.github.untaken.spring.boot.UntakenProperties;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Every setting of the endpoint has a property. */
class EndpointTextsTest {
    /** With the text that its reader must be given. */
    private static final Map<String, String> ENDPOINT = new TreeMap<>(Map.ofEntries(
            Map.entry(SettingKeys.ENDPOINT_ENABLED, "false"),
            Map.entry(SettingKeys.PATH, "/free"),
            Map.entry(SettingKeys.KINDS, "username,email"),
            Map.entry(SettingKeys.MODE + "email", "blind"),
            Map.entry(SettingKeys.METHODS + "username", "GET,POST"),
            Map.entry(SettingKeys.SUGGESTIONS + "username", "none"),
            Map.entry(SettingKeys.EXPOSE_DECISION, "true"),
            Map.entry(SettingKeys.CLIENT_LIMIT, "30"),
            Map.entry(SettingKeys.CLIENT_BURST, "5"),
            Map.entry(SettingKeys.GATE, "header-token"),
            Map.entry(SettingKeys.GATE_ATTRIBUTE, "token"),
            Map.entry(SettingKeys.GATE_HEADER, "X-Token"),
            Map.entry(SettingKeys.PROXIES, "10.0.0.0/8"),
            Map.entry(SettingKeys.PROXY_HEADER, "forwarded"),
            Map.entry(SettingKeys.IPV6_PREFIX_LENGTH, "56"),
            Map.entry(SettingKeys.RECHECK_LIMIT, "100"),
            Map.entry(SettingKeys.RECHECK_BURST, "10"),
            Map.entry(SettingKeys.SWEEP_ANSWERS, "10"),
            Map.entry(SettingKeys.SWEEP_SHARE, "0.5"),
            Map.entry(SettingKeys.SWEEP_WINDOW, "120000ms"),
            Map.entry(SettingKeys.BLIND_STEP, "20ms"),
            Map.entry(SettingKeys.WATCH, "POST /signup registers username from parameter name"),
            Map.entry(SettingKeys.SCRIPT_PATH, "/u.js"),
            Map.entry(SettingKeys.CLIENT_NETWORKS, "ipv4/24=4,ipv6/48=8"),
            Map.entry(SettingKeys.FREE_ANSWER_LIMIT, "1000"),
            Map.entry(SettingKeys.FREE_ANSWER_BURST, "10"),
            Map.entry(SettingKeys.CLIENT_FREE_ANSWER_LIMIT, "100"),
            Map.entry(SettingKeys.CLIENT_FREE_ANSWER_BURST, "11"),
            Map.entry(SettingKeys.MAX_WAITING_CHECKS, "8"),
            Map.entry(SettingKeys.PENDING_BODIES, "9"),
            Map.entry(SettingKeys.OPEN_API_PATH, "/openapi.yaml"),
            Map.entry(SettingKeys.ALLOWED_ORIGINS, "https://example.com")));

    private static UntakenProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("untaken", Bindable.of(UntakenProperties.class));
    }

    @Test
    void aPropertySetsEachSettingOfTheEndpoint() throws IllegalAccessException {
        List<String> keys = new ArrayList<>();
        for (Field field : SettingKeys.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    // The last is for containers that install the filter.
                    && !Set.of("PREFIX", "AUTO_INSTALL").contains(field.getName())) {
                keys.add((String) field.get(null));
            }
        }
        assertThat(keys)
                .allSatisfy(key -> assertThat(ENDPOINT.keySet())
                        .as("bind " + key)
                        .anyMatch(bound -> bound.equals(key) || key.endsWith(".") && bound.startsWith(key)));
        assertThat(EndpointTexts.of(bound(ENDPOINT))).containsExactlyInAnyOrderEntriesOf(ENDPOINT);
        EndpointSettings.builder().properties(ENDPOINT).build();
    }

    @Test
    void whatIsNotSetIsNotToldToTheEndpoint() {
        assertThat(EndpointTexts.of(bound(Map.of()))).isEmpty();
    }
}
