package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.Verdict;
import io.github.untaken.servlet.AvailabilityRequest.Field;
import io.github.untaken.servlet.ClientLimiter.Decision;
import io.github.untaken.spi.IdentifierKind;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers availability checks. In this order: method, limit of the client, syntax, method of each kind, gate of each kind,
 * check. So a client that asks too often costs nothing, and nothing is looked up for one that may not ask.
 */
final class AvailabilityEndpoint {
    private final AvailabilityChecker checker;
    private final String path;
    private final Map<String, IdentifierKind> kinds;
    private final Map<IdentifierKind, Set<CheckMethod>> methods;
    private final String allow;
    private final ClientLimiter limiter;
    private final RequestGate gate;
    private final boolean exposeDecision;
    private final FaultLog faults;

    AvailabilityEndpoint(AvailabilityChecker checker, ServletFilterSettings settings, FaultLog faults) {
        this.checker = checker;
        this.path = settings.path();
        this.methods = settings.methodsOf(checker.kinds());
        this.kinds = new HashMap<>();
        this.methods.keySet().forEach(kind -> kinds.put(kind.name(), kind));
        EnumSet<CheckMethod> any = EnumSet.noneOf(CheckMethod.class);
        this.methods.values().forEach(any::addAll);
        this.allow = allow(any);
        this.limiter = settings.limiter();
        this.gate = settings.gate();
        this.exposeDecision = settings.exposeDecision();
        this.faults = faults;
    }

    boolean serves(String requestPath) {
        return path.equals(requestPath);
    }

    /** Answers. Never throws but for a connection that broke. */
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean withBody = !"HEAD".equals(request.getMethod());
        AvailabilityResponse answer = answer(request);
        try {
            answer.send(response, withBody);
        } catch (RuntimeException | Error fault) {
            faults.note("An availability answer could not be sent", fault);
            if (!response.isCommitted()) {
                // Whoever stands in front has taken the writer, or else put the response into a state of no use.
                response.reset();
                AvailabilityResponse.fault().send(response, withBody);
            }
        }
    }

    private AvailabilityResponse answer(HttpServletRequest request) {
        try {
            return "OPTIONS".equals(request.getMethod())
                    ? AvailabilityResponse.options(allow)
                    : answer(request, method(request));
        } catch (Refusal refusal) {
            return refusal.problem() == Problem.WRONG_METHOD
                    ? AvailabilityResponse.wrongMethod(
                            refusal, refusal.field().map(this::allowOf).orElse(allow))
                    : AvailabilityResponse.of(refusal);
        } catch (RuntimeException | Error fault) {
            faults.note("An availability check failed", fault);
            return AvailabilityResponse.fault();
        }
    }

    private CheckMethod method(HttpServletRequest request) throws Refusal {
        CheckMethod method = switch (request.getMethod()) {
            case "GET", "HEAD" -> CheckMethod.GET;
            case "POST" -> CheckMethod.POST;
            default -> throw new Refusal(Problem.WRONG_METHOD);
        };
        if (methods.values().stream().noneMatch(served -> served.contains(method))) {
            throw new Refusal(Problem.WRONG_METHOD);
        }
        return method;
    }

    private AvailabilityResponse answer(HttpServletRequest request, CheckMethod method) throws Refusal {
        Decision decision = limiter.admit(ClientKey.of(request));
        if (!decision.admitted()) {
            return AvailabilityResponse.tooManyRequests(decision.retryAfter());
        }
        AvailabilityRequest asked = method == CheckMethod.POST
                ? AvailabilityRequest.ofForm(request, kinds)
                : AvailabilityRequest.ofQuery(request.getQueryString(), kinds);
        for (Field field : asked.fields()) {
            if (!methodsOf(field.kind()).contains(method)) {
                throw new Refusal(Problem.WRONG_METHOD, field.kind());
            }
            if (!gate.admits(request, field.kind())) {
                throw new Refusal(Problem.REFUSED, field.kind());
            }
        }
        List<Verdict> verdicts = new ArrayList<>(asked.fields().size());
        for (Field field : asked.fields()) {
            verdicts.add(checker.check(field.kind(), field.text()));
        }
        return AvailabilityResponse.of(verdicts, exposeDecision);
    }

    private String allowOf(IdentifierKind kind) {
        return allow(methodsOf(kind));
    }

    private Set<CheckMethod> methodsOf(IdentifierKind kind) {
        return methods.getOrDefault(kind, Set.of());
    }

    private static String allow(Set<CheckMethod> methods) {
        return (methods.contains(CheckMethod.GET) ? "GET, HEAD, " : "")
                + (methods.contains(CheckMethod.POST) ? "POST, " : "") + "OPTIONS";
    }
}
