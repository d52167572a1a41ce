package io.github.untaken.servlet;

import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An answer of the availability endpoint, complete before its first byte is sent. The body is made as UTF-8 bytes and
 * goes through the output stream with its length: a container's writer may choose another encoding.
 */
final class AvailabilityResponse {
    private static final String JSON = "application/json";
    private static final String PROBLEM_JSON = "application/problem+json";
    private static final String RETRY_SOON = "1";

    private final int status;
    private final String type;
    private final byte[] body;
    private final Map<String, String> headers = new LinkedHashMap<>(4);

    private AvailabilityResponse(int status, String type, byte[] body) {
        this.status = status;
        this.type = type;
        this.body = body;
    }

    /** @param verdicts at least one; of one it is the object itself, of several a list */
    static AvailabilityResponse of(List<Verdict> verdicts, boolean exposeDecision) {
        Verdict first = verdicts.get(0);
        JsonText json = new JsonText();
        if (verdicts.size() == 1) {
            if (first.status() == Status.UNKNOWN) {
                return of(new Refusal(Problem.UNKNOWN, first.kind())).retryAfter(RETRY_SOON);
            }
            verdict(json, first, exposeDecision);
            return new AvailabilityResponse(HttpServletResponse.SC_OK, JSON, json.utf8());
        }
        boolean known = verdicts.stream().noneMatch(verdict -> verdict.status() == Status.UNKNOWN);
        json.open('{');
        if (!known) {
            problem(json, Problem.UNKNOWN);
        }
        json.name("results").open('[');
        verdicts.forEach(verdict -> verdict(json, verdict, exposeDecision));
        json.close(']').close('}');
        return known
                ? new AvailabilityResponse(HttpServletResponse.SC_OK, JSON, json.utf8())
                : new AvailabilityResponse(Problem.UNKNOWN.status(), PROBLEM_JSON, json.utf8()).retryAfter(RETRY_SOON);
    }

    static AvailabilityResponse of(Refusal refusal) {
        JsonText json = new JsonText().open('{');
        problem(json, refusal.problem());
        refusal.field().ifPresent(kind -> json.name("field").value(kind.name()));
        json.close('}');
        return new AvailabilityResponse(refusal.problem().status(), PROBLEM_JSON, json.utf8());
    }

    /** To a method that the endpoint, or this kind, does not serve. */
    static AvailabilityResponse wrongMethod(Refusal refusal, String allow) {
        return of(refusal).with("Allow", allow);
    }

    static AvailabilityResponse tooManyRequests(Duration retryAfter) {
        long seconds = retryAfter.plusNanos(999_999_999).toSeconds();
        return of(new Refusal(Problem.TOO_MANY_REQUESTS)).retryAfter(Long.toString(Math.max(1, seconds)));
    }

    /** Something of ours broke. */
    static AvailabilityResponse fault() {
        return of(new Refusal(Problem.UNKNOWN)).retryAfter(RETRY_SOON);
    }

    /** To OPTIONS. */
    static AvailabilityResponse options(String allow) {
        return new AvailabilityResponse(HttpServletResponse.SC_NO_CONTENT, "", new byte[0]).with("Allow", allow);
    }

    private static void verdict(JsonText json, Verdict verdict, boolean exposeDecision) {
        json.open('{');
        json.name("field").value(verdict.kind().name());
        json.name("value").value(verdict.key());
        json.name("status").value(verdict.status().name().toLowerCase(Locale.ROOT));
        json.name("available").value(verdict.available());
        Optional<String> reason = verdict.reason();
        if (verdict.status() == Status.INVALID && reason.isPresent()) {
            json.name("reason").value(reason.get());
        }
        if (exposeDecision) {
            json.name("decidedBy").value(verdict.decidedBy().name().toLowerCase(Locale.ROOT));
        }
        json.close('}');
    }

    private static void problem(JsonText json, Problem problem) {
        json.name("type").value(problem.type());
        json.name("title").value(problem.title());
        json.name("status").value(problem.status());
        json.name("detail").value(problem.detail());
        json.name("availability").value("unknown");
    }

    private AvailabilityResponse retryAfter(String seconds) {
        return with("Retry-After", seconds);
    }

    private AvailabilityResponse with(String header, String value) {
        headers.put(header, value);
        return this;
    }

    /** @param withBody false for HEAD, whose headers are those of GET, the length included */
    void send(HttpServletResponse response, boolean withBody) throws IOException {
        response.setStatus(status);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        headers.forEach(response::setHeader);
        if (!type.isEmpty()) {
            response.setContentType(type);
            response.setContentLength(body.length);
            if (withBody) {
                response.getOutputStream().write(body);
            }
        }
    }
}
