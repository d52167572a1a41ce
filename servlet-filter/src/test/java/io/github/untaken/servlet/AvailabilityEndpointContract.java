package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.RequestGate;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the endpoint answers, over real HTTP; a subclass names the container. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AvailabilityEndpointContract {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String JSON = "application/json";

    private final Container container;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private UserTable users;
    private UserTable phones;
    private AvailabilityChecker checker;
    private Container.Running server;
    private Container.Running unfiltered;

    AvailabilityEndpointContract(Container container) {
        this.container = container;
    }

    /** The application: says that it was reached. */
    private static final class Reached extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setHeader("X-Reached", "yes");
            response.getOutputStream().print("application");
        }
    }

    @BeforeAll
    void start() throws Exception {
        users = new UserTable("alice", "\u5f20\u4e09");
        phones = new UserTable("13800138000");
        checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                .store(USERNAME, users)
                .store(PHONE, phones)
                .normalizer(PHONE, new Digits()));
        AvailabilityServletFilter filter = new AvailabilityServletFilter(
                checker,
                EndpointSettings.builder()
                        .limiter(ClientLimiter.unlimited())
                        .gate(RequestGate.allowAll())
                        .build());
        server = container.start(context -> {
            Container.everywhere(context, "availability", filter);
            Container.serve(context, "/", new Reached());
        });
        unfiltered = container.start(context -> {
            Container.serve(context, "/availability", new Reached());
            Container.serve(context, "/", new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void service(HttpServletRequest request, HttpServletResponse response) {
                    response.setStatus(HttpServletResponse.SC_OK);
                }
            });
        });
    }

    @AfterAll
    void stop() throws Exception {
        server.close();
        unfiltered.close();
        checker.close();
        users.close();
        phones.close();
    }

    private HttpResponse<String> ask(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer = client.send(
                request.timeout(Duration.ofMinutes(1)).build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        return answer;
    }

    private HttpResponse<String> get(String query) throws Exception {
        return ask(HttpRequest.newBuilder(server.uri("/availability?" + query)));
    }

    private HttpResponse<String> post(String type, byte[] body) throws Exception {
        return ask(HttpRequest.newBuilder(server.uri("/availability"))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body)));
    }

    private HttpResponse<String> post(String body) throws Exception {
        return post(FORM, body.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void assertProblem(int status, Map<String, String> headers, String body, String type) {
        assertThat(headers.get("content-type")).isEqualTo("application/problem+json");
        assertThat(headers.get("content-length"))
                .isEqualTo(Integer.toString(body.getBytes(StandardCharsets.UTF_8).length));
        assertThat(headers.get("cache-control")).isEqualTo("no-store");
        Map<?, ?> problem = Json.object(body);
        assertThat(problem.get("type")).isEqualTo("tag:untaken.github.io,2026:" + type);
        assertThat(problem.get("status")).isEqualTo(status);
        assertThat(problem.get("availability")).isEqualTo("unknown");
        assertThat(problem.get("title")).asString().isNotEmpty();
        assertThat(problem.get("detail")).asString().isNotEmpty();
        assertThat(problem.containsKey("available")).isFalse();
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String type) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertProblem(
                status,
                Map.of(
                        "content-type",
                                answer.headers().firstValue("Content-Type").orElse(""),
                        "content-length",
                                answer.headers().firstValue("Content-Length").orElse(""),
                        "cache-control",
                                answer.headers().firstValue("Cache-Control").orElse("")),
                answer.body(),
                type);
    }

    @ParameterizedTest
    @CsvSource({
        "bob, bob, available, true, , ",
        "alice, alice, taken, false, , ",
        "ALICE, alice, taken, false, , ",
        "\uff21lice, alice, taken, false, , ",
        "\u5f20\u4e09, \u5f20\u4e09, taken, false, , ",
        "\u674e\u56db, \u674e\u56db, available, true, , ",
        "admin, admin, reserved, false, , ",
        "Ad.m1n, ad.m1n, reserved, false, , admin",
        "\u00e1dmin, \u00e1dmin, reserved, false, , admin",
        "\u7ba1\u7406\u5458, \u7ba1\u7406\u5458, reserved, false, , ",
        "\u0430dmin, \u0430dmin, invalid, false, mixed_scripts, ",
        "\u00fcser, \u00fcser, reserved, false, , user",
        "user5, user5, available, true, , ",
        "x, x, invalid, false, too_short, ",
        "a<b>&'\"c, a<b>&'\"c, invalid, false, illegal_character, ",
        "\ud83d\ude00\ud83d\ude00, \ud83d\ude00\ud83d\ude00, invalid, false, illegal_character, ",
    })
    void answersGetAndPostAlike(String text, String value, String status, boolean available, String reason, String like)
            throws Exception {
        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("field", "username");
        expected.put("value", value);
        expected.put("status", status);
        expected.put("available", available);
        if (reason != null) {
            expected.put("reason", reason);
        }
        if (like != null) {
            expected.put("like", like);
        }
        for (HttpResponse<String> answer :
                List.of(get("username=" + encoded(text)), post("username=" + encoded(text)))) {
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(answer.headers().firstValue("Content-Length"))
                    .contains(Integer.toString(answer.body().getBytes(StandardCharsets.UTF_8).length));
            assertThat(Json.object(answer.body())).isEqualTo(expected);
        }
    }

    @Test
    void theAnswerIsExactlyAsDocumented() throws Exception {
        assertThat(get("username=bob").body())
                .isEqualTo("{\"field\":\"username\",\"value\":\"bob\",\"status\":\"available\",\"available\":true}");
    }

    @Test
    void parametersThatNameNoKindAreIgnored() throws Exception {
        String query = "x=%zz&username=alice&Username=bob&username%5B%5D=bob&y";
        assertThat(RawHttp.send(server.port(), "GET", "/app/availability?" + query)
                        .body())
                .contains("\"value\":\"alice\"");
    }

    @Test
    void severalFieldsAreAnsweredInTheirOrder() throws Exception {
        HttpResponse<String> answer = post("phone=138-0013-8000&username=bob");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo("{\"results\":["
                        + "{\"field\":\"phone\",\"value\":\"13800138000\",\"status\":\"taken\",\"available\":false},"
                        + "{\"field\":\"username\",\"value\":\"bob\",\"status\":\"available\",\"available\":true}]}");
    }

    /** A name that occurs in no fixed text, so that an echo would show. */
    private static final String MARK = "Zq7";

    static List<String[]> badFields() {
        String wide = encoded("\u5f20".repeat(86));
        return List.of(
                new String[] {"", "missing"},
                new String[] {"&&&", "missing"},
                new String[] {"nick=" + MARK, "missing"},
                new String[] {"USERNAME=" + MARK, "missing"},
                new String[] {"username%5B%5D=" + MARK, "missing"},
                new String[] {"username%00=" + MARK, "missing"},
                new String[] {"username=", "empty"},
                new String[] {"username", "empty"},
                new String[] {"username=&x=" + MARK, "empty"},
                new String[] {"username=" + MARK + "&username=" + MARK, "duplicated"},
                new String[] {"username=" + MARK + "&x=1&%75sername=bob", "duplicated"},
                new String[] {"username=" + MARK + "&username=", "duplicated"},
                new String[] {"username=" + MARK.repeat(86), "too-long"},
                new String[] {"username=" + wide, "too-long"},
                new String[] {"username=" + "x".repeat(6000), "too-long"},
                new String[] {"username=%zz" + MARK, "malformed"},
                new String[] {"username=" + MARK + "%", "malformed"},
                new String[] {"username=" + MARK + "%4", "malformed"},
                new String[] {"username=" + MARK + "%ED%A0%80", "malformed"},
                new String[] {"username=%ED%A0%BD%ED%B8%80" + MARK, "malformed"},
                new String[] {"username=" + MARK + "%C0%AF", "malformed"},
                new String[] {"username=" + MARK + "%E0%80%AF", "malformed"},
                new String[] {"username=" + MARK + "%F4%90%80%80", "malformed"},
                new String[] {"username=" + MARK + "%E5%BC", "malformed"},
                new String[] {"username=" + MARK + "%FF", "malformed"},
                new String[] {"username=" + MARK + "%u4e2d", "malformed"},
                new String[] {"%zz=" + MARK + "&username=bob", "malformed"},
                new String[] {"username=" + MARK + "%00", "nul"},
                new String[] {"username=%00", "nul"});
    }

    @ParameterizedTest
    @MethodSource("badFields")
    void badInputIsRefusedAndNotEchoed(String fields, String type) throws Exception {
        RawHttp.Answer byGet = RawHttp.send(server.port(), "GET", "/app/availability?" + fields);
        RawHttp.Answer byPost = postRaw(FORM, fields);
        for (RawHttp.Answer answer : List.of(byGet, byPost)) {
            assertThat(answer.status()).isEqualTo(400);
            assertProblem(400, answer.headers(), answer.body(), type);
            assertThat(answer.body()).doesNotContain(MARK).doesNotContain("Exception");
        }
        RawHttp.Answer byHead = RawHttp.send(server.port(), "HEAD", "/app/availability?" + fields);
        assertThat(byHead.status()).isEqualTo(400);
        assertThat(byHead.body()).isEmpty();
    }

    private RawHttp.Answer postRaw(String type, String body) throws IOException {
        return RawHttp.send(
                server.port(),
                "POST /app/availability HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: " + type
                        + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** A body that arrives behind its head and is never read costs the client its connection. */
    @Test
    void aRefusedBodyLeavesTheConnectionUsable() throws Exception {
        String head =
                "POST /app/availability HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\n";
        String last = "GET /app/availability?username=bob HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        for (int i = 0; i < 100; i++) {
            String answers = RawHttp.sendInParts(server.port(), head, "username=bob", last);
            assertThat(answers).contains("HTTP/1.1 415").contains("\"available\":true");
        }
    }

    @Test
    void rawBytesInTheRequestLineNeverBecomeAName() throws Exception {
        for (String name : List.of("\u00e5\u00bc\u00a0\u00e4\u00b8\u0089", "\u00ff", "\u00e9")) {
            RawHttp.Answer answer = RawHttp.send(server.port(), "GET", "/app/availability?username=" + name);
            assertThat(answer.status()).isEqualTo(400);
        }
    }

    @Test
    void tenThousandCharactersAreNeverChecked() throws Exception {
        long before = checker.stats(USERNAME).answers().checks();
        RawHttp.Answer answer = RawHttp.send(server.port(), "GET", "/app/availability?username=" + "x".repeat(10_000));
        assertThat(answer.status()).isBetween(400, 431);
        RawHttp.Answer byPost = postRaw(FORM, "username=" + "x".repeat(10_000));
        assertThat(byPost.status()).isEqualTo(413);
        assertThat(checker.stats(USERNAME).answers().checks()).isEqualTo(before);
    }

    @Test
    void twoHundredAndFiftySixBytesAreAccepted() throws Exception {
        assertThat(get("username=" + "%61".repeat(256)).body()).contains("too_long");
        assertThat(get("username=" + encoded("\u5f20".repeat(85)) + "x").body()).contains("too_long");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH", "PROPFIND", "get", "FOO"})
    void otherMethodsAreRefused(String method) throws Exception {
        RawHttp.Answer answer = RawHttp.send(server.port(), method, "/app/availability?username=bob");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.headers().get("allow")).isEqualTo("GET, HEAD, POST, OPTIONS");
        assertProblem(405, answer.headers(), answer.body(), "wrong-method");
    }

    @Test
    void aPhoneNumberIsNotTakenFromTheQueryString() throws Exception {
        for (String query : List.of("phone=13800138000", "username=bob&phone=13800138000")) {
            HttpResponse<String> answer = get(query);
            assertProblem(answer, 405, "wrong-method");
            assertThat(answer.headers().firstValue("Allow")).contains("POST, OPTIONS");
            assertThat(Json.object(answer.body()).get("field")).isEqualTo("phone");
            assertThat(answer.body()).doesNotContain("138");
        }
        assertThat(post("phone=%2B13800138000").body()).contains("\"status\":\"taken\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"username=bob", "username=alice", "username=%zz", "", "phone=13800138000"})
    void headIsGetWithoutTheBody(String query) throws Exception {
        RawHttp.Answer get = RawHttp.send(server.port(), "GET", "/app/availability?" + query);
        RawHttp.Answer head = RawHttp.send(server.port(), "HEAD", "/app/availability?" + query);
        assertThat(head.status()).isEqualTo(get.status());
        assertThat(head.body()).isEmpty();
        head.headers().remove("date");
        get.headers().remove("date");
        assertThat(head.headers()).isEqualTo(get.headers());
    }

    @Test
    void optionsListsTheMethods() throws Exception {
        RawHttp.Answer answer = RawHttp.send(server.port(), "OPTIONS", "/app/availability");
        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.headers().get("allow")).isEqualTo("GET, HEAD, POST, OPTIONS");
        assertThat(answer.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "text/json",
                "multipart/form-data; boundary=x",
                "application/x-www-form-urlencoded; charset=GBK",
                "application/x-www-form-urlencodedx",
                "application/json; charset=GBK",
                "application/json; charset=utf-16",
                "application/jsonx",
                "application/problem+json",
                "application/x-www-form-urlencoded, application/json",
            })
    void otherContentTypesAreRefused(String type) throws Exception {
        for (String body : List.of("username=bob", "{\"username\":\"bob\"}")) {
            HttpResponse<String> answer = post(type, body.getBytes(StandardCharsets.UTF_8));
            assertProblem(answer, 415, "wrong-type");
            assertThat(answer.headers().firstValue("Accept-Post")).contains(FORM + ", " + JSON);
        }
    }

    /** A text in JSON, with every escape that it does not need. */
    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.chars().forEach(c -> out.append(String.format("\\u%04x", c)));
        return '"' + out.toString() + '"';
    }

    private HttpResponse<String> postJson(String body) throws Exception {
        return post(JSON, body.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bob",
                "ALICE",
                "\uff21lice",
                "\u5f20\u4e09",
                "\u00e1dmin",
                "x",
                "\ud83d\ude00\ud83d\ude00",
                "a b"
            })
    void answersJsonLikeAForm(String text) throws Exception {
        String expected = post("username=" + encoded(text)).body();
        for (String body : List.of(
                "{\"username\":\"" + text + "\"}",
                "{" + escaped("username") + ":" + escaped(text) + "}",
                " {\r\n\t\"username\" : \"" + text
                        + "\" , \"suggestions\": false,\"x\":[{\"username\":[1,-0.5e+9,null]},{},[]]} ")) {
            HttpResponse<String> answer = postJson(body);
            assertThat(answer.statusCode()).as(body).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(expected);
        }
        for (String type : List.of("application/json;charset=UTF-8", "Application/JSON ; x=y; charset=\"utf-8\"")) {
            assertThat(post(type, ("{\"username\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8))
                            .body())
                    .isEqualTo(expected);
        }
    }

    @Test
    void jsonAsksForSeveralFieldsAndForSuggestionsToo() throws Exception {
        assertThat(postJson("{\"phone\":\"138-0013-8000\",\"username\":\"bob\"}")
                        .body())
                .isEqualTo(post("phone=138-0013-8000&username=bob").body());
        assertThat(postJson("{\"suggestions\":true,\"username\":\"alice\"}").body())
                .isEqualTo(post("username=alice&suggestions=true").body())
                .contains("\"suggestions\":[");
    }

    static List<String[]> badJson() {
        return List.of(
                new String[] {"", "missing"},
                new String[] {"{}", "missing"},
                new String[] {"{\"nick\":\"" + MARK + "\"}", "missing"},
                new String[] {"{\"x\":{\"username\":\"" + MARK + "\"}}", "missing"},
                new String[] {"{\"username\":\"\"}", "empty"},
                new String[] {"{\"username\":\"" + MARK + "\\u0000\"}", "nul"},
                new String[] {"{\"username\":\"" + MARK + "\",\"username\":\"bob\"}", "duplicated"},
                new String[] {"{\"username\":\"" + MARK + "\",\"user\\u006eame\":\"bob\"}", "duplicated"},
                new String[] {"{\"username\":\"" + MARK + "\",\"username\":null}", "duplicated"},
                new String[] {"{\"username\":\"" + MARK.repeat(86) + "\"}", "too-long"},
                new String[] {"{\"username\":\"" + "\\u5f20".repeat(86) + "\"}", "too-long"},
                new String[] {"{\"username\":null}", "malformed"},
                new String[] {"{\"username\":7}", "malformed"},
                new String[] {"{\"username\":[\"" + MARK + "\"]}", "malformed"},
                new String[] {"{\"username\":{\"" + MARK + "\":1}}", "malformed"},
                new String[] {"{\"username\":\"" + MARK + "\\ud800\"}", "malformed"},
                new String[] {"{\"username\":\"" + MARK + "\"", "malformed"},
                new String[] {"{\"username\":\"" + MARK + "\"}}", "malformed"},
                new String[] {"{\"username\":\"" + MARK + "\"} x", "malformed"},
                new String[] {"{\"username\":\"" + MARK + "\",}", "malformed"},
                new String[] {"[{\"username\":\"" + MARK + "\"}]", "malformed"},
                new String[] {"{'username':'" + MARK + "'}", "malformed"},
                new String[] {"username=" + MARK, "malformed"},
                new String[] {"\"" + MARK + "\"", "malformed"},
                new String[] {"\ufeff{\"username\":\"" + MARK + "\"}", "malformed"},
                new String[] {
                    "{\"username\":\"" + MARK + "\",\"x\":" + "[".repeat(4000) + "]".repeat(4000) + "}", "malformed"
                });
    }

    @ParameterizedTest
    @MethodSource("badJson")
    void badJsonIsRefusedAndNotEchoed(String body, String type) throws Exception {
        HttpResponse<String> answer = postJson(body);
        assertProblem(answer, 400, type);
        assertThat(answer.body()).doesNotContain(MARK).doesNotContain("Exception");
    }

    @Test
    void jsonOfOtherBytesThanUtf8IsMalformed() throws Exception {
        for (String bytes : List.of("\u00ff", "\u00c0\u00af", "\u00ed\u00a0\u0080", "\u00e5\u00bc", "\u00e9")) {
            assertProblem(
                    post(JSON, ("{\"username\":\"bob" + bytes + "\"}").getBytes(StandardCharsets.ISO_8859_1)),
                    400,
                    "malformed");
        }
    }

    @Test
    void jsonMayHaveEightKibibytesAndStandsInNoQuery() throws Exception {
        String most = "{\"username\":\"bob\",\"x\":\"";
        most += "y".repeat(8192 - most.length() - 2) + "\"}";
        assertThat(postJson(most).body()).contains("\"value\":\"bob\"");
        assertThat(postJson(most + " ").statusCode()).isEqualTo(413);
        byte[] chunks = most.getBytes(StandardCharsets.US_ASCII);
        assertThat(ask(HttpRequest.newBuilder(server.uri("/availability"))
                                .header("Content-Type", JSON)
                                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(chunks))))
                        .body())
                .contains("\"value\":\"bob\"");
        assertProblem(
                ask(HttpRequest.newBuilder(server.uri("/availability?username=alice"))
                        .header("Content-Type", JSON)
                        .POST(BodyPublishers.ofString("{\"username\":\"bob\"}"))),
                400,
                "field-in-query");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/x-www-form-urlencoded;charset=UTF-8",
                "Application/X-WWW-Form-Urlencoded ; x=y; charset=\"utf-8\"",
            })
    void utf8FormsAreAccepted(String type) throws Exception {
        assertThat(post(type, "username=\u5f20\u4e09".getBytes(StandardCharsets.UTF_8))
                        .body())
                .contains("\"value\":\"\u5f20\u4e09\",\"status\":\"taken\"");
    }

    @Test
    void aCompressedBodyIsRefused() throws Exception {
        assertProblem(
                ask(HttpRequest.newBuilder(server.uri("/availability"))
                        .header("Content-Type", FORM)
                        .header("Content-Encoding", "gzip")
                        .POST(BodyPublishers.ofString("username=bob"))),
                415,
                "wrong-type");
    }

    @Test
    void aPostWithNothingInItIsMissingItsField() throws Exception {
        assertProblem(
                ask(HttpRequest.newBuilder(server.uri("/availability")).POST(BodyPublishers.noBody())), 400, "missing");
    }

    @Test
    void fieldsOfAPostDoNotStandInTheQuery() throws Exception {
        assertProblem(
                ask(HttpRequest.newBuilder(server.uri("/availability?username=alice"))
                        .header("Content-Type", FORM)
                        .POST(BodyPublishers.ofString("username=bob"))),
                400,
                "field-in-query");
        assertThat(ask(HttpRequest.newBuilder(server.uri("/availability?x=alice"))
                                .header("Content-Type", FORM)
                                .POST(BodyPublishers.ofString("username=bob")))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aBodyMayHaveEightKibibytes() throws Exception {
        String most = "username=bob&x=";
        most += "y".repeat(8192 - most.length());
        assertThat(post(most).body()).contains("\"value\":\"bob\"");
        assertThat(post(most + "y").statusCode()).isEqualTo(413);
        byte[] tooMuch = (most + "y").getBytes(StandardCharsets.US_ASCII);
        HttpResponse<String> chunked = ask(HttpRequest.newBuilder(server.uri("/availability"))
                .header("Content-Type", FORM)
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(tooMuch))));
        assertProblem(chunked, 413, "too-large");
    }

    @Test
    void aBrokenBodyIsTheClientsFault() throws Exception {
        String head = "POST /app/availability HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: " + FORM
                + "\r\nTransfer-Encoding: chunked\r\n\r\n";
        byte[] broken = (head + "c\r\nusername=bob\r\nzz\r\n").getBytes(StandardCharsets.US_ASCII);
        RawHttp.Answer answer = RawHttp.sendAnything(server.port(), broken);
        // Tomcat closes the connection before anything is sent.
        assertThat(answer.status()).isIn(400, 0);
        assertThat(answer.body()).doesNotContain("bob");
    }

    @Test
    void theBodyOfAGetIsIgnored() throws Exception {
        HttpResponse<String> answer = ask(HttpRequest.newBuilder(server.uri("/availability?username=alice"))
                .header("Content-Type", FORM)
                .method("GET", BodyPublishers.ofString("username=bob&username=carol")));
        assertThat(answer.body()).contains("\"value\":\"alice\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/availability",
                "/availability/",
                "/availability/x",
                "/availabilityx",
                "/Availability",
                "/availability;jsessionid=1",
                "/availability;a=b;c",
                "/;x/availability",
                "/%61vailability",
                "/availability%20",
                "/availability%2F",
                "/availability%3Bx",
                "/availability%00",
                "/availability.",
                "//availability",
                "/./availability",
                "/x/../availability",
                "/x/..;/availability",
                "/%2e/availability",
                "/../app/availability",
                "/availability/.",
                "/availability/..",
                "/availability/..;/",
                "/avail%C3%A4bility",
                "/avail%zzbility",
                "/availability%ED%A0%80",
                "/",
                "",
            })
    void itAnswersExactlyWhereTheContainerWouldMapIt(String rawPath) throws Exception {
        RawHttp.Answer mapped = RawHttp.send(unfiltered.port(), "GET", "/app" + rawPath + "?username=alice");
        RawHttp.Answer ours = RawHttp.send(server.port(), "GET", "/app" + rawPath + "?username=alice");
        boolean answered = ours.body().contains("\"status\":\"taken\"");
        assertThat(answered).isEqualTo(mapped.headers().containsKey("x-reached"));
        if (!answered) {
            assertThat(ours.status()).isEqualTo(mapped.status());
        }
    }
}
