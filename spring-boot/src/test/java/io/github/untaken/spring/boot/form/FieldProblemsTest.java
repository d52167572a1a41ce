package io.github.untaken.spring.boot.form;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.spring.boot.DuplicateKeys;
import io.github.untaken.spring.boot.app.Account;
import io.github.untaken.spring.boot.app.Accounts;
import io.github.untaken.spring.boot.app.SignUpApplication;
import io.github.untaken.spring.boot.library.AnswersAutoConfiguration;
import io.github.untaken.test.log.LoggedLines;
import io.github.untaken.validation.Available;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.MessageSource;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.core.MethodParameter;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Controller;
import org.springframework.validation.method.MethodValidationResult;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sign-up by JSON: which field cannot be had stands in the answer, and what the application answers by itself stays as it is. */
@Tag("ci")
class FieldProblemsTest {

    record Form(
            @NotNull @Available("username") String username,
            @Size(max = 5) String motto) {}

    record Own(
            @Available(value = "username", message = "no") String username) {}

    /** Whatever is sent, the two together are wrong. */
    @Constraint(validatedBy = NeverEqual.class)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Equal {
        String message() default "not equal";

        Class<?>[] groups() default {};

        Class<? extends Payload>[] payload() default {};
    }

    static final class NeverEqual implements ConstraintValidator<Equal, Object> {
        @Override
        public boolean isValid(Object form, ConstraintValidatorContext context) {
            return false;
        }
    }

    @Equal
    record Twice(@Available("username") String username, String again) {}

    @RestController
    static class Api {
        private final Accounts accounts;
        private final DuplicateKeys duplicates;

        Api(Accounts accounts, DuplicateKeys duplicates) {
            this.accounts = accounts;
            this.duplicates = duplicates;
        }

        @PostMapping("/api")
        Map<String, String> signUp(@Valid @RequestBody Form form) {
            return Map.of("welcome", form.username());
        }

        /** Of two who were both told that the name is free. */
        @PostMapping("/api/hasty")
        Map<String, String> hasty(@RequestBody Map<String, String> form) {
            String name = form.get("username");
            try {
                accounts.save(new Account(name));
            } catch (DataIntegrityViolationException e) {
                throw duplicates.takenException(
                        e, Map.of("username", name), Map.of("username", IdentifierKind.USERNAME));
            }
            return Map.of("welcome", name);
        }

        @PostMapping("/api/own")
        String own(@Valid @RequestBody Own form) {
            return form.username();
        }

        /** The constraint of one parameter has Spring validate all of them as those of a method. */
        @PostMapping("/api/twice")
        String twice(@Valid @RequestBody Twice form, @RequestParam @Size(max = 9) String motto) {
            return form.username() + motto;
        }

        /** Validates by itself, and throws what Spring would. */
        @GetMapping("/api/refused")
        String refused(@RequestParam String name) throws NoSuchMethodException {
            Method method = Api.class.getDeclaredMethod("refused", String.class);
            MessageSourceResolvable error = new DefaultMessageSourceResolvable(new String[] {"mine"}, "mine");
            var result = new ParameterValidationResult(
                    new MethodParameter(method, 0), name, List.of(error), null, null, null, (any, type) -> {
                        throw new IllegalArgumentException("No source object of the given type");
                    });
            throw new HandlerMethodValidationException(MethodValidationResult.create(this, method, List.of(result)));
        }

        @GetMapping("/api/name")
        String name(@RequestParam @Available("username") String name) {
            return name;
        }
    }

    @Controller
    static class Pages {
        @PostMapping("/page")
        @ResponseBody
        String signUp(@Valid Form form) {
            return form.username();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Open {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.csrf(csrf -> csrf.disable()).build();
        }
    }

    /** Without an order, as most are. */
    @RestControllerAdvice
    static class OwnAnswers {
        @ExceptionHandler
        @ResponseStatus(HttpStatus.UNPROCESSABLE_CONTENT)
        Map<String, String> invalid(MethodArgumentNotValidException e) {
            return Map.of("mine", "invalid");
        }

        @ExceptionHandler
        @ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
        Map<String, String> any(Exception e) {
            return Map.of("mine", "any");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MoreTexts {
        @Bean
        MessageSource mailTexts() {
            return new StaticMessageSource();
        }
    }

    @RestControllerAdvice
    static class SpringsAnswers extends ResponseEntityExceptionHandler {}

    @RestControllerAdvice
    static class ChangedAnswers extends ResponseEntityExceptionHandler {
        @Override
        protected ResponseEntity<Object> handleMethodArgumentNotValid(
                MethodArgumentNotValidException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
            return ResponseEntity.status(status).body(Map.of("mine", "changed"));
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();

    private static ServletWebServerApplicationContext start(List<Class<?>> more, String... settings) {
        return start(FieldProblemsTest.class.getClassLoader(), more, settings);
    }

    private static ServletWebServerApplicationContext start(
            ClassLoader classes, List<Class<?>> more, String... settings) {
        Class<?>[] sources = Stream.concat(
                        Stream.of(SignUpApplication.class, Open.class, Api.class, Pages.class), more.stream())
                .toArray(Class[]::new);
        String[] arguments = Stream.concat(
                        Stream.of(
                                "--server.port=0",
                                "--server.address=127.0.0.1",
                                "--spring.datasource.generate-unique-name=true",
                                "--spring.jpa.hibernate.ddl-auto=create",
                                "--untaken.await-ready=30s"),
                        Stream.of(settings))
                .toArray(String[]::new);
        var site = (ServletWebServerApplicationContext)
                new SpringApplication(new DefaultResourceLoader(classes), sources).run(arguments);
        site.getBean(Accounts.class).save(new Account("alice"));
        return site;
    }

    private HttpResponse<String> send(ServletWebServerApplicationContext site, String path, String type, String body)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + site.getWebServer().getPort() + path))
                .header("Accept-Language", "en")
                .timeout(Duration.ofSeconds(30));
        if (!type.isEmpty()) {
            request.header("Content-Type", type).POST(HttpRequest.BodyPublishers.ofString(body));
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(ServletWebServerApplicationContext site, String path, String json)
            throws Exception {
        return send(site, path, "application/json", json);
    }

    private static JsonNode problem(HttpResponse<String> answer, int status) {
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        JsonNode problem = JsonMapper.shared().readTree(answer.body());
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(problem.get("status").intValue()).isEqualTo(status);
        return problem;
    }

    private static String errors(JsonNode problem) {
        return String.valueOf(problem.get("errors"));
    }

    private static final String TAKEN =
            "[{\"field\":\"username\",\"reason\":\"taken\",\"detail\":\"is already taken\"}]";

    @Test
    void namesTheFieldThatCannotBeHad() throws Exception {
        try (var site = start(List.of())) {
            assertThat(post(site, "/api", "{\"username\":\"zoe\"}").body()).isEqualTo("{\"welcome\":\"zoe\"}");
            HttpResponse<String> taken = post(site, "/api", "{\"username\":\"Alice\"}");
            assertThat(errors(problem(taken, 400))).isEqualTo(TAKEN);
            assertThat(taken.body()).doesNotContain("lice");
            assertThat(errors(problem(post(site, "/api", "{\"username\":\"admin\"}"), 400)))
                    .isEqualTo("[{\"field\":\"username\",\"reason\":\"reserved\",\"detail\":\"is reserved\"}]");
            assertThat(errors(problem(post(site, "/api", "{\"username\":\"a b\"}"), 400)))
                    .contains("\"reason\":\"invalid\"");
            assertThat(errors(problem(post(site, "/api/own", "{\"username\":\"alice\"}"), 400)))
                    .isEqualTo("[{\"field\":\"username\",\"detail\":\"no\"}]");
            assertThat(errors(problem(send(site, "/api/name?name=alice", "", ""), 400)))
                    .isEqualTo(TAKEN.replace("username", "name"));
            // Of what else was wrong the application may tell, or not.
            assertThat(errors(problem(post(site, "/api", "{\"username\":\"alice\",\"motto\":\"too long\"}"), 400)))
                    .isEqualTo(TAKEN);
        }
    }

    @Test
    void namesTheFieldOfWhoeverWasSlower() throws Exception {
        try (var site = start(List.of());
                LoggedLines log = new LoggedLines("org.springframework.web")) {
            assertThat(post(site, "/api/hasty", "{\"username\":\"frank\"}").statusCode())
                    .isEqualTo(200);
            HttpResponse<String> taken = post(site, "/api/hasty", "{\"username\":\"frank\"}");
            assertThat(errors(problem(taken, 409))).isEqualTo(TAKEN);
            assertThat(taken.body()).doesNotContain("frank");
            assertThat(log.about("frank")).isEmpty();
            // Another failure is none of ours.
            assertThat(post(site, "/api/hasty", "{\"username\":\"" + "g".repeat(300) + "\"}")
                            .statusCode())
                    .isEqualTo(500);
        }
    }

    @Test
    void leavesEverythingElseAsItWas() throws Exception {
        try (var site = start(List.of());
                var without = start(List.of(), "--untaken.problem-details=false")) {
            for (String[] row : new String[][] {
                {"/api", "application/json", "{}"},
                {"/api", "application/json", "{\"username\":\"zoe\",\"motto\":\"too long\"}"},
                {"/api", "application/json", "no json"},
                {"/api", "text/plain", "username=alice"},
                {"/api/name", "", ""},
                {"/api/refused?name=alice", "", ""},
                {"/api/twice?motto=x", "application/json", "{\"username\":\"zoe\"}"},
                {"/page", "application/x-www-form-urlencoded", "username=alice"},
                {"/nowhere", "application/json", "{}"},
            }) {
                HttpResponse<String> answer = send(site, row[0], row[1], row[2]);
                HttpResponse<String> before = send(without, row[0], row[1], row[2]);
                assertThat(answer.statusCode()).as(row[0] + row[2]).isEqualTo(before.statusCode());
                assertThat(answer.headers().firstValue("Content-Type"))
                        .isEqualTo(before.headers().firstValue("Content-Type"));
                assertThat(answer.body().replaceAll("\"timestamp\":\"[^\"]*\"", ""))
                        .isEqualTo(before.body().replaceAll("\"timestamp\":\"[^\"]*\"", ""))
                        .doesNotContain("errors");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/api, 400", "/api/name?name=alice, 400", "/api/hasty, 500"})
    void isSwitchedOff(String path, int status) throws Exception {
        try (var site = start(List.of(), "--untaken.problem-details=false")) {
            HttpResponse<String> answer =
                    path.contains("?") ? send(site, path, "", "") : post(site, path, "{\"username\":\"alice\"}");
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(answer.body()).contains("\"timestamp\":").doesNotContain("errors");
        }
    }

    @Test
    void whatTheApplicationAnswersStaysItsOwn() throws Exception {
        try (var site = start(List.of(OwnAnswers.class))) {
            HttpResponse<String> invalid = post(site, "/api", "{\"username\":\"alice\"}");
            assertThat(invalid.statusCode()).isEqualTo(422);
            assertThat(invalid.body()).isEqualTo("{\"mine\":\"invalid\"}");
            HttpResponse<String> taken = post(site, "/api/hasty", "{\"username\":\"alice\"}");
            assertThat(taken.statusCode()).isEqualTo(418);
            assertThat(taken.body()).isEqualTo("{\"mine\":\"any\"}");
        }
        try (var site = start(List.of(ChangedAnswers.class))) {
            assertThat(post(site, "/api", "{\"username\":\"alice\"}").body()).isEqualTo("{\"mine\":\"changed\"}");
            assertThat(errors(problem(post(site, "/api/hasty", "{\"username\":\"alice\"}"), 409)))
                    .isEqualTo(TAKEN);
        }
    }

    @Test
    void namesTheFieldBesideWhatIsWrongWithTheFormAsAWhole() throws Exception {
        try (var site = start(List.of())) {
            assertThat(errors(problem(post(site, "/api/twice?motto=x", "{\"username\":\"alice\"}"), 400)))
                    .isEqualTo(TAKEN);
        }
    }

    @Test
    void anAdviceThatComesWithALibraryAnswersFirst(@TempDir Path classes) throws Exception {
        Path listed = Files.writeString(classes.resolve("list"), AnswersAutoConfiguration.class.getName());
        ClassLoader withLibrary = new ClassLoader(FieldProblemsTest.class.getClassLoader()) {
            @Override
            protected Enumeration<URL> findResources(String name) throws IOException {
                return name.endsWith(AutoConfiguration.class.getName() + ".imports")
                        ? Collections.enumeration(List.of(listed.toUri().toURL()))
                        : Collections.emptyEnumeration();
            }
        };
        try (var site = start(withLibrary, List.of())) {
            assertThat(post(site, "/api", "{\"username\":\"alice\"}").body()).isEqualTo("{\"library\":\"invalid\"}");
            assertThat(post(site, "/api", "{}").body()).isEqualTo("{\"library\":\"invalid\"}");
        }
    }

    @Test
    void anApplicationMayHaveMoreTextsThanItsMessages() throws Exception {
        try (var site = start(List.of(MoreTexts.class))) {
            assertThat(errors(problem(post(site, "/api/hasty", "{\"username\":\"alice\"}"), 409)))
                    .isEqualTo(TAKEN);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theProblemDetailOfSpringNamesTheFieldToo(boolean bySetting) throws Exception {
        try (var site = bySetting
                ? start(List.of(), "--spring.mvc.problemdetails.enabled=true")
                : start(List.of(SpringsAnswers.class))) {
            assertThat(errors(problem(post(site, "/api", "{\"username\":\"alice\"}"), 400)))
                    .isEqualTo(TAKEN);
            assertThat(errors(problem(send(site, "/api/name?name=alice", "", ""), 400)))
                    .isEqualTo(TAKEN.replace("username", "name"));
            assertThat(errors(problem(post(site, "/api/hasty", "{\"username\":\"alice\"}"), 409)))
                    .isEqualTo(TAKEN);
            assertThat(problem(post(site, "/api", "{}"), 400).has("errors")).isFalse();
        }
    }
}
