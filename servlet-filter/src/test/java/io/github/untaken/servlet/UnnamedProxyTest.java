package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.ForwardingHeader;
import io.github.untaken.http.SettingKeys;
import io.github.untaken.test.log.LoggedLines;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reverse proxy that nobody named makes all its clients one. That is said. */
class UnnamedProxyTest {
    private static void ask(Container.Running server, String header) throws IOException {
        assertThat(RawHttp.send(
                                server.port(),
                                "GET /app/availability?username=bob HTTP/1.1\r\nHost: x\r\n" + header
                                        + "Connection: close\r\n\r\n")
                        .status())
                .isEqualTo(200);
    }

    private static Container.Running serve(AvailabilityChecker checker, EndpointSettingsBuilder settings)
            throws Exception {
        return Container.JETTY.start(context -> Container.everywhere(
                context, "availability", new AvailabilityServletFilter(checker, settings.build())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forwarded-For: 198.51.100.77", "Forwarded: for=198.51.100.77", "forwarded:"})
    void isNamedInOneWarningWithoutAnAddress(String header) throws Exception {
        try (UserTable users = new UserTable();
                AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
                Container.Running server = serve(
                        checker,
                        EndpointSettings.builder().proxies(ForwardingHeader.X_FORWARDED_FOR, "198.51.100.0/24"));
                LoggedLines log = new LoggedLines()) {
            ask(server, "");
            assertThat(log.warnings(SettingKeys.PROXIES)).isEmpty();
            ask(server, header + "\r\n");
            ask(server, header + "\r\n");
            ask(server, "X-Forwarded-For: 203.0.113.9\r\n");
            assertThat(log.warnings(SettingKeys.PROXIES)).hasSize(1);
            assertThat(log.warnings(header.substring(1, header.indexOf(':')))).hasSize(1);
            assertThat(log.warnings("198.51")).isEmpty();
            assertThat(log.warnings("127.0")).isEmpty();
        }
    }

    @Test
    void aNamedProxyIsNoNews() throws Exception {
        try (UserTable users = new UserTable();
                AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
                Container.Running server = serve(
                        checker, EndpointSettings.builder().proxies(ForwardingHeader.X_FORWARDED_FOR, "127.0.0.0/8"));
                LoggedLines log = new LoggedLines()) {
            ask(server, "X-Forwarded-For: 203.0.113.9\r\n");
            ask(server, "Forwarded: for=203.0.113.9\r\n");
            assertThat(log.warnings(SettingKeys.PROXIES)).isEmpty();
        }
    }
}
