package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More clients than the site has threads ask for more than fits between them and the site, and read nothing; others are answered. */
@Tag("ci")
class SlowReadersTest {
    private static final int SLOW = 80;
    /** Of each client on one connection: some megabytes of answers. */
    private static final int REQUESTS = 400;

    @TempDir
    private Path data;

    private SignUpSite site;
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        site = Sites.start(data);
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        site.close();
    }

    private void askWithoutReading(String path) throws Exception {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(2048);
        socket.connect(new InetSocketAddress(
                InetAddress.getByName("localhost"), URI.create(site.address()).getPort()));
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        socket.getOutputStream().write(request.repeat(REQUESTS).getBytes(StandardCharsets.US_ASCII));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/dashboard.js", "/untaken.js"})
    void eightyClientsThatReadNothingKeepNobodyOut(String path) throws Exception {
        for (int i = 0; i < SLOW; i++) {
            askWithoutReading(path);
        }
        HttpClient http = HttpClient.newHttpClient();
        for (int i = 0; i < 20; i++) {
            for (String other : List.of("availability?username=beside." + i, "signup", "untaken.js")) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(site.address() + other))
                        .timeout(Duration.ofSeconds(20))
                        .build();
                assertThat(http.send(request, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
            }
        }
    }
}
