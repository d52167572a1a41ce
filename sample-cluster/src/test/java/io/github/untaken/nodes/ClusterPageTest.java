package io.github.untaken.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of all nodes: it shows how they are, and its buttons break them. */
@Tag("ci")
class ClusterPageTest {
    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<String> get(ClusterPage page, String path) {
        return send(HttpRequest.newBuilder(URI.create(page.address() + path)).build());
    }

    private HttpResponse<String> post(ClusterPage page, String action, String form, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(page.address() + "actions/" + action))
                .POST(BodyPublishers.ofString(form));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request.build());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("the page does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private String node(ClusterPage page, int index, String name) {
        return get(page, "nodes?username=" + name).body().split("\\{\"name\"", -1)[index + 1];
    }

    @Test
    void showsAllNodesAndLetsPeopleBreakThem() throws Exception {
        try (Cluster cluster = Cluster.start(folder, Duration.ofSeconds(1), 2);
                ClusterPage page = new ClusterPage(cluster, true)) {
            HttpResponse<String> html = get(page, "");
            assertThat(html.body()).contains("/nodes.js").doesNotContain("style=");
            assertThat(html.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'none'");
            assertThat(get(page, "nodes.css").statusCode()).isEqualTo(200);
            assertThat(get(page, "nothing").statusCode()).isEqualTo(404);
            Cluster.await("memory", () -> node(page, 1, "alice").contains("\"memory\":true"));
            assertThat(node(page, 1, "alice")).contains("\"says\":\"AVAILABLE/FILTER\"", "\"gaps\":0,\"gapsBy\":\"\"");

            assertThat(post(page, "signup", "node=0&username=alice").statusCode())
                    .isEqualTo(200);
            Cluster.await("the other node", () -> node(page, 1, "alice").contains("\"says\":\"TAKEN/STORE\""));
            assertThat(post(page, "signup", "node=1&username=alice").statusCode())
                    .isEqualTo(409);

            assertThat(post(page, "pause", "node=1").statusCode()).isEqualTo(200);
            assertThat(node(page, 1, "bob")).contains("\"alive\":true", "\"paused\":true", "\"answers\":false");
            assertThat(node(page, 0, "bob")).contains("\"answers\":true");
            post(page, "resume", "node=1");
            Cluster.await("node 2 goes on", () -> node(page, 1, "alice").contains("\"says\":\"TAKEN/STORE\""));

            post(page, "kill", "node=0");
            assertThat(node(page, 0, "alice")).contains("\"alive\":false", "\"answers\":false");
            post(page, "start", "node=0");
            Cluster.await("node 1 is back", () -> node(page, 0, "alice").contains("\"memory\":true"));
            assertThat(node(page, 0, "alice")).contains("\"says\":\"TAKEN/STORE\"");

            assertThat(post(page, "kill", "node=7").statusCode()).isEqualTo(400);
            assertThat(post(page, "kill", "node=one").statusCode()).isEqualTo(400);
            assertThat(post(page, "kill", "node=%zz").statusCode()).isEqualTo(400);
            assertThat(post(page, "kill", "node=0", "Sec-Fetch-Site", "cross-site")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(node(page, 0, "alice")).contains("\"alive\":true");
        }
    }
}
