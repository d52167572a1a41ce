package io.github.untaken.servlet.exchange;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * An answer of the availability endpoint, complete before its first byte is sent. The body is made as UTF-8 bytes and
 * goes through the output stream with its length: a container's writer may choose another encoding.
 */
public final class AvailabilityResponse {
    private static final String JSON = "application/json";
    private static final String PROBLEM_JSON = "application/problem+json";
    private static final String CONTENT_LANGUAGE = "Content-Language";
    private static final String RETRY_SOON = "1";

    private final int status;
    private final String type;
    private final JsonText body;
    /** Most have none. */
    private Map<String, String> headers = Map.of();

    private AvailabilityResponse(int status, String type, JsonText body) {
        this.status = status;
        this.type = type;
        this.body = body;
    }

    /**
     * What is said about the fields.
     *
     * @param answers at least one; of one it is the object itself, of several a list
     * @param accepted asked only where people are to read something
     */
    public static AvailabilityResponse of(List<Answer> answers, Supplier<Language> accepted) {
        Answer first = answers.get(0);
        JsonText json = new JsonText();
        if (answers.size() == 1) {
            if (first.lacking()) {
                return of(Refusal.unknown(first), accepted.get());
            }
            first.write(json);
            return new AvailabilityResponse(HttpServletResponse.SC_OK, JSON, json);
        }
        json.open('{');
        if (answers.stream().noneMatch(Answer::lacking)) {
            results(json, answers);
            return new AvailabilityResponse(HttpServletResponse.SC_OK, JSON, json);
        }
        Language language = accepted.get();
        problem(json, Problem.UNKNOWN, language);
        results(json, answers);
        return new AvailabilityResponse(Problem.UNKNOWN.status(), PROBLEM_JSON, json)
                .with(CONTENT_LANGUAGE, language.tag())
                .retryAfter(RETRY_SOON);
    }

    private static void results(JsonText json, List<Answer> answers) {
        json.name("results").open('[');
        answers.forEach(answer -> answer.write(json));
        json.close(']').close('}');
    }

    /** Says what was wrong. */
    public static AvailabilityResponse of(Refusal refusal, Language language) {
        JsonText json = new JsonText().open('{');
        problem(json, refusal.problem(), language);
        refusal.field().ifPresent(kind -> json.name("field").value(kind.name()));
        refusal.reason().ifPresent(code -> json.name("reason").value(code));
        json.close('}');
        AvailabilityResponse response = new AvailabilityResponse(
                        refusal.problem().status(), PROBLEM_JSON, json)
                .with(CONTENT_LANGUAGE, language.tag());
        refusal.retryAfter().ifPresent(time -> response.retryAfter(wholeSeconds(time)));
        return switch (refusal.problem()) {
            case WRONG_TYPE -> response.with("Accept-Post", AvailabilityRequest.TYPES);
            case UNKNOWN -> response.retryAfter(RETRY_SOON);
            default -> response;
        };
    }

    /** To a method that the endpoint, or this kind, does not serve. */
    public static AvailabilityResponse wrongMethod(Refusal refusal, String allow, Language language) {
        return of(refusal, language).with("Allow", allow);
    }

    /** Something of ours broke. */
    public static AvailabilityResponse fault(Language language) {
        return of(new Refusal(Problem.UNKNOWN), language);
    }

    /** To OPTIONS. */
    public static AvailabilityResponse options(String allow) {
        return new AvailabilityResponse(HttpServletResponse.SC_NO_CONTENT, "", new JsonText()).with("Allow", allow);
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

    /** With the end of the connection behind it. */
    AvailabilityResponse closing() {
        return with("Connection", "close");
    }

    private AvailabilityResponse retryAfter(String seconds) {
        return with("Retry-After", seconds);
    }

    private AvailabilityResponse with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        headers = more;
        return this;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /**
     * Sends it.
     *
     * @param withBody false for HEAD, whose headers are those of GET, the length included
     */
    public void send(HttpServletResponse response, boolean withBody) throws IOException {
        sendHead(response, true);
        if (withBody && !type.isEmpty()) {
            body.writeTo(response.getOutputStream());
        }
    }

    /** @param measured whether it says how long the body is */
    void sendHead(HttpServletResponse response, boolean measured) {
        response.setStatus(status);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        headers.forEach(response::setHeader);
        if (!type.isEmpty()) {
            response.setContentType(type);
            if (measured) {
                response.setContentLength(body.length());
            }
        }
    }

    void sendBody(ServletOutputStream out) throws IOException {
        body.writeTo(out);
    }
}
