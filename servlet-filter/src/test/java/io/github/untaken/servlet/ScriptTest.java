package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.EndpointSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How untaken.js is served; what it does is the business of the browser test. */
class ScriptTest {
    /** Compressed, as every server or proxy in front can do it. */
    private static final int MOST_BYTES = 4850;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private HttpResponse<byte[]> send(Container.Running server, String method, String path, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.uri(path))
                .timeout(Duration.ofMinutes(1))
                .method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static int compressed(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.size();
    }

    @ParameterizedTest
    @EnumSource
    void isServedSmallTypedAndCacheable(Container container) throws Exception {
        try (UserTable users = new UserTable("alice");
                AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
                Container.Running server = container.start(context -> Container.everywhere(
                        context,
                        "availability",
                        new AvailabilityServletFilter(
                                checker,
                                EndpointSettings.builder()
                                        .path("/api/free")
                                        .scriptPath("/js/untaken.js")
                                        .build())))) {
            HttpResponse<byte[]> script = send(server, "GET", "/js/untaken.js");
            assertThat(script.statusCode()).isEqualTo(200);
            assertThat(compressed(script.body())).isLessThan(MOST_BYTES);
            assertThat(script.headers().firstValue("Content-Length")).contains(Integer.toString(script.body().length));
            assertThat(script.headers().firstValue("Content-Type").orElseThrow())
                    .isEqualToIgnoringCase("text/javascript;charset=utf-8");
            assertThat(script.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(script.headers().firstValue("Cache-Control")).contains("max-age=3600");
            assertThat(new String(script.body(), StandardCharsets.UTF_8))
                    .contains("'../api/free'")
                    .contains("\u5df2\u88ab\u4f7f\u7528")
                    .doesNotContain("%ENDPOINT")
                    .doesNotContain("innerHTML")
                    .doesNotContain("eval");

            String tag = script.headers().firstValue("ETag").orElseThrow();
            assertThat(tag).matches("\"[0-9a-f]{16}\"");
            for (String known : new String[] {tag, "W/" + tag, "\"x\", " + tag, "*"}) {
                HttpResponse<byte[]> again = send(server, "GET", "/js/untaken.js", "If-None-Match", known);
                assertThat(again.statusCode()).as(known).isEqualTo(304);
                assertThat(again.body()).isEmpty();
            }
            assertThat(send(server, "GET", "/js/untaken.js", "If-None-Match", "\"x\"")
                            .statusCode())
                    .isEqualTo(200);

            HttpResponse<byte[]> head = send(server, "HEAD", "/js/untaken.js");
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(head.headers().firstValue("ETag")).contains(tag);
            HttpResponse<byte[]> post = send(server, "POST", "/js/untaken.js");
            assertThat(post.statusCode()).isEqualTo(405);
            assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD, OPTIONS");
            assertThat(send(server, "GET", "/untaken.js").statusCode()).isEqualTo(404);
        }
    }

    /** As modules, imports and checks of integrity need it, which no {@code allowedOrigins} need name. */
    @ParameterizedTest
    @EnumSource
    void isReadByPagesOfOtherOrigins(Container container) throws Exception {
        try (UserTable users = new UserTable("alice");
                AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
                Container.Running server = container.start(context ->
                        Container.everywhere(context, "availability", new AvailabilityServletFilter(checker)))) {
            String tag = send(server, "GET", "/untaken.js")
                    .headers()
                    .firstValue("ETag")
                    .orElseThrow();
            for (HttpResponse<byte[]> answer : List.of(
                    send(server, "GET", "/untaken.js"),
                    send(server, "HEAD", "/untaken.js"),
                    send(server, "GET", "/untaken.js", "If-None-Match", tag),
                    send(server, "OPTIONS", "/untaken.js"))) {
                assertThat(answer.statusCode()).isIn(200, 204, 304);
                assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                        .contains("*");
                assertThat(answer.headers().firstValue("Cross-Origin-Resource-Policy"))
                        .contains("cross-origin");
            }
            HttpResponse<byte[]> preflight = send(server, "OPTIONS", "/untaken.js");
            assertThat(preflight.statusCode()).isEqualTo(204);
            assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods"))
                    .contains("GET, HEAD, OPTIONS");
        }
    }

    @Test
    void isLeftToTheApplicationOnRequest() throws Exception {
        try (UserTable users = new UserTable("alice");
                AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
                Container.Running server = Container.JETTY.start(context -> Container.everywhere(
                        context,
                        "availability",
                        new AvailabilityServletFilter(
                                checker,
                                EndpointSettings.builder().withoutScript().build())))) {
            assertThat(send(server, "GET", "/untaken.js").statusCode()).isEqualTo(404);
        }
    }
}
