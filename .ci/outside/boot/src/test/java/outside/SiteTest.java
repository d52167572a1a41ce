package outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The request of the documentation has the answer of the documentation. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"untaken.await-ready=60s", "server.address=127.0.0.1"})
class SiteTest {
    @LocalServerPort
    private int port;

    @Test
    void answersAsWritten() throws Exception {
        List<String> written = Files.readAllLines(Path.of("request.txt"));
        URI uri = URI.create("http://127.0.0.1:" + port + written.get(0).substring("GET ".length()));
        String answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
        assertThat(answer).isEqualTo(written.get(1));
    }
}
