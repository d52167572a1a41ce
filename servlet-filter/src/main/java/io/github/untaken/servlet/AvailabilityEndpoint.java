package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.servlet.ClientLimiter.Decision;
import io.github.untaken.servlet.exchange.Answer;
import io.github.untaken.servlet.exchange.AvailabilityRequest;
import io.github.untaken.servlet.exchange.AvailabilityRequest.Field;
import io.github.untaken.servlet.exchange.AvailabilityResponse;
import io.github.untaken.servlet.exchange.Language;
import io.github.untaken.servlet.exchange.Problem;
import io.github.untaken.servlet.exchange.Refusal;
import io.github.untaken.servlet.fault.FaultLog;
import io.github.untaken.servlet.limit.Quantum;
import io.github.untaken.servlet.limit.TokenBucket;
import io.github.untaken.servlet.suggest.Suggestions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Answers availability checks. In this order: method, limit of the client, whether registration is open, syntax, method of each
 * kind, gate of each kind, free answers that are left, check. So a client that asks too often costs nothing, and nothing is
 * looked up for one that may not ask.
 */
final class AvailabilityEndpoint {
    private final AvailabilityChecker checker;
    private final String path;
    private final Map<String, IdentifierKind> kinds = new HashMap<>();
    private final Map<IdentifierKind, ServedKind> served;
    private final Set<CheckMethod> methods = EnumSet.noneOf(CheckMethod.class);
    private final ClientIdentity clients;
    private final ClientLimiter limiter;
    private final RequestGate gate;
    private final BooleanSupplier registrationOpen;
    private final FreeAnswers freeAnswers;
    private final CrossOrigin crossOrigin;
    private final TokenBucket rechecks;
    private final OwnIdentifiers ownIdentifiers;
    private final Suggestions suggestions;
    private final Quantum blindSteps;
    private final boolean exposeDecision;
    private final EndpointReport report;
    private final FaultLog faults;

    AvailabilityEndpoint(AvailabilityChecker checker, ServletFilterSettings settings, FaultLog faults) {
        this.checker = checker;
        this.path = settings.path();
        this.served = settings.served(checker.kinds());
        this.served.forEach((kind, how) -> {
            kinds.put(kind.name(), kind);
            methods.addAll(how.methods());
        });
        this.clients = settings.clients();
        this.limiter = settings.limiter();
        this.gate = settings.gate();
        this.registrationOpen = settings.registrationOpen();
        this.freeAnswers = settings.freeAnswers();
        this.crossOrigin = settings.crossOrigin();
        this.rechecks = new TokenBucket(settings.recheckLimit(), System::nanoTime);
        this.ownIdentifiers = settings.ownIdentifiers();
        this.suggestions = new Suggestions(checker);
        this.blindSteps = Quantum.of(settings.blindStep().toNanos());
        this.exposeDecision = settings.exposeDecision();
        this.report = new EndpointReport(served.keySet(), settings.sweepLimit(), settings.listener(), faults);
        this.faults = faults;
    }

    boolean serves(String requestPath) {
        return path.equals(requestPath);
    }

    EndpointStats stats() {
        return report.stats();
    }

    /** Answers. Never throws but for a connection that broke. */
    void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long began = System.nanoTime();
        AvailabilityResponse answer = answer(request);
        try {
            crossOrigin.tell(request, response, allow(methods));
            send(answer, response, !"HEAD".equals(request.getMethod()));
        } finally {
            report.responded(answer.status(), System.nanoTime() - began);
        }
    }

    private void send(AvailabilityResponse answer, HttpServletResponse response, boolean withBody) throws IOException {
        try {
            answer.send(response, withBody);
        } catch (RuntimeException | Error fault) {
            faults.note("An availability answer could not be sent", fault);
            if (!response.isCommitted()) {
                // Whoever stands in front has taken the writer, or else put the response into a state of no use.
                response.reset();
                AvailabilityResponse.fault(Language.ENGLISH).send(response, withBody);
            }
        }
    }

    private AvailabilityResponse answer(HttpServletRequest request) {
        try {
            return answerOrRefuse(request);
        } catch (RuntimeException | Error fault) {
            faults.note("An availability check failed", fault);
            return AvailabilityResponse.fault(Language.ENGLISH);
        }
    }

    private AvailabilityResponse answerOrRefuse(HttpServletRequest request) {
        try {
            return "OPTIONS".equals(request.getMethod())
                    ? AvailabilityResponse.options(allow(methods))
                    : answer(request, method(request));
        } catch (Refusal refusal) {
            if (refusal.problem().leavesBodyUnread()) {
                AvailabilityRequest.skipBody(request, System::nanoTime);
            }
            return refused(refusal, language(request));
        }
    }

    private AvailabilityResponse refused(Refusal refusal, Language language) {
        report.refused(refusal.problem());
        return refusal.problem() == Problem.WRONG_METHOD
                ? AvailabilityResponse.wrongMethod(
                        refusal, allow(refusal.field().map(this::methodsOf).orElse(methods)), language)
                : AvailabilityResponse.of(refusal, language);
    }

    private static Language language(HttpServletRequest request) {
        return Language.of(request.getHeader("Accept-Language"));
    }

    private CheckMethod method(HttpServletRequest request) throws Refusal {
        CheckMethod method = switch (request.getMethod()) {
            case "GET", "HEAD" -> CheckMethod.GET;
            case "POST" -> CheckMethod.POST;
            default -> throw new Refusal(Problem.WRONG_METHOD);
        };
        if (!methods.contains(method)) {
            throw new Refusal(Problem.WRONG_METHOD);
        }
        return method;
    }

    private AvailabilityResponse answer(HttpServletRequest request, CheckMethod method) throws Refusal {
        clients.stranger(request).ifPresent(report::forwardedByStranger);
        ClientKey client = clients.of(request);
        refuseUnless(limiter.admit(client), Problem.TOO_MANY_REQUESTS);
        if (!registrationOpen.getAsBoolean()) {
            throw new Refusal(Problem.REGISTRATION_CLOSED);
        }
        AvailabilityRequest asked = method == CheckMethod.POST
                ? AvailabilityRequest.ofForm(request, kinds, System::nanoTime)
                : AvailabilityRequest.ofQuery(request.getQueryString(), kinds);
        boolean blind = false;
        boolean seeing = false;
        for (Field field : asked.fields()) {
            if (!methodsOf(field.kind()).contains(method)) {
                throw new Refusal(Problem.WRONG_METHOD, field.kind());
            }
            if (!gate.admits(request, field.kind())) {
                throw new Refusal(Problem.REFUSED, field.kind());
            }
            blind |= isBlind(field.kind());
            seeing |= !isBlind(field.kind());
        }
        if (seeing) {
            refuseUnlessFreeAnswersAreLeft(client);
        }
        return blind ? inSteps(request, client, asked) : answers(request, client, asked);
    }

    private static void refuseUnless(Decision decision, Problem otherwise) throws Refusal {
        if (!decision.admitted()) {
            throw new Refusal(otherwise, decision.retryAfter());
        }
    }

    private void refuseUnlessFreeAnswersAreLeft(ClientKey client) throws Refusal {
        refuseUnless(freeAnswers.leftFor(client), Problem.TOO_MANY_ANSWERS);
        Decision left = freeAnswers.left();
        if (!left.admitted()) {
            report.freeAnswersExhausted();
        }
        refuseUnless(left, Problem.TOO_MANY_ANSWERS);
    }

    /** Hides what the answer took, also of one that failed. */
    private AvailabilityResponse inSteps(HttpServletRequest request, ClientKey client, AvailabilityRequest asked) {
        long begin = blindSteps.begin();
        try {
            return answers(request, client, asked);
        } finally {
            blindSteps.awaitStep(begin);
        }
    }

    private AvailabilityResponse answers(HttpServletRequest request, ClientKey client, AvailabilityRequest asked) {
        List<Answer> answers = new ArrayList<>(asked.fields().size());
        int free = 0;
        for (Field field : asked.fields()) {
            Answer answer = isBlind(field.kind())
                    ? Answer.blind(checker.checkInMemory(field.kind(), field.text()))
                    : seeing(request, field, asked.suggestions());
            report.answered(field.kind(), answer.status());
            free += answer.status() == Status.AVAILABLE && !answer.yours() ? 1 : 0;
            answers.add(answer);
        }
        freeAnswers.told(client, free);
        return AvailabilityResponse.of(answers, () -> language(request));
    }

    private Answer seeing(HttpServletRequest request, Field field, boolean withSuggestions) {
        Verdict verdict = checker.check(field.kind(), field.text(), rechecks::take);
        Answer answer = Answer.of(verdict, exposeDecision);
        if (verdict.status() != Status.TAKEN) {
            return answer;
        }
        if (isOwn(request, verdict)) {
            return answer.asYours();
        }
        return withSuggestions ? answer.with(suggestionsFor(verdict)) : answer;
    }

    private boolean isOwn(HttpServletRequest request, Verdict taken) {
        try {
            Optional<String> own = ownIdentifiers.of(request, taken.kind());
            return own.isPresent()
                    && checker.checkInMemory(taken.kind(), own.get()).key().equals(taken.key());
        } catch (RuntimeException | Error fault) {
            faults.note("Whose identifier it is could not be found out", fault);
            return false;
        }
    }

    private List<String> suggestionsFor(Verdict taken) {
        try {
            ServedKind how = served.get(taken.kind());
            return how == null
                    ? List.of()
                    : how.suggestions()
                            .map(policy -> suggestions.free(taken.kind(), policy.candidates(taken.key())))
                            .orElse(List.of());
        } catch (RuntimeException | Error fault) {
            faults.note("Nothing could be suggested", fault);
            return List.of();
        }
    }

    private boolean isBlind(IdentifierKind kind) {
        ServedKind how = served.get(kind);
        return how == null || how.blind();
    }

    private Set<CheckMethod> methodsOf(IdentifierKind kind) {
        ServedKind how = served.get(kind);
        return how == null ? Set.of() : how.methods();
    }

    private static String allow(Set<CheckMethod> methods) {
        return (methods.contains(CheckMethod.GET) ? "GET, HEAD, " : "")
                + (methods.contains(CheckMethod.POST) ? "POST, " : "") + "OPTIONS";
    }
}
