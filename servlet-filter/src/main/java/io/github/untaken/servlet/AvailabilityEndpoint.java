package io.github.untaken.servlet;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.servlet.exchange.Answer;
import io.github.untaken.servlet.exchange.AvailabilityRequest;
import io.github.untaken.servlet.exchange.AvailabilityRequest.Field;
import io.github.untaken.servlet.exchange.AvailabilityResponse;
import io.github.untaken.servlet.exchange.Call;
import io.github.untaken.servlet.exchange.Form;
import io.github.untaken.servlet.exchange.Language;
import io.github.untaken.servlet.exchange.Later;
import io.github.untaken.servlet.exchange.PendingBodies;
import io.github.untaken.servlet.exchange.Problem;
import io.github.untaken.servlet.exchange.Refusal;
import io.github.untaken.servlet.limit.Quantum;
import io.github.untaken.servlet.limit.Rate;
import io.github.untaken.servlet.limit.RecheckPermits;
import io.github.untaken.servlet.limit.TokenBucket;
import io.github.untaken.servlet.suggest.Suggestions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Answers availability checks. In this order: method, whose page asks, limit of the client, whether registration is open, syntax,
 * method of each kind, gate of each kind, free answers that are left, check. So a client that asks too often costs nothing, and
 * nothing is looked up for one that may not ask.
 */
final class AvailabilityEndpoint {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    private final AvailabilityChecker checker;
    private final String path;
    private final Map<String, IdentifierKind> kinds = new HashMap<>();
    private final Map<IdentifierKind, ServedKind> served;
    private final Set<CheckMethod> methods = EnumSet.noneOf(CheckMethod.class);
    /** Of all kinds together, as in the header. */
    private final String allowed;

    private final Admission admission;
    private final RequestGate gate;
    private final CrossOrigin crossOrigin;
    private final RecheckPermits rechecks;
    private final Rate recheckLimit;
    private final OwnIdentifiers ownIdentifiers;
    private final Suggestions suggestions;
    private final Quantum blindSteps;
    private final boolean exposeDecision;
    private final EndpointReport report;
    private final FaultLog faults;
    private final Later later = new Later();
    private final PendingBodies bodies;
    private final long longestMillis;
    private volatile boolean shared;

    AvailabilityEndpoint(AvailabilityChecker checker, ServletFilterSettings settings, FaultLog faults) {
        this.checker = checker;
        this.path = settings.path();
        this.served = settings.served(checker.kinds());
        this.served.forEach((kind, how) -> {
            kinds.put(kind.name(), kind);
            methods.addAll(how.methods());
        });
        this.allowed = allow(methods);
        this.gate = settings.gate();
        this.crossOrigin = settings.crossOrigin();
        this.rechecks = new RecheckPermits(
                settings.maxWaitingChecks(), new TokenBucket(settings.recheckLimit(), System::nanoTime));
        this.recheckLimit = settings.recheckLimit();
        this.ownIdentifiers = settings.ownIdentifiers();
        this.suggestions = new Suggestions(checker);
        this.blindSteps = Quantum.of(settings.blindStep().toNanos());
        this.exposeDecision = settings.exposeDecision();
        this.report = new EndpointReport(
                served.keySet(), settings.sweepLimit(), settings.listener(), faults, System::nanoTime);
        this.admission = new Admission(settings, report);
        this.faults = faults;
        this.bodies =
                new PendingBodies(settings.pendingBodies(), settings.bodyTime().toNanos(), later);
        this.longestMillis = settings.bodyTime().plus(settings.blindStep()).toMillis();
    }

    /** What waits is still answered at its time. */
    void close() {
        later.close();
    }

    /** From now on leaves to the application what names no kind, if that answers at this path too. */
    void shareWith(Predicate<String> applicationPaths) {
        if (!shared && applicationPaths.test(path)) {
            shared = true;
            LOG.log(
                    Level.WARNING,
                    ("The application itself answers at %s, where the availability endpoint stands in front of it. Requests whose"
                                    + " query string names one of %s are checks, all others are passed on, also every POST of a form."
                                    + " Set %s to move the endpoint")
                            .formatted(path, kinds.keySet(), SettingKeys.PATH));
        }
    }

    /** Of a body nothing is known here, so where the path is shared only the query string tells whose request it is. */
    boolean answers(HttpServletRequest request, String requestPath) {
        return path.equals(requestPath) && (!shared || AvailabilityRequest.isNamed(request.getQueryString(), kinds));
    }

    EndpointStats stats() {
        return report.stats();
    }

    /** Answers now, or has the request answered later. Never throws. */
    void handle(HttpServletRequest request, HttpServletResponse response) {
        long began = System.nanoTime();
        Call call = new Call(
                request,
                response,
                longestMillis,
                faults,
                status -> report.responded(status, System.nanoTime() - began));
        guarded(call, () -> begin(call));
    }

    /** Does a step that ends in an answer or a refusal, or sees to it that a later one does. */
    private interface Step {
        void go() throws Refusal;
    }

    private void guarded(Call call, Step step) {
        try {
            step.go();
        } catch (Refusal refusal) {
            call.answer(refused(call, refusal));
        } catch (RuntimeException | Error fault) {
            faults.failed("An availability check", fault);
            call.answer(AvailabilityResponse.fault(Language.ENGLISH));
        }
    }

    private void begin(Call call) throws Refusal {
        HttpServletRequest request = call.request();
        crossOrigin.tell(request, call.response(), allowed);
        if ("OPTIONS".equals(request.getMethod())) {
            call.answer(AvailabilityResponse.options(allowed));
            return;
        }
        CheckMethod method = method(request);
        if (crossOrigin.isAnotherSite(request)) {
            throw new Refusal(Problem.ANOTHER_SITE);
        }
        ClientKey client = admission.admit(request);
        if (method == CheckMethod.GET) {
            check(call, client, AvailabilityRequest.ofQuery(request.getQueryString(), kinds), method);
        } else {
            readForm(call, client);
        }
    }

    private void readForm(Call call, ClientKey client) throws Refusal {
        Consumer<Form> then;
        try {
            AvailabilityRequest.refuseByHead(call.request(), kinds);
            then = form -> guarded(call, () -> check(call, client, form.read(kinds), CheckMethod.POST));
        } catch (Refusal refusal) {
            if (!refusal.problem().leavesBodyUnread() || !call.hasSmallBody()) {
                throw refusal;
            }
            // The client's next request on this connection fails if its body stays behind unread.
            then = form -> call.answer(refused(call, refusal));
        }
        bodies.read(call, () -> widestNetwork(client), then);
    }

    private static String widestNetwork(ClientKey client) {
        return client.networks().stream()
                .max(Comparator.comparingInt(ClientNetwork::clients))
                .map(ClientNetwork::value)
                .orElse(client.value());
    }

    private AvailabilityResponse refused(Call call, Refusal refusal) {
        Language language = language(call.request());
        report.refused(refusal.problem());
        return switch (refusal.problem()) {
            case WRONG_METHOD ->
                AvailabilityResponse.wrongMethod(
                        refusal,
                        refusal.field()
                                .map(this::methodsOf)
                                .map(AvailabilityEndpoint::allow)
                                .orElse(allowed),
                        language);
            default -> AvailabilityResponse.of(refusal, language);
        };
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

    private void check(Call call, ClientKey client, AvailabilityRequest asked, CheckMethod method) throws Refusal {
        boolean blind = false;
        boolean seeing = false;
        for (Field field : asked.fields()) {
            if (!methodsOf(field.kind()).contains(method)) {
                throw new Refusal(Problem.WRONG_METHOD, field.kind());
            }
            if (!gate.admits(call.request(), field.kind())) {
                throw new Refusal(Problem.REFUSED, field.kind());
            }
            blind |= isBlind(field.kind());
            seeing |= !isBlind(field.kind());
        }
        if (seeing) {
            admission.refuseUnlessFreeAnswersAreLeft(client);
        }
        if (blind) {
            inSteps(call, client, asked);
        } else {
            call.answer(answers(call.request(), client, asked));
        }
    }

    /** Hides what the answer took, also of one that failed. */
    private void inSteps(Call call, ClientKey client, AvailabilityRequest asked) {
        long begin = blindSteps.begin();
        AvailabilityResponse answer;
        try {
            answer = answers(call.request(), client, asked);
        } catch (RuntimeException | Error fault) {
            faults.failed("An availability check", fault);
            answer = AvailabilityResponse.fault(Language.ENGLISH);
        }
        AvailabilityResponse hidden = answer;
        if (call.canWait()) {
            call.waitForAnswer();
            Future<?> unused = later.in(blindSteps.left(begin), () -> call.answer(hidden));
        } else {
            blindSteps.awaitStep(begin);
            call.answer(hidden);
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
        admission.told(client, free);
        return AvailabilityResponse.of(answers, () -> language(request));
    }

    private Answer seeing(HttpServletRequest request, Field field, boolean withSuggestions) {
        Verdict verdict;
        Optional<RecheckPermits.Limit> limit;
        try (RecheckPermits.Permit permit = rechecks.ask()) {
            verdict = checker.check(field.kind(), field.text(), permit);
            limit = permit.refusedBy();
        }
        if (limit.isPresent()) {
            return refusedBy(limit.get(), verdict);
        }
        Answer answer = Answer.of(verdict, exposeDecision);
        if (verdict.status() == Status.RESERVED) {
            return answer.like(checker.reservedLike(field.kind(), field.text()));
        }
        if (verdict.status() != Status.TAKEN) {
            return answer;
        }
        if (isOwn(request, verdict)) {
            return answer.asYours();
        }
        return withSuggestions ? answer.with(suggestionsFor(verdict)) : answer;
    }

    private Answer refusedBy(RecheckPermits.Limit limit, Verdict verdict) {
        if (limit == RecheckPermits.Limit.RECHECK_LIMIT) {
            report.readsExhausted(recheckLimit);
        }
        return Answer.of(verdict, exposeDecision).because(limit.name().toLowerCase(Locale.ROOT));
    }

    private boolean isOwn(HttpServletRequest request, Verdict taken) {
        try {
            Optional<String> own = ownIdentifiers.of(request, taken.kind());
            return own.isPresent()
                    && checker.checkInMemory(taken.kind(), own.get()).key().equals(taken.key());
        } catch (RuntimeException | Error fault) {
            faults.failed("Finding out whose identifier it is", fault);
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
            faults.failed("Suggesting other names", fault);
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
