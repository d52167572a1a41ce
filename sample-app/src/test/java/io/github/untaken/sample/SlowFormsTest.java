package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.database.MadeUpAccounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More clients than the site has threads send their forms byte by byte, or not to the end; whole forms of others go through. */
@Tag("ci")
class SlowFormsTest {
    private static final int SLOW = 80;
    private static final int WHOLE = 20;
    /** All that read a body, and some that have no use for one. */
    private static final List<String> READERS = List.of(
            "POST /signup",
            "POST /race",
            "POST /experiment",
            "PATCH /accounts/" + MadeUpAccounts.username(0),
            "POST /availability",
            "POST /actions/rebuild",
            "GET /stats");

    @TempDir
    private static Path data;

    private static SignUpSite site;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Socket> sockets = new ArrayList<>();
    private final ScheduledExecutorService dripping = Executors.newSingleThreadScheduledExecutor();

    @BeforeAll
    static void start() throws Exception {
        site = Sites.start(data);
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    @AfterEach
    void end() throws Exception {
        dripping.shutdownNow();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** Sends the head and the first byte of a form of a thousand. */
    private Socket begun(String requestLine) throws IOException {
        Socket socket = new Socket(
                InetAddress.getByName("localhost"), URI.create(site.address()).getPort());
        socket.setSoTimeout(60_000);
        sockets.add(socket);
        String head =
                requestLine + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: 1000\r\n\r\nu";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private static void drip(Socket socket) {
        try {
            socket.getOutputStream().write('u');
        } catch (IOException e) {
            // the site has ended it
        }
    }

    private void wholeSignUpsGoThrough(String prefix) {
        for (int i = 0; i < WHOLE; i++) {
            assertThat(answered("signup", "username=" + prefix + i)).isEqualTo(201);
            assertThat(answered("availability", "username=" + prefix + i)).isEqualTo(200);
        }
    }

    private int answered(String path, String form) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(site.address() + path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .timeout(Duration.ofSeconds(10))
                .POST(BodyPublishers.ofString(form))
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            return response.statusCode();
        } catch (IOException e) {
            throw new UncheckedIOException("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String answerOn(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1);
    }

    @Test
    void eightyDrippingSignUpsKeepNobodyOut() throws Exception {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < SLOW; i++) {
            slow.add(begun("POST /signup"));
        }
        dripping.scheduleWithFixedDelay(() -> slow.forEach(SlowFormsTest::drip), 0, 300, TimeUnit.MILLISECONDS);
        wholeSignUpsGoThrough("beside.drips");
        for (Socket socket : slow) {
            assertThat(answerOn(socket)).isEqualTo("HTTP/1.1 408");
        }
    }

    @Test
    void formsThatNeverEndKeepNobodyOutWhateverTheyAskFor() throws Exception {
        for (String requestLine : READERS) {
            for (int i = 0; i < SLOW; i++) {
                begun(requestLine);
            }
        }
        wholeSignUpsGoThrough("beside.silence");
    }
}
