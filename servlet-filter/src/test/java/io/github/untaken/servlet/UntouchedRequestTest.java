package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.WatchRule;
import io.github.untaken.testkit.Eventually;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Writer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The application receives its requests byte for byte, also where a rule watches them. */
class UntouchedRequestTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final HttpClient http1 =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpClient http2 =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    private final CountingNormalizer normalizer = new CountingNormalizer("");
    private UserTable users;
    private AvailabilityChecker checker;

    @BeforeEach
    void open() throws SQLException {
        users = new UserTable();
        checker = ReadyCheckers.ready(
                AvailabilityChecker.builder().store(USERNAME, users).normalizer(USERNAME, normalizer));
    }

    @AfterEach
    void close() throws SQLException {
        checker.close();
        users.close();
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private interface Reading {
        byte[] read(HttpServletRequest request) throws IOException, ServletException;
    }

    private static void digest(ServletContext context, String path, Reading reading) {
        HttpServlet servlet = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                response.getOutputStream().print(sha256(reading.read(request)));
            }
        };
        var registration = context.addServlet("at " + path, servlet);
        registration.setAsyncSupported(true);
        registration.setMultipartConfig(new MultipartConfigElement(""));
        registration.addMapping(path);
    }

    private static String line(String name, String[] values) {
        return name + "=" + String.join(",", values) + "\n";
    }

    private void install(ServletContext context) {
        context.setRequestCharacterEncoding("UTF-8");
        Container.everywhere(
                context,
                "availability",
                new AvailabilityServletFilter(
                        checker,
                        EndpointSettings.builder()
                                .watch(WatchRule.on("POST", "/*")
                                        .registers(USERNAME)
                                        .fromParameter("username"))
                                .build()));
        digest(context, "/stream", request -> request.getInputStream().readAllBytes());
        digest(context, "/reader", request -> {
            StringBuilder text = new StringBuilder();
            request.getReader().transferTo(new Writer() {
                @Override
                public void write(char[] chars, int from, int length) {
                    text.append(chars, from, length);
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            });
            return text.toString().getBytes(StandardCharsets.UTF_8);
        });
        digest(context, "/parameters", request -> {
            StringBuilder text = new StringBuilder();
            new TreeMap<>(request.getParameterMap()).forEach((name, values) -> text.append(line(name, values)));
            return text.toString().getBytes(StandardCharsets.UTF_8);
        });
        digest(
                context,
                "/part",
                request -> request.getPart("file").getInputStream().readAllBytes());
    }

    private void same(Container.Running server, String path, String type, BodyPublisher body, byte[] expected)
            throws Exception {
        String digest = sha256(expected);
        for (HttpClient client : List.of(http1, http2)) {
            HttpResponse<String> received = client.send(
                    HttpRequest.newBuilder(server.uri(path))
                            .timeout(Duration.ofMinutes(1))
                            .header("Content-Type", type)
                            .POST(body)
                            .build(),
                    BodyHandlers.ofString());
            assertThat(received.body())
                    .as(path + " " + type + " " + client.version())
                    .isEqualTo(digest);
            assertThat(received.version()).isEqualTo(client.version());
        }
    }

    /** The client begins with HTTP/1.1 and asks for more; the answer to this one is HTTP/2, and so is all that follows. */
    private Container.Running start(Container container) throws Exception {
        Container.Running server = container.start(this::install);
        http2.send(HttpRequest.newBuilder(server.uri("/stream")).build(), BodyHandlers.discarding());
        return server;
    }

    private void mentionedByBoth(String name) {
        Eventually.holds("settled", () -> checker.stats(USERNAME).underWay().mentioned() == 0);
        assertThat(normalizer.asked(name)).isEqualTo(2 * CountingNormalizer.EACH_MENTION);
    }

    @ParameterizedTest
    @EnumSource
    void bodiesArriveUnchanged(Container container) throws Exception {
        byte[] form = "username=Streamed&x=%zz&y=a+b".getBytes(StandardCharsets.UTF_8);
        byte[] binary = new byte[500_000]; // several windows of HTTP/2
        new Random(1).nextBytes(binary);
        byte[] json = "{\"username\":\"Streamed\",\"x\":\"\u5f20\"}".getBytes(StandardCharsets.UTF_8);
        try (Container.Running server = start(container)) {
            for (byte[] body : new byte[][] {form, binary, json, new byte[0]}) {
                for (String type : new String[] {FORM, "application/json", "application/octet-stream"}) {
                    same(server, "/stream", type, BodyPublishers.ofByteArray(body), body);
                    same(
                            server,
                            "/stream",
                            type,
                            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)),
                            body);
                }
            }
            same(server, "/reader", "application/json; charset=utf-8", BodyPublishers.ofByteArray(json), json);
            same(server, "/reader", FORM, BodyPublishers.ofByteArray(form), form);
            assertThat(normalizer.asked("Streamed")).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void parametersArriveUnchangedAndAreSeen(Container container) throws Exception {
        try (Container.Running server = start(container)) {
            same(
                    server,
                    "/parameters?z=1&username=Inquery",
                    FORM,
                    BodyPublishers.ofString("username=X%E5%BC%A0&y=a+b&y=c"),
                    "username=Inquery,X\u5f20\ny=a b,c\nz=1\n".getBytes(StandardCharsets.UTF_8));
            mentionedByBoth("Inquery");
            mentionedByBoth("X\u5f20");
        }
    }

    @ParameterizedTest
    @EnumSource
    void partsArriveUnchangedAndAreSeen(Container container) throws Exception {
        byte[] file = new byte[5000];
        new Random(2).nextBytes(file);
        String head = "--b\r\nContent-Disposition: form-data; name=\"username\"\r\n\r\nInpart\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n";
        byte[] start = head.getBytes(StandardCharsets.US_ASCII);
        byte[] end = "\r\n--b--\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Container.Running server = start(container)) {
            same(
                    server,
                    "/part",
                    "multipart/form-data; boundary=b",
                    BodyPublishers.concat(
                            BodyPublishers.ofByteArray(start),
                            BodyPublishers.ofByteArray(file),
                            BodyPublishers.ofByteArray(end)),
                    file);
            mentionedByBoth("Inpart");
        }
    }
}
