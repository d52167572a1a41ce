package io.github.untaken.spring.boot.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.RequestGate;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import io.github.untaken.spring.boot.AvailabilityWebFilter;
import io.github.untaken.testkit.Eventually;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebSession;

/** The endpoint on a real server of WebFlux. */
@Tag("ci")
class WebFluxTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Names {
        @Bean
        InMemoryIdentifierStore usernameStore() {
            InMemoryIdentifierStore names = new InMemoryIdentifierStore();
            names.add("alice");
            return names;
        }
    }

    /** Of which the database says nothing until it is let. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class HeldNames {
        static final class Held implements RegisteredIdentifierStore {
            private final Semaphore reads = new Semaphore(0);
            private final CountDownLatch open = new CountDownLatch(1);

            @Override
            public Presence exists(String text, Duration timeout) {
                reads.release();
                try {
                    return Presence.of(open.await(1, TimeUnit.MINUTES));
                } catch (InterruptedException e) {
                    throw new StoreException("told to end", e);
                }
            }

            @Override
            public void scan(Consumer<String> values) {
                IntStream.range(0, 60).forEach(i -> values.accept("held" + i));
            }
        }

        @Bean
        Held usernameStore() {
            return new Held();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Open {
        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .authorizeExchange(each -> each.anyExchange().permitAll())
                    .build();
        }
    }

    /** As where others than Spring Security guard the paths. */
    @Configuration(proxyBeanMethods = false)
    static class NoFirewall {
        @Bean
        ServerWebExchangeFirewall none() {
            return ServerWebExchangeFirewall.INSECURE_NOOP;
        }
    }

    /** As one that looks for a token in a form does. */
    @Configuration(proxyBeanMethods = false)
    static class ReadsForms {
        @Bean
        @Order(-200)
        WebFilter reading() {
            return (exchange, chain) -> exchange.getFormData().then(chain.filter(exchange));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnName {
        @Bean
        io.github.untaken.http.OwnIdentifiers own() {
            return (request, kind) -> request.principal().map(java.security.Principal::getName);
        }
    }

    @RestController
    static class Rooms {
        @GetMapping("/availability")
        String free() {
            return "three rooms";
        }
    }

    @RestController
    static class Login {
        @PostMapping("/login")
        String login(WebSession session) {
            session.getAttributes().put("token", "sesame");
            return "in";
        }
    }

    private ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        context.close();
    }

    private void start(List<Class<?>> classes, String... arguments) {
        SpringApplication application = new SpringApplication(classes.toArray(Class<?>[]::new));
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "spring.datasource.url", "jdbc:h2:mem:webflux",
                "untaken.single-writer", "false",
                "untaken.recheck-timeout", "30s",
                "untaken.recheck-threads", "60"));
        context = application.run(arguments);
        AvailabilityChecker checker = context.getBean(AvailabilityChecker.class);
        Eventually.holds("ready", () -> checker.state(IdentifierKind.USERNAME) == KindState.READY);
    }

    private int port() {
        return Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(to(path));
    }

    private HttpResponse<String> post(String type, String body) throws Exception {
        return send(to("/availability").header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    @Test
    void answersWhatTheServletFilterAnswers() throws Exception {
        start(List.of(Names.class, Open.class));
        HttpResponse<String> free = get("/availability?username=bob");
        assertThat(free.body())
                .isEqualTo("{\"field\":\"username\",\"value\":\"bob\",\"status\":\"available\",\"available\":true}");
        assertThat(free.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(free.headers().firstValue("Content-Length"))
                .hasValue(String.valueOf(free.body().length()));
        assertThat(free.headers().allValues("Cache-Control")).contains("no-store");
        assertThat(get("/availability?username=Alice").body()).contains("\"status\":\"taken\"");
        assertThat(get("/availability?username=%5Bx").body()).contains("\"status\":\"invalid\"");
        assertThat(get("/availability").statusCode()).isEqualTo(400);
        assertThat(get("/elsewhere?username=bob").statusCode()).isEqualTo(404);
        assertThat(get("/untaken.js").body()).contains("availability");
        HttpResponse<String> head = send(to("/availability?username=bob").method("HEAD", BodyPublishers.noBody()));
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length"))
                .hasValue(String.valueOf(free.body().length()));
        assertThat(send(to("/availability").PUT(BodyPublishers.noBody()))
                        .headers()
                        .firstValue("Allow"))
                .hasValue("GET, HEAD, POST, OPTIONS");
        assertThat(context.getBean(AvailabilityWebFilter.class)
                        .stats()
                        .answers()
                        .values())
                .isNotEmpty();
    }

    @Test
    void readsFormsAndJson() throws Exception {
        start(List.of(Names.class, Open.class));
        assertThat(post(FORM, "username=bob&other=x").body()).contains("\"status\":\"available\"");
        assertThat(post(FORM, "username=alice").body()).contains("\"status\":\"taken\"");
        assertThat(post(JSON, "{\"username\":\"alice\"}").body()).contains("\"status\":\"taken\"");
        assertThat(post(FORM, "username=%zz").body()).contains("malformed");
        assertThat(post(FORM, "").body()).contains("missing");
        assertThat(post(FORM, "username=" + "x".repeat(9_000)).statusCode()).isEqualTo(413);
        assertThat(send(to("/availability")
                                .header("Content-Type", FORM)
                                .POST(BodyPublishers.fromPublisher(
                                        BodyPublishers.ofString("username=" + "x".repeat(9_000)))))
                        .statusCode())
                .as("without a length")
                .isEqualTo(413);
        assertThat(post("text/plain", "username=bob").statusCode()).isEqualTo(415);
    }

    @Test
    void aFormThatAFilterInFrontHasReadIsAnsweredAsWell() throws Exception {
        start(List.of(Names.class, Open.class, ReadsForms.class));
        assertThat(post(FORM, "username=alice").body()).contains("\"status\":\"taken\"");
        assertThat(post(FORM, "username=%E5%BC%A0%E4%B8%89").body()).contains("\"value\":\"\u5f20\u4e09\"");
    }

    /** The client has five seconds for its body, and no thread waits. */
    @Test
    void aBodyThatDoesNotComeIsEnded() throws Exception {
        start(List.of(Names.class, Open.class));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.getOutputStream()
                    .write(("POST /availability HTTP/1.1\r\nHost: x\r\nContent-Type: " + FORM
                                    + "\r\nContent-Length: 20\r\n\r\nusername=")
                            .getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(30_000);
            assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 408 Request Timeout");
        }
    }

    private static String firstLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c != '\r' && c >= 0;
                c = socket.getInputStream().read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    /** More of them than there are threads for requests, or for work that blocks. */
    @Test
    void freeNamesAreAnsweredWhileTheStoreStandsStill() throws Exception {
        start(List.of(HeldNames.class, Open.class), "--untaken.client-limit=60000", "--untaken.client-burst=1000");
        HeldNames.Held names = context.getBean(HeldNames.Held.class);
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            waiting.add(client.sendAsync(to("/availability?username=held" + i).build(), BodyHandlers.ofString()));
        }
        assertThat(names.reads.tryAcquire(10, 30, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 50; i++) {
            assertThat(get("/availability?username=free" + i).body()).contains("\"status\":\"available\"");
        }
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        names.open.countDown();
        for (CompletableFuture<HttpResponse<String>> each : waiting) {
            assertThat(each.join().body()).contains("\"status\":\"taken\"");
        }
    }

    @Test
    void beyondTheChecksThatMayWaitTheAnswerComesAtOnce() throws Exception {
        start(List.of(HeldNames.class, Open.class), "--untaken.max-waiting-checks=3", "--untaken.client-burst=1000");
        HeldNames.Held names = context.getBean(HeldNames.Held.class);
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiting.add(client.sendAsync(to("/availability?username=held" + i).build(), BodyHandlers.ofString()));
        }
        assertThat(names.reads.tryAcquire(3, 30, TimeUnit.SECONDS)).isTrue();
        assertThat(get("/availability?username=held3").statusCode()).isEqualTo(503);
        assertThat(get("/availability?username=free").statusCode()).isEqualTo(200);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        names.open.countDown();
        for (CompletableFuture<HttpResponse<String>> each : waiting) {
            assertThat(each.join().body()).contains("\"status\":\"taken\"");
        }
    }

    @Test
    void aSessionOpensTheGate() throws Exception {
        start(
                List.of(Names.class, Open.class, Login.class),
                "--untaken.gate=session",
                "--untaken.gate-attribute=token");
        assertThat(get("/availability?username=bob").statusCode()).isEqualTo(403);
        assertThat(send(to("/availability?username=bob").header("Cookie", "SESSION=made-up"))
                        .statusCode())
                .isEqualTo(403);
        String cookie = send(to("/login").POST(BodyPublishers.noBody()))
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .split(";")[0];
        assertThat(send(to("/availability?username=bob").header("Cookie", cookie))
                        .body())
                .contains("\"status\":\"available\"");
    }

    /** On the same side of it as the servlet filter. */
    @Test
    void standsBehindSpringSecurity() throws Exception {
        start(
                List.of(Names.class, OwnName.class),
                "--spring.security.user.name=alice",
                "--spring.security.user.password=secret");
        assertThat(get("/availability?username=bob").statusCode()).isEqualTo(401);
        String own = send(to("/availability?username=alice").header("Authorization", "Basic YWxpY2U6c2VjcmV0"))
                .body();
        assertThat(own).contains("\"status\":\"available\"", "\"yours\":true");
    }

    @Test
    void aControllerThatHasThePathKeepsWhatNamesNoKind() throws Exception {
        start(List.of(Names.class, Open.class, Rooms.class));
        assertThat(get("/availability").body()).isEqualTo("three rooms");
        assertThat(get("/availability?username=alice").body()).contains("\"status\":\"taken\"");
    }

    @Test
    void anotherSiteAndATooEagerClientAreRefused() throws Exception {
        start(List.of(Names.class, Open.class), "--untaken.client-limit=60", "--untaken.client-burst=2");
        assertThat(send(to("/availability?username=bob").header("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);
        get("/availability?username=bob");
        get("/availability?username=bob");
        assertThat(get("/availability?username=bob").statusCode()).isEqualTo(429);
    }

    /** Spring has an address from a header as one that is not resolved. */
    @Test
    void clientsBehindAForwardingHeaderThatSpringHasReadAreToldApart() throws Exception {
        start(
                List.of(Names.class, Open.class),
                "--server.forward-headers-strategy=framework",
                "--untaken.client-limit=60",
                "--untaken.client-burst=1");
        for (String address : List.of("192.0.2.1", "192.0.2.2", "2001:db8:1::1", "2001:db8:2::1")) {
            HttpRequest.Builder asked = to("/availability?username=bob").header("X-Forwarded-For", address);
            assertThat(send(asked).statusCode()).as(address).isEqualTo(200);
            assertThat(send(asked).statusCode()).as(address).isEqualTo(429);
        }
    }

    /** Rules of others, for the paths below, take it for one segment. */
    @Test
    void anEncodedSlashIsPartOfANameAndNotOfThePath() throws Exception {
        start(List.of(Names.class, Open.class, NoFirewall.class), "--untaken.path=/api/availability");
        assertThat(get("/api%2Favailability?username=bob").statusCode()).isEqualTo(404);
        assertThat(get("/api%2favailability?username=bob").statusCode()).isEqualTo(404);
        assertThat(get("/%61pi;v=1/availability?username=bob").statusCode()).isEqualTo(200);
    }

    @Test
    void theEndpointCanBeSwitchedOff() throws Exception {
        start(List.of(Names.class, Open.class), "--untaken.endpoint-enabled=false");
        assertThat(get("/availability?username=bob").statusCode()).isEqualTo(404);
    }

    @Test
    void watchRulesAreRefused() {
        start(List.of(Names.class, Open.class), "--untaken.endpoint-enabled=false");
        EndpointSettings watching = EndpointSettings.builder()
                .properties(Map.of("untaken.watch", "POST /signup registers username from parameter name"))
                .gate(RequestGate.allowAll())
                .build();
        assertThatThrownBy(() -> new AvailabilityWebFilter(context.getBean(AvailabilityChecker.class), watching, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("untaken.watch");
    }
}
