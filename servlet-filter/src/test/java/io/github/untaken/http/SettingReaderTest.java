package io.github.untaken.http;

import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings as texts say the same as the builder's methods, or say what is wrong with them. */
class SettingReaderTest {

    private static EndpointSettings read(String... keysAndTexts) {
        return EndpointSettings.builder().properties(map(keysAndTexts)).build();
    }

    private static Map<String, String> map(String... keysAndTexts) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            map.put(keysAndTexts[i], keysAndTexts[i + 1]);
        }
        return map;
    }

    @Test
    void everyConstantIsRead() throws Exception {
        Set<String> constants = new TreeSet<>();
        for (Field field : SettingKeys.class.getFields()) {
            constants.add((String) field.get(null));
        }
        constants.remove(SettingKeys.PREFIX);
        assertThat(Stream.of(Setting.values()).map(Setting::key)).containsExactlyInAnyOrderElementsOf(constants);
    }

    @Test
    void aLimitOfReadsKeepsTheBurstThatWasNotSaid() {
        assertThat(read("untaken.recheck-limit", "600").recheckLimit)
                .isEqualTo(io.github.untaken.http.limit.Rate.perMinute(600, 10_000));
        assertThat(read("untaken.recheck-burst", "7").recheckLimit)
                .isEqualTo(io.github.untaken.http.limit.Rate.perMinute(60_000, 7));
    }

    @Test
    void textsSayWhatTheBuilderSays() {
        EndpointSettings settings = read(
                "untaken.path", "/api/free",
                "untaken.script-path", "/js/untaken.js",
                "untaken.kinds", "username, phone",
                "untaken.mode.phone", "blind",
                "untaken.methods.username", "GET",
                "untaken.suggestions.username", "none",
                "untaken.expose-decision", "true",
                "untaken.client-limit", "30",
                "untaken.client-burst", "2",
                "untaken.gate", "session",
                "untaken.proxies", "10.0.0.0/8 2001:db8::/32",
                "untaken.proxy-header", "forwarded",
                "untaken.ipv6-prefix-length", "56",
                "untaken.client-networks", "ipv6/48=4",
                "untaken.recheck-limit", "600",
                "untaken.recheck-burst", "7",
                "untaken.endpoint-enabled", "false",
                "untaken.open-api-path", "/api/openapi.json",
                "untaken.allowed-origins", "https://a.example, https://b.example:8443",
                "untaken.free-answer-limit", "1",
                "untaken.free-answer-burst", "5",
                "untaken.client-free-answer-limit", "1",
                "untaken.client-free-answer-burst", "3",
                "untaken.sweep-answers", "10",
                "untaken.sweep-share", "0.5",
                "untaken.sweep-window", "30s",
                "untaken.blind-step", "20ms",
                "untaken.max-waiting-checks", "9",
                "untaken.pending-bodies", "7",
                "untaken.auto-install", "true",
                "untaken.watch",
                        " POST /signup registers username from parameter name ;\n"
                                + "PUT /accounts/{name}  registers username from path variable name;",
                "other.setting", "ignored");
        assertThat(settings.path).isEqualTo("/api/free");
        assertThat(settings.scriptPath).contains("/js/untaken.js");
        var served = settings.served(Set.of(USERNAME, PHONE));
        assertThat(served.keySet()).containsExactly(USERNAME, PHONE);
        assertThat(served.get(PHONE).mode()).isEqualTo(KindMode.BLIND);
        assertThat(served.get(USERNAME).methods()).containsExactly(CheckMethod.GET);
        assertThat(served.get(USERNAME).suggestions().orElseThrow().candidates("zoe"))
                .isEmpty();
        assertThat(settings.exposeDecision).isTrue();
        ClientKey client = new ClientKey("192.0.2.1");
        assertThat(Stream.generate(() -> settings.limiter.admit(client).admitted())
                        .limit(3))
                .containsExactly(true, true, false);
        assertThat(settings.endpointEnabled()).isFalse();
        assertThat(settings.openApiPath).contains("/api/openapi.json");
        FreeAnswers free = settings.freeAnswers();
        assertThat(free.leftFor(client).admitted() && free.left().admitted()).isTrue();
        free.told(client, 3);
        assertThat(free.leftFor(client).admitted()).isFalse();
        assertThat(free.left().admitted()).isTrue();
        free.told(client, 2);
        assertThat(free.left().admitted()).isFalse();
        assertThat(settings.gate).isEqualTo(RequestGate.session());
        assertThat(settings.recheckLimit).isEqualTo(io.github.untaken.http.limit.Rate.perMinute(600, 7));
        assertThat(settings.sweepLimit).isEqualTo(new EndpointSettings.SweepLimit(10, 0.5, Duration.ofSeconds(30)));
        assertThat(settings.blindStep).isEqualTo(Duration.ofMillis(20));
        assertThat(settings.maxWaitingChecks).isEqualTo(9);
        assertThat(settings.pendingBodies).isEqualTo(7);
        assertThat(settings.watchRules().stream().map(WatchRule::toString))
                .containsExactly(
                        "POST /signup registers username from parameter name",
                        "PUT /accounts/{name} registers username from path variable name");
    }

    @Test
    void withoutTextsEverySettingHasItsDefault() {
        EndpointSettings settings = read();
        assertThat(settings.path).isEqualTo("/availability");
        assertThat(settings.scriptPath).contains("/untaken.js");
        assertThat(settings.gate).isEqualTo(RequestGate.allowAll());
        assertThat(read("untaken.script-path", "none").scriptPath).isEmpty();
        assertThat(settings.endpointEnabled()).isTrue();
        assertThat(settings.openApiPath).isEmpty();
        assertThat(read("untaken.open-api-path", "none", "untaken.allowed-origins", "none").openApiPath)
                .isEmpty();
        for (String[] noLimit : new String[][] {
            {}, {"untaken.free-answer-limit", "unlimited", "untaken.client-free-answer-limit", "unlimited"}
        }) {
            FreeAnswers free = read(noLimit).freeAnswers();
            free.told(new ClientKey("192.0.2.1"), 1_000_000);
            assertThat(free.left().admitted()).isTrue();
            assertThat(free.leftFor(new ClientKey("192.0.2.1")).admitted()).isTrue();
        }
        assertThat(read("untaken.client-limit", "unlimited").limiter).isEqualTo(ClientLimiter.unlimited());
        assertThat(read("untaken.sweep-share", "0.9").sweepLimit)
                .isEqualTo(new EndpointSettings.SweepLimit(300, 0.9, Duration.ofMinutes(1)));
    }

    @ParameterizedTest
    @CsvSource({
        "untaken.pth, untaken.path",
        "untaken.clientLimit, untaken.client-limit",
        "untaken.client-limits, untaken.client-limit",
        "untaken.kind, untaken.kinds",
        "untaken.proxys, untaken.proxies",
        "untaken.modus.phone, untaken.mode.<kind>",
        "untaken.mode, untaken.mode.<kind>",
        "untaken.mode., untaken.mode.<kind>",
        "untaken.method.phone, untaken.methods.<kind>",
        "untaken.GATE, untaken.gate",
        "untaken., untaken.path",
    })
    void anUnknownKeyIsAnErrorThatNamesTheNearest(String key, String nearest) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(key, "1"))
                .withMessage("there is no setting '" + key + "'; the nearest is '" + nearest + "'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "untaken.path           | availability | '/'",
                "untaken.script-path    | untaken.js   | '/'",
                "untaken.script-path    | ''           | empty",
                "untaken.kinds          | Username     | lower-case",
                "untaken.kinds          | ','          | at least one",
                "untaken.mode.phone     | shut         | open, limited, blind",
                "untaken.mode.Phone     | blind        | lower-case",
                "untaken.methods.phone  | PUT          | get, post",
                "untaken.suggestions.username | some   | variants, none",
                "untaken.expose-decision | yes         | true, false",
                "untaken.client-limit   | 0            | 1 to 60000000",
                "untaken.client-limit   | 60000001     | 1 to 60000000",
                "untaken.client-limit   | many         | 1 to 60000000",
                "untaken.client-burst   | 1000001      | 1 to 1000000",
                "untaken.gate           | closed       | open, session, header-token",
                "untaken.gate           | header-token | untaken.gate-header",
                "untaken.gate-header    | X-Token      | untaken.gate = header-token",
                "untaken.gate-attribute | token        | untaken.gate = session",
                "untaken.proxies        | 10.0.0.1/8   | 10.0.0.0/8",
                "untaken.proxies        | proxy.local  | 10.0.0.0/8",
                "untaken.proxy-header   | forwarded    | untaken.proxies",
                "untaken.ipv6-prefix-length | 31       | 32 to 128",
                "untaken.client-networks | ipv4/24     | ipv4/24=8",
                "untaken.recheck-limit  | 0            | 1 to 60000000",
                "untaken.recheck-burst  | 0            | 1 to 1000000",
                "untaken.endpoint-enabled | off          | true, false",
                "untaken.free-answer-limit | 0         | 1 to 60000000",
                "untaken.free-answer-burst | 5         | untaken.free-answer-limit with a number",
                "untaken.client-free-answer-limit | x  | 1 to 60000000",
                "untaken.open-api-path  | openapi      | '/'",
                "untaken.allowed-origins | *           | https://www.example.org",
                "untaken.sweep-answers  | 0            | 1 to",
                "untaken.sweep-share    | 1.1          | over 0 and at most 1",
                "untaken.sweep-share    | NaN          | over 0 and at most 1",
                "untaken.sweep-window   | 0s           | more than zero",
                "untaken.blind-step     | 10           | ms, s, m or h",
                "untaken.blind-step     | 2s           | 1 ms to 1 s",
                "untaken.max-waiting-checks | 0        | 1 to 100000",
                "untaken.pending-bodies | 0            | 1 to 1000000",
                "untaken.watch          | POST /signup | from parameter name",
                "untaken.watch          | POST signup registers username from parameter n | '/'",
                "untaken.watch          | POST /s registers username from path variable n | no variable",
                "untaken.auto-install   | 1            | true, false",
            })
    void aBadTextIsAnErrorThatNamesKeyValueAndLimit(String key, String text, String limit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(key, text))
                .withMessageStartingWith("setting '" + key + "' = '" + text + "': ")
                .withMessageContaining(limit);
    }

    @Test
    void whatOtherSettingsExcludeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("untaken.client-limit", "unlimited", "untaken.client-burst", "3"))
                .withMessageContaining("untaken.client-burst");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EndpointSettings.builder()
                        .path("/free")
                        .properties(map("untaken.path", "/availability"))
                        .build())
                .withMessageContaining("untaken.path")
                .withMessageContaining("already set");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("untaken.path", "/x", "untaken.script-path", "/x"))
                .withMessageContaining("must differ");
    }
}
