package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.ForwardingHeader;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever has many addresses has not as many limits. Asked over HTTP, by a proxy that is trusted. */
class ClientNetworksTest {
    /** A minute between two tokens: however slow the machine, only the burst counts. */
    private static final int RARELY = 1;

    private static final int BURST = 20;

    /** How many of so many requests are admitted, the client of each given by its number. */
    private static long admitted(EndpointSettingsBuilder settings, int requests, IntFunction<String> client)
            throws Exception {
        try (UserTable users = new UserTable();
                AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
                Container.Running server = Container.JETTY.start(context -> Container.everywhere(
                        context,
                        "availability",
                        new AvailabilityServletFilter(
                                checker,
                                settings.proxies(ForwardingHeader.X_FORWARDED_FOR, "127.0.0.0/8")
                                        .build())))) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < requests; i++) {
                all.append("GET /app/availability?username=bob HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ")
                        .append(client.apply(i))
                        .append(i == requests - 1 ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n");
            }
            List<String> answers =
                    List.of(RawHttp.sendMany(server.port(), all.toString()).split("(?=HTTP/1\\.1 )"));
            assertThat(answers).hasSize(requests).allMatch(answer -> answer.matches("(?s)HTTP/1.1 (200|429) .*"));
            return answers.stream()
                    .filter(answer -> answer.startsWith("HTTP/1.1 200"))
                    .count();
        }
    }

    private static EndpointSettingsBuilder limited() {
        return EndpointSettings.builder().limiter(ClientLimiter.perMinute(RARELY, BURST));
    }

    private static String hex(int number) {
        return Integer.toHexString(number);
    }

    @Test
    void sixtyNetworksOfOneHomeAreNotSixtyClients() throws Exception {
        assertThat(admitted(limited(), 60, i -> "2001:db8:0:100::1")).isEqualTo(BURST);
        assertThat(admitted(limited(), 60, i -> "2001:db8:0:1" + (i < 16 ? "0" : "") + hex(i) + "::1"))
                .isEqualTo(2 * BURST);
    }

    @Test
    void aThousandNetworksOfOneSiteAreNotAThousandClients() throws Exception {
        assertThat(admitted(limited(), 1000, i -> "2001:db8:7:" + hex(i * 61 + 1) + "::1"))
                .isEqualTo(16 * BURST);
    }

    @Test
    void neighboursInVersionFourShareALimitToo() throws Exception {
        assertThat(admitted(limited(), 500, i -> "203.0.113." + i % 250)).isEqualTo(8 * BURST);
    }

    @Test
    void strangersShareNothing() throws Exception {
        assertThat(admitted(limited(), 300, i -> "203.0." + i % 100 + ".7")).isEqualTo(300);
        assertThat(admitted(limited(), 300, i -> "2001:db8:" + hex(i) + "::1")).isEqualTo(300);
    }

    @Test
    void whichNetworksCountForHowManyIsASetting() throws Exception {
        assertThat(admitted(limited().clientNetworks(), 500, i -> "203.0.113." + i % 250))
                .isEqualTo(500);
        assertThat(admitted(limited().clientNetworks("ipv4/16=3", "ipv6/32=1"), 500, i -> "203.0." + i % 250 + ".1"))
                .isEqualTo(3 * BURST);
        assertThat(admitted(limited().clientNetworks("ipv4/16=3", "ipv6/32=1"), 50, i -> "2001:db8:" + hex(i) + "::1"))
                .isEqualTo(BURST);
        assertThat(admitted(limited().ipv6PrefixLength(48), 500, i -> "2001:db8:7:" + hex(i * 61 + 1) + "::1"))
                .isEqualTo(BURST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "24=8", "ipv4/24", "ipv4/32=8", "ipv4/7=8", "ipv6/128=1", "ipv6/48=0", "ipv6/48=1001"})
    void aSizeThatIsNoneIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EndpointSettings.builder().clientNetworks(text))
                .withMessageContaining("'" + text + "'")
                .withMessageContaining("ipv6/48=16");
    }

    @Test
    void oneSizeCountsOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EndpointSettings.builder().clientNetworks("ipv4/24=8", "ipv4/24=9"))
                .withMessageContaining("twice");
    }
}
