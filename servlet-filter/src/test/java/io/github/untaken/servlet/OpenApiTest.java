package io.github.untaken.servlet;

import static io.github.untaken.IdentifierKind.EMAIL;
import static io.github.untaken.IdentifierKind.PHONE;
import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.DisallowUnknownKeywordFactory;
import io.github.untaken.AvailabilityChecker;
import io.github.untaken.http.ClientLimiter.Decision;
import io.github.untaken.http.EndpointSettings;
import io.github.untaken.http.EndpointSettingsBuilder;
import io.github.untaken.http.KindMode;
import io.github.untaken.http.exchange.Problem;
import io.github.untaken.servlet.RawHttp.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** The description in the jar says what the endpoint does: all of it, and nothing else. */
class OpenApiTest {
    private static final String FILE = "/META-INF/io.github.untaken/openapi.json";

    private static final String SCHEMAS = "/components/schemas";

    private final JsonNode document = read();

    /** That of OpenAPI 3.1; a keyword it does not know is an error, not a licence. */
    private final SchemaRegistry dialect = SchemaRegistry.withDialect(Dialect.builder(Dialects.getDraft202012())
            .unknownKeywordFactory(DisallowUnknownKeywordFactory.getInstance())
            .build());

    private final Set<String> seen = new HashSet<>();

    private static JsonNode read() {
        try (InputStream in = AvailabilityServletFilter.class.getResourceAsStream(FILE)) {
            return Json.STRICT.readTree(in);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Follows a local reference, if this is one. */
    private JsonNode resolve(JsonNode node) {
        JsonNode there =
                node.has("$ref") ? document.at(node.get("$ref").stringValue().substring(1)) : node;
        assertThat(there.isObject()).as("%s leads somewhere", node).isTrue();
        return there;
    }

    /** What is wrong with the value, empty if nothing is. */
    private List<Error> violations(JsonNode schema, JsonNode value) {
        ObjectNode alone = (ObjectNode) schema.deepCopy();
        alone.set("$defs", document.at(SCHEMAS));
        return dialect.getSchema(alone.toString().replace("#" + SCHEMAS, "#/$defs"))
                .validate(value);
    }

    private JsonNode responses(String method) {
        return document.at("/paths/~1availability/" + method + "/responses");
    }

    private void described(String method, Answer answer) {
        String status = Integer.toString(answer.status());
        assertThat(responses(method).has(status)).as(method + " " + status).isTrue();
        JsonNode response = resolve(responses(method).get(status));
        response.path("headers").forEachEntry((name, header) -> {
            String value = answer.headers().get(name.toLowerCase(Locale.ROOT));
            assertThat(violations(resolve(header).get("schema"), StringNode.valueOf(String.valueOf(value))))
                    .as("%s of %s %s: %s", name, method, status, value)
                    .isEmpty();
        });
        if (response.has("content")) {
            String type = answer.headers().get("content-type");
            JsonNode schema = response.get("content").get(type).get("schema");
            ObjectNode body = (ObjectNode) Json.STRICT.readTree(answer.body());
            assertThat(violations(schema, body)).as(answer.body()).isEmpty();
            // It is the schema that accepts it, and not its absence.
            assertThat(violations(schema, body.deepCopy().put("status", "maybe").put("results", "none")))
                    .isNotEmpty();
            // Clients made from it take what a later version adds.
            assertThat(violations(schema, body.deepCopy().put("addedLater", 1))).isEmpty();
            String first = body.propertyNames().iterator().next();
            assertThat(violations(schema, body.deepCopy().without(first))).isNotEmpty();
        } else {
            assertThat(answer.body()).isEmpty();
        }
        seen.add(method + " " + status);
    }

    private static Answer post(Container.Running server, String headers, String form) throws IOException {
        return RawHttp.send(
                server.port(),
                "POST /app/availability HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "Content-Type:"
                        + " application/x-www-form-urlencoded\r\nContent-Length: " + form.length() + "\r\n\r\n" + form);
    }

    private static Answer get(Container.Running server, String query) throws IOException {
        return RawHttp.send(server.port(), "GET", "/app/availability?" + query);
    }

    @Test
    void everyAnswerIsDescribedAndEveryDescriptionHappens() throws Exception {
        try (UserTable users = new UserTable("alice", "bella");
                AvailabilityChecker checker = ReadyCheckers.ready(AvailabilityChecker.builder()
                        .store(USERNAME, users)
                        .store(PHONE, new UserTable("13800138000"))
                        .store(EMAIL, new UserTable())
                        .normalizer(PHONE, new Digits())
                        .normalizer(EMAIL, new Mailboxes()))) {
            int[] left = {1000};
            AtomicBoolean closed = new AtomicBoolean();
            EndpointSettings settings = EndpointSettings.builder()
                    .limiter(client -> --left[0] >= 0 ? Decision.admit() : Decision.refuse(Duration.ofSeconds(7)))
                    .gate((request, kind) -> !kind.equals(PHONE) || request.header("X-Shut") == null)
                    .mode(EMAIL, KindMode.BLIND)
                    .exposeDecision(true)
                    .registrationOpen(() -> !closed.get())
                    .ownIdentifiers((request, kind) -> Optional.ofNullable(request.header("X-Me")))
                    .build();
            try (Container.Running server = Container.JETTY.start(context ->
                    Container.everywhere(context, "availability", new AvailabilityServletFilter(checker, settings)))) {
                for (String query : List.of(
                        "username=bob",
                        "username=alice",
                        "username=admin",
                        "username=adm1n",
                        "username=x",
                        "username=alice&suggestions=true",
                        "username=%zz",
                        "",
                        "username=",
                        "username=%00",
                        "username=a&username=b",
                        "phone=1",
                        "username=" + "x".repeat(300))) {
                    described("get", get(server, query));
                }
                for (String form : List.of(
                        "username=bob",
                        "phone=13800138000",
                        "username=alice&phone=13800138001&suggestions=true",
                        "email=alice%40example.org",
                        "email=a&username=bob",
                        "email=",
                        "phone=%zz",
                        "x=y",
                        "x=" + "y".repeat(9000))) {
                    described("post", post(server, "", form));
                }
                Answer mine = post(server, "X-Me: Alice\r\n", "username=ALICE&suggestions=true");
                assertThat(mine.body())
                        .contains("\"available\":true,\"yours\":true")
                        .doesNotContain("suggestions");
                described("post", mine);
                described("post", post(server, "X-Me: bob\r\n", "username=alice"));
                described("post", post(server, "X-Shut: 1\r\n", "phone=1"));
                described("post", post(server, "Content-Encoding: gzip\r\n", "phone=1"));
                described("options", RawHttp.send(server.port(), "OPTIONS", "/app/availability"));
                users.close();
                described("get", get(server, "username=alice"));
                described("post", post(server, "Accept-Language: zh\r\n", "username=bella&phone=13800138000"));
                closed.set(true);
                assertThat(get(server, "username=bob").body()).contains("registration-closed");
                described("get", get(server, "username=bob"));
                described("post", post(server, "", "username=bob"));
                closed.set(false);
                left[0] = 0;
                described("get", get(server, "username=bob"));
                described("post", post(server, "", "username=bob"));
            }
        }
        // Not made by this test: a kind that is taken by GET alone, and a body that comes too slowly.
        Set<String> documented = new HashSet<>();
        for (String method : List.of("get", "post", "options")) {
            responses(method).propertyNames().forEach(status -> documented.add(method + " " + status));
        }
        documented.removeAll(Set.of("post 405", "post 408"));
        assertThat(seen).containsExactlyInAnyOrderElementsOf(documented);
    }

    @Test
    void everyProblemIsDescribedUnderItsStatus() {
        for (Problem problem : Problem.values()) {
            List<String> described = new ArrayList<>();
            for (String method : List.of("get", "post")) {
                JsonNode response = responses(method).path(Integer.toString(problem.status()));
                if (response.toString().contains("2026:" + problem.code() + "\"")) {
                    described.add(method);
                }
            }
            // A wrong method is one of the kind's; the endpoint as a whole has no other operations than it describes.
            assertThat(described).as(problem.code()).contains("post");
        }
    }

    @Test
    void describesTheBodiesThatItAccepts() {
        JsonNode content = document.at("/paths/~1availability/post/requestBody/content");
        assertThat(String.join(", ", content.propertyNames()))
                .isEqualTo(document.at("/components/headers/Accept-Post/schema/const")
                        .stringValue());
        assertThat(violations(
                        content.at("/application~1json/schema"),
                        Json.STRICT.readTree("{\"username\":\"bob\",\"suggestions\":true,\"x\":[1]}")))
                .isEmpty();
        assertThat(violations(content.at("/application~1json/schema"), Json.STRICT.readTree("{\"username\":null}")))
                .isNotEmpty();
    }

    @Test
    void namesItsServersAndSaysWhoMayAsk() {
        assertThat(document.at("/servers/0/url").stringValue()).isEqualTo("/");
        assertThat(document.get("security").isArray()).isTrue();
        assertThat(document.toString()).doesNotContain("additionalProperties");
    }

    private static List<String> serve(String... openApiPath) throws Exception {
        EndpointSettingsBuilder settings = EndpointSettings.builder().path("/api/is free");
        if (openApiPath.length > 0) {
            settings.openApiPath(openApiPath[0]);
        }
        try (UserTable users = new UserTable();
                AvailabilityChecker checker =
                        ReadyCheckers.ready(AvailabilityChecker.builder().store(USERNAME, users));
                Container.Running server = Container.JETTY.start(context -> Container.everywhere(
                        context, "availability", new AvailabilityServletFilter(checker, settings.build())))) {
            Answer answer = RawHttp.send(server.port(), "GET", "/app/api/openapi.json");
            return List.of(
                    Integer.toString(answer.status()),
                    String.valueOf(answer.headers().get("content-type")),
                    answer.body());
        }
    }

    @Test
    void isServedOnRequestAndThenNamesTheRealPaths() throws Exception {
        assertThat(serve()).first().isEqualTo("404");
        List<String> served = serve("/api/openapi.json");
        assertThat(served.get(0)).isEqualTo("200");
        assertThat(served.get(1)).isEqualToIgnoringCase("application/json;charset=utf-8");
        JsonNode there = Json.STRICT.readTree(served.get(2));
        assertThat(there.get("paths").propertyNames()).containsExactly("/api/is%20free");
        assertThat(there.at("/servers/0/url").stringValue()).isEqualTo("..");
        assertThat(there.get("components")).isEqualTo(document.get("components"));
    }
}
