package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.CheckMethod;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.ForwardingHeader;
import io.github.untaken.http.KindMode;
import io.github.untaken.http.RequestGate;
import io.github.untaken.http.SettingKeys;
import io.github.untaken.servlet.RawHttp.Answer;
import io.github.untaken.test.log.LoggedLines;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many "available" somebody may hear. A token a minute: however slow the machine, only the burst counts. */
class FreeAnswerLimitTest {
    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice", "anna");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                .store(USERNAME, users)
                .store(EMAIL, new UserTable())
                .normalizer(EMAIL, new Mailboxes()));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
    }

    private static EndpointSettingsBuilder settings() {
        return EndpointSettings.builder()
                .limiter(ClientLimiter.unlimited())
                .mode(EMAIL, KindMode.BLIND)
                .methods(EMAIL, CheckMethod.GET)
                .ownIdentifiers((request, kind) -> Optional.ofNullable(request.header("X-Me")))
                .proxies(ForwardingHeader.X_FORWARDED_FOR, "127.0.0.0/8");
    }

    private Container.Running serve(EndpointSettingsBuilder settings) throws Exception {
        return Container.JETTY.start(context -> Container.everywhere(
                context, "availability", new AvailabilityServletFilter(checker, settings.build())));
    }

    private static Answer get(Container.Running server, String client, String query, String... headers)
            throws IOException {
        return RawHttp.send(
                server.port(),
                "GET /app/availability?" + query + " HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: " + client + "\r\n"
                        + String.join("", headers) + "Connection: close\r\n\r\n");
    }

    private static void refused(Answer answer) {
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.body()).contains("too-many-answers").contains("\"availability\":\"unknown\"");
        assertThat(Integer.parseInt(answer.headers().get("retry-after"))).isBetween(1, 60);
    }

    @Test
    void pastItTheClientIsToldNothingMore() throws Exception {
        try (Container.Running server = serve(settings().clientFreeAnswerLimit(1, 3))) {
            for (int i = 0; i < 3; i++) {
                assertThat(get(server, "203.0.113.1", "username=free" + i).body())
                        .contains("\"available\":true");
                assertThat(get(server, "203.0.113.1", "username=alice").body()).contains("taken");
            }
            // Were taken names still told, a refusal would mean "free".
            refused(get(server, "203.0.113.1", "username=alice"));
            refused(get(server, "203.0.113.1", "username=free0"));
            assertThat(get(server, "203.0.113.2", "username=free0").status()).isEqualTo(200);
            // A blind kind tells of nobody, so it takes no part.
            assertThat(get(server, "203.0.113.1", "email=a%40example.org").status())
                    .isEqualTo(200);
            refused(get(server, "203.0.113.1", "email=a%40example.org&username=alice"));
        }
    }

    @Test
    void onlyFreeAnswersCount() throws Exception {
        try (Container.Running server =
                serve(settings().clientFreeAnswerLimit(1, 1).freeAnswerLimit(1, 1))) {
            for (int i = 0; i < 20; i++) {
                assertThat(get(server, "203.0.113.1", "username=anna").body()).contains("taken");
                assertThat(get(server, "203.0.113.1", "username=admin").body()).contains("reserved");
                assertThat(get(server, "203.0.113.1", "username=x").body()).contains("invalid");
                assertThat(get(server, "203.0.113.1", "username=alice", "X-Me: alice\r\n")
                                .body())
                        .contains("\"yours\":true");
            }
            assertThat(get(server, "203.0.113.1", "username=free").body()).contains("\"available\":true");
            refused(get(server, "203.0.113.1", "username=free"));
        }
    }

    @Test
    void eachFreeFieldOfARequestCounts() throws Exception {
        EndpointSettingsBuilder settings = EndpointSettings.builder()
                .limiter(ClientLimiter.unlimited())
                .gate(RequestGate.allowAll())
                .mode(EMAIL, KindMode.LIMITED)
                .methods(EMAIL, CheckMethod.GET)
                .proxies(ForwardingHeader.X_FORWARDED_FOR, "127.0.0.0/8")
                .clientFreeAnswerLimit(1, 4);
        try (Container.Running server = serve(settings)) {
            for (int i = 0; i < 2; i++) {
                assertThat(get(server, "203.0.113.1", "username=free" + i + "&email=free" + i + "%40example.org")
                                .status())
                        .isEqualTo(200);
            }
            refused(get(server, "203.0.113.1", "username=alice"));
        }
    }

    @Test
    void theNetworkOfAClientHasALimitToo() throws Exception {
        try (Container.Running server =
                serve(settings().clientFreeAnswerLimit(1, 2).clientNetworks("ipv4/24=3"))) {
            for (int i = 0; i < 6; i++) {
                assertThat(get(server, "203.0.113." + i, "username=free").status())
                        .isEqualTo(200);
            }
            refused(get(server, "203.0.113.7", "username=free"));
            assertThat(get(server, "203.0.114.7", "username=free").status()).isEqualTo(200);
        }
    }

    @Test
    void allTogetherMayHearSoManyAndThenAWarningIsLogged() throws Exception {
        try (Container.Running server = serve(settings().freeAnswerLimit(1, 5));
                LoggedLines log = new LoggedLines()) {
            for (int i = 0; i < 5; i++) {
                assertThat(get(server, "203.0." + i + ".1", "username=free" + i).status())
                        .isEqualTo(200);
            }
            assertThat(log.warnings(SettingKeys.FREE_ANSWER_LIMIT)).isEmpty();
            for (int i = 0; i < 5; i++) {
                refused(get(server, "198.51." + i + ".1", "username=alice"));
            }
            assertThat(log.warnings(SettingKeys.FREE_ANSWER_LIMIT)).hasSize(1);
        }
    }

    @Test
    void byDefaultThereIsNone() throws Exception {
        try (Container.Running server = serve(settings())) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 2000; i++) {
                all.append("GET /app/availability?username=free HTTP/1.1\r\nHost: x\r\n")
                        .append(i == 1999 ? "Connection: close\r\n\r\n" : "\r\n");
            }
            assertThat(RawHttp.sendMany(server.port(), all.toString()).split("HTTP/1.1 200", -1))
                    .hasSize(2001);
        }
    }
}
