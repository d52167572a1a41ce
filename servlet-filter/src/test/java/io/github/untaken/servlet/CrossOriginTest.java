package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.servlet.RawHttp.Answer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pages of other origins a browser lets read the answers. */
class CrossOriginTest {
    private static final String ALLOWED = "access-control-allow-origin";

    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws Exception {
        users = new UserTable("alice");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
    }

    @AfterEach
    void close() throws Exception {
        checker.close();
        users.close();
    }

    private Container.Running serve(Container container, EndpointSettingsBuilder settings) throws Exception {
        return container.start(context -> Container.everywhere(
                context, "availability", new AvailabilityServletFilter(checker, settings.build())));
    }

    private static Answer send(Container.Running server, String method, String query, String headers)
            throws IOException {
        return RawHttp.send(
                server.port(),
                method + " /app/availability" + query + " HTTP/1.1\r\nHost: x\r\n" + headers
                        + "Connection: close\r\n\r\n");
    }

    @Test
    void byDefaultNone() throws Exception {
        try (Container.Running server = serve(Container.JETTY, EndpointSettings.builder())) {
            for (String method : new String[] {"GET", "OPTIONS"}) {
                Answer answer = send(
                        server,
                        method,
                        "?username=bob",
                        "Origin: https://a.example\r\nAccess-Control-Request-Method: POST\r\n");
                assertThat(answer.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
                assertThat(answer.headers()).doesNotContainKey("vary");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheListed(Container container) throws Exception {
        try (Container.Running server = serve(
                container,
                EndpointSettings.builder()
                        .allowedOrigins("https://a.example", "http://localhost:3000")
                        .limiter(ClientLimiter.perMinute(1, 3)))) {
            Answer listed = send(server, "GET", "?username=bob", "Origin: https://a.example\r\n");
            assertThat(listed.status()).isEqualTo(200);
            assertThat(listed.headers()).containsEntry(ALLOWED, "https://a.example");
            assertThat(listed.headers().get("vary")).contains("Origin");
            assertThat(listed.headers()).doesNotContainKey("access-control-allow-credentials");
            assertThat(listed.headers()).containsEntry("access-control-expose-headers", "Retry-After");

            for (String other : new String[] {
                "Origin: https://b.example\r\n", "Origin: https://a.example.b.example\r\n", "Origin: null\r\n", ""
            }) {
                Answer answer = send(server, "GET", "?username=bob", other);
                assertThat(answer.headers()).doesNotContainKey(ALLOWED);
                assertThat(answer.headers().get("vary")).contains("Origin");
            }
            // A page must be able to read that it asked too often, and when to come back.
            Answer refused = send(server, "GET", "?username=bob", "Origin: http://localhost:3000\r\n");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers()).containsEntry(ALLOWED, "http://localhost:3000");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPreflightIsAnsweredAndCostsNothing(Container container) throws Exception {
        try (Container.Running server = serve(
                container,
                EndpointSettings.builder()
                        .allowedOrigins("https://a.example")
                        .limiter(client -> ClientLimiter.Decision.refuse(Duration.ZERO)))) {
            String preflight = "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-token\r\n";
            Answer listed = send(server, "OPTIONS", "", "Origin: https://a.example\r\n" + preflight);
            assertThat(listed.status()).isEqualTo(204);
            assertThat(listed.headers())
                    .containsEntry(ALLOWED, "https://a.example")
                    .containsEntry("access-control-allow-methods", "GET, HEAD, POST, OPTIONS")
                    .containsEntry("access-control-allow-headers", "*")
                    .containsEntry("access-control-max-age", "600")
                    .containsEntry("allow", "GET, HEAD, POST, OPTIONS");
            Answer other = send(server, "OPTIONS", "", "Origin: https://b.example\r\n" + preflight);
            assertThat(other.status()).isEqualTo(204);
            assertThat(other.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
        }
    }

    /** Else any page could use up what its visitors may ask here. */
    @ParameterizedTest
    @EnumSource
    void aPageOfAnotherSiteIsRefusedAndCountsForNothing(Container container) throws Exception {
        try (Container.Running server = serve(
                container,
                EndpointSettings.builder()
                        .allowedOrigins("https://a.example")
                        .limiter(ClientLimiter.perMinute(1, 3)))) {
            for (int i = 0; i < 5; i++) {
                for (String foreign : new String[] {
                    "Sec-Fetch-Site: cross-site\r\n",
                    "Sec-Fetch-Site: same-site\r\n",
                    "Sec-Fetch-Site: cross-site\r\nOrigin: https://b.example\r\n",
                    "Sec-Fetch-Site: cross-site\r\nOrigin: null\r\n"
                }) {
                    for (String method : new String[] {"GET", "HEAD", "POST"}) {
                        Answer answer = send(server, method, "?username=bob", foreign);
                        assertThat(answer.status()).as(method + foreign).isEqualTo(403);
                        assertThat(answer.body())
                                .satisfiesAnyOf(
                                        body -> assertThat(body).isEmpty(),
                                        body -> assertThat(body)
                                                .contains("2026:another-site\"")
                                                .doesNotContain("available"));
                    }
                }
            }
            for (String own : new String[] {
                "Sec-Fetch-Site: same-origin\r\n", "Sec-Fetch-Site: cross-site\r\nOrigin: https://a.example\r\n", ""
            }) {
                assertThat(send(server, "GET", "?username=bob", own).status())
                        .as(own)
                        .isEqualTo(200);
            }
            assertThat(send(server, "GET", "?username=bob", "Sec-Fetch-Site: none\r\n")
                            .status())
                    .as("the fourth that counts")
                    .isEqualTo(429);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "null", "", "a.example", "https://", "https://a.example/", "https://*.a.example"})
    void whatIsNoOriginIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EndpointSettings.builder().allowedOrigins(text))
                .withMessageContaining("'" + text + "'")
                .withMessageContaining("https://www.example.org");
    }
}
