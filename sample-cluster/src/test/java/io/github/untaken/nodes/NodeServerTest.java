package io.github.untaken.nodes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node does nothing for the pages of other sites that a visitor of it has open. */
@Tag("ci")
class NodeServerTest {
    private static final String SCRIPT = "%3Cimg%20src=x%20onerror=alert(1)%3E";

    @TempDir
    private static Path folder;

    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start(folder, Duration.ofSeconds(1), 1);
    }

    @AfterAll
    static void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** What a node answers, head and body, to a request with these headers. */
    private static String answer(String requestLine, String body, String... headers) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), cluster.node(0).port())) {
            socket.setSoTimeout(60_000);
            String host = String.join("", headers).contains("Host: ") ? "" : "Host: localhost\r\n";
            String head = requestLine + " HTTP/1.1\r\n" + host
                    + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n")
                    + "Connection: close\r\nContent-Length: " + body.length() + "\r\n\r\n";
            socket.getOutputStream().write((head + body).getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/check?username=x&modes=" + SCRIPT, "/free?names=" + SCRIPT, "/stats?x=" + SCRIPT})
    void aQuestionThatLooksLikeAPageIsAnsweredByText(String path) throws Exception {
        assertThat(answer("GET " + path, ""))
                .startsWith("HTTP/1.1 200 ")
                .containsIgnoringCase("Content-Type: text/plain;charset=utf-8")
                .containsIgnoringCase("X-Content-Type-Options: nosniff")
                .containsIgnoringCase("Content-Security-Policy: default-src 'none'");
    }

    @Test
    void thePageOfANodeIsAPage() throws Exception {
        assertThat(answer("GET /", ""))
                .startsWith("HTTP/1.1 200 ")
                .containsIgnoringCase("Content-Type: text/html;charset=utf-8")
                .containsIgnoringCase("form-action 'self'")
                .contains("<title>Node node1</title>");
        assertThat(answer("GET /nothing", "")).startsWith("HTTP/1.1 404 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"signup", "rename", "delete"})
    void whatWritesIsNoLinkAndNoneOfOtherSites(String action) throws Exception {
        String name = "kept." + action;
        assertThat(answer("POST /signup", "username=" + name)).endsWith("DONE");
        String form = "username=" + (action.equals("signup") ? "stranger" : name) + "&to=stranger";
        assertThat(answer("GET /" + action + "?" + form, "")).startsWith("HTTP/1.1 405 ");
        assertThat(answer("POST /" + action, form, "Sec-Fetch-Site: cross-site"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(answer("POST /" + action, form, "Sec-Fetch-Site: same-site")).startsWith("HTTP/1.1 403 ");
        assertThat(answer("POST /" + action, form, "Host: other.example")).startsWith("HTTP/1.1 421 ");
        assertThat(answer("GET /check?modes=latest&username=stranger", "")).endsWith("latest=AVAILABLE/FILTER");
        assertThat(answer("GET /check?modes=latest&username=" + name, "")).endsWith("latest=TAKEN/STORE");
    }

    @Test
    void itsOwnPageSignsUp() throws Exception {
        assertThat(answer(
                        "POST /signup",
                        "username=own.page",
                        "Sec-Fetch-Site: same-origin",
                        "Host: localhost:" + cluster.node(0).port()))
                .endsWith("DONE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /signup", "POST /rename", "POST /check"})
    void aFormThatCannotBeReadIsTheClientsFault(String requestLine) throws Exception {
        assertThat(answer(requestLine, "username=%zz")).startsWith("HTTP/1.1 400 ");
        assertThat(answer(requestLine, "username=a%")).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void aBodyLongerThanAnyFormIsNotKept() throws Exception {
        assertThat(answer("POST /check", "username=" + "a".repeat(100_000))).startsWith("HTTP/1.1 413 ");
    }
}
