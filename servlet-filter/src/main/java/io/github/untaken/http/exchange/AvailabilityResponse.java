package io.github.untaken.http.exchange;

import io.github.untaken.http.spi.EndpointResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What the availability endpoint answers, as bytes and headers. */
public final class AvailabilityResponse {
    private static final String RETRY_SOON = "1";

    private static final Map<String, String> PLAIN =
            Map.of("Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");
    private static final Map<String, String> JSON = with(PLAIN, "Content-Type", "application/json");
    private static final Map<String, String> PROBLEM = with(PLAIN, "Content-Type", "application/problem+json");

    private AvailabilityResponse() {}

    /**
     * What is said about the fields.
     *
     * @param answers at least one; one answer is the object itself, several are a list
     * @param accepted asked only if people are to read something
     */
    public static EndpointResponse of(List<Answer> answers, Supplier<Language> accepted) {
        Answer first = answers.get(0);
        JsonText json = new JsonText();
        if (answers.size() == 1) {
            if (first.lacking()) {
                return of(Refusal.unknown(first), accepted.get());
            }
            first.write(json);
            return new EndpointResponse(200, JSON, json.bytes());
        }
        json.open('{');
        if (answers.stream().noneMatch(Answer::lacking)) {
            results(json, answers);
            return new EndpointResponse(200, JSON, json.bytes());
        }
        Language language = accepted.get();
        problem(json, Problem.UNKNOWN, language);
        results(json, answers);
        return problem(Problem.UNKNOWN, language, json).with(Map.of("Retry-After", RETRY_SOON));
    }

    private static void results(JsonText json, List<Answer> answers) {
        json.name("results").open('[');
        answers.forEach(answer -> answer.write(json));
        json.close(']').close('}');
    }

    /** Says what was wrong. */
    public static EndpointResponse of(Refusal refusal, Language language) {
        JsonText json = new JsonText().open('{');
        problem(json, refusal.problem(), language);
        refusal.field().ifPresent(kind -> json.name("field").value(kind.name()));
        refusal.reason().ifPresent(code -> json.name("reason").value(code));
        json.close('}');
        EndpointResponse response = problem(refusal.problem(), language, json);
        EndpointResponse timed = refusal.retryAfter()
                .map(time -> response.with(Map.of("Retry-After", wholeSeconds(time))))
                .orElse(response);
        return switch (refusal.problem()) {
            case WRONG_TYPE -> timed.with(Map.of("Accept-Post", AvailabilityRequest.TYPES));
            case UNKNOWN -> timed.with(Map.of("Retry-After", RETRY_SOON));
            default -> timed;
        };
    }

    /** For a method that the endpoint, or this kind, does not serve. */
    public static EndpointResponse wrongMethod(Refusal refusal, String allow, Language language) {
        return of(refusal, language).with(Map.of("Allow", allow));
    }

    /** For a fault of ours. */
    public static EndpointResponse fault() {
        return of(new Refusal(Problem.UNKNOWN), Language.ENGLISH);
    }

    /** For OPTIONS. */
    public static EndpointResponse options(String allow) {
        return new EndpointResponse(204, with(PLAIN, "Allow", allow));
    }

    private static EndpointResponse problem(Problem problem, Language language, JsonText json) {
        return new EndpointResponse(problem.status(), with(PROBLEM, "Content-Language", language.tag()), json.bytes());
    }

    private static void problem(JsonText json, Problem problem, Language language) {
        json.name("type").value(problem.type());
        json.name("title").value(language.title(problem));
        json.name("status").value(problem.status());
        json.name("detail").value(language.detail(problem));
        json.name("availability").value("unknown");
    }

    /** Rounded up, at least one. */
    private static String wholeSeconds(Duration time) {
        return Long.toString(Math.max(1, time.plusNanos(999_999_999).toSeconds()));
    }

    private static Map<String, String> with(Map<String, String> headers, String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return all;
    }
}
