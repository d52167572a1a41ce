package io.github.untaken.http;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.exchange.AvailabilityRequest;
import io.github.untaken.http.exchange.AvailabilityRequest.Field;
import io.github.untaken.http.exchange.AvailabilityResponse;
import io.github.untaken.http.exchange.Language;
import io.github.untaken.http.exchange.Later;
import io.github.untaken.http.exchange.PendingBodies;
import io.github.untaken.http.exchange.Problem;
import io.github.untaken.http.exchange.Refusal;
import io.github.untaken.http.limit.Quantum;
import io.github.untaken.http.spi.CheckBody;
import io.github.untaken.http.spi.CheckExchange;
import io.github.untaken.http.spi.CheckRequest;
import io.github.untaken.http.spi.EndpointResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Answers availability checks, and serves the files that go with them, for any front end: a {@link CheckExchange}. The steps, in order:
 * method, whose page asks, limit of the client, whether registration is open, syntax, method of each kind, gate of each kind, free answers
 * left, check. So a client that asks too often costs nothing, and nothing is looked up for one that may not ask.
 *
 * <p>Thread-safe. A check may block for the checker's recheck timeout, one second by default; a setting bounds how many do so at one time.
 * Does not close the checker.
 */
public final class AvailabilityEndpoint implements AutoCloseable {
    private static final Logger LOG = System.getLogger("io.github.untaken.servlet");

    private final String path;
    private final Map<String, IdentifierKind> kinds = new HashMap<>();
    private final Map<IdentifierKind, ServedKind> served;
    private final Set<CheckMethod> methods = EnumSet.noneOf(CheckMethod.class);
    /** Of all kinds together, as in the header. */
    private final String allowed;

    /** The kinds whose checks all wait for news of the log. */
    private final Set<IdentifierKind> latest = new HashSet<>();

    private final Admission admission;
    private final Answers answers;
    private final RequestGate gate;
    private final CrossOrigin crossOrigin;
    private final Quantum blindSteps;
    private final EndpointReport report;
    private final FaultLog faults;
    private final Later later = new Later();
    private final PendingBodies bodies;
    private final ThreadPoolExecutor waiters;
    private final Duration longest;
    private final Map<String, ServedFile> files = new HashMap<>();
    private volatile boolean shared;

    /**
     * Logs what operators of these settings in production should know.
     *
     * @throws IllegalStateException if a kind would be served with less protection than its {@link KindMode} needs
     * @throws IllegalArgumentException if the settings name a kind the checker does not know, or do not fit each other
     */
    public AvailabilityEndpoint(AvailabilityChecker checker, EndpointSettings settings) {
        this(checker, settings, new FaultLog("io.github.untaken.servlet"));
    }

    /**
     * As the other constructor.
     *
     * @param faults told of what fails and is survived
     */
    @SuppressWarnings("exports") // the servlet filter sees that package
    public AvailabilityEndpoint(AvailabilityChecker checker, EndpointSettings settings, FaultLog faults) {
        this.path = settings.path;
        this.served = settings.served(checker.kinds());
        this.served.forEach((kind, how) -> {
            kinds.put(kind.name(), kind);
            methods.addAll(how.methods());
            checker.stats(kind).following().filter(KindStats.Following::latest).ifPresent(each -> latest.add(kind));
        });
        this.allowed = allow(methods);
        this.gate = settings.gate;
        this.crossOrigin = settings.crossOrigin;
        this.blindSteps = Quantum.of(settings.blindStep.toNanos());
        this.report =
                new EndpointReport(served.keySet(), settings.sweepLimit, settings.listener, faults, System::nanoTime);
        this.admission = new Admission(settings, report);
        this.answers = new Answers(checker, settings, admission, report, faults);
        this.faults = faults;
        this.bodies = new PendingBodies(settings.pendingBodies, settings.bodyTime.toNanos(), later);
        this.waiters = waiters(settings.maxWaitingChecks);
        this.longest = settings.bodyTime.plus(settings.blindStep);
        settings.scriptPath.ifPresent(at -> files.put(at, ServedFile.script(at, path)));
        settings.openApiPath.ifPresent(at -> files.put(at, ServedFile.openApi(at, path)));
        settings.warnings(served.values()).forEach(sentence -> LOG.log(Level.WARNING, sentence));
    }

    /**
     * The threads that wait for the store where request threads may not: as many as checks may wait at once, so no check waits for a
     * thread. Threads of the framework would be missed elsewhere. None exist before the first check, nor long after the last.
     */
    private static ThreadPoolExecutor waiters(int most) {
        return new ThreadPoolExecutor(0, most, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "untaken-endpoint-waiter");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** How long a body and its answer may be waited for. */
    public Duration longest() {
        return longest;
    }

    /** What is waiting is still answered on time. Does not block. */
    @Override
    public void close() {
        later.close();
        waiters.shutdown();
    }

    /**
     * Tells which paths the application itself answers. If the endpoint's is one, requests there whose query string names none of its kinds
     * are left to the application from now on, and a warning names the setting that moves the endpoint.
     *
     * @param applicationPaths asked at once, for a path within the application
     */
    public void shareWith(Predicate<String> applicationPaths) {
        if (!shared && applicationPaths.test(path)) {
            shared = true;
            LOG.log(
                    Level.WARNING,
                    ("The application itself answers at %s, behind the availability endpoint. Requests whose"
                                    + " query string names one of %s are checks; all others, and every POST of a form,"
                                    + " are passed on to it."
                                    + " Set %s to move the endpoint")
                            .formatted(path, kinds.keySet(), SettingKeys.PATH));
        }
    }

    /**
     * Whether a request is answered here. Nothing is known of its body yet, so on a shared path only the query string tells whose request
     * it is.
     *
     * @param requestPath within the application, decoded
     * @param query as it was sent
     */
    @SuppressWarnings("exports") // callers need not see JSpecify's annotations
    public boolean answers(String requestPath, @Nullable String query) {
        return path.equals(requestPath)
                ? !shared || AvailabilityRequest.isNamed(query, kinds)
                : files.containsKey(requestPath);
    }

    /** What was done so far. Does not block. */
    public EndpointStats stats() {
        return report.stats();
    }

    /** Answers now, or has the request answered later. Never throws. */
    public void handle(CheckExchange exchange) {
        CheckRequest request = exchange.request();
        ServedFile file = files.get(request.path());
        if (file != null) {
            exchange.answer(file.answer(request));
        } else {
            Call call = new Call(exchange, request);
            guarded(call, () -> begin(call));
        }
    }

    /** One check on its way. */
    private final class Call {
        private final CheckExchange exchange;
        private final CheckRequest request;
        private final long began = System.nanoTime();
        private final Map<String, String> headers;
        private final AtomicBoolean answered = new AtomicBoolean();

        Call(CheckExchange exchange, CheckRequest request) {
            this.exchange = exchange;
            this.request = request;
            this.headers = crossOrigin.headers(request, allowed);
        }

        /** Only the first answer counts. */
        void answer(EndpointResponse response) {
            if (answered.compareAndSet(false, true)) {
                EndpointResponse whole = response.with(headers);
                report.responded(whole.status(), System.nanoTime() - began);
                exchange.answer(whole);
            }
        }

        void waitForAnswer() {
            exchange.waitForAnswer(() -> answer(AvailabilityResponse.fault()));
        }
    }

    /** Takes a step that ends in an answer or a refusal, or makes sure that a later one does. */
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
            call.answer(AvailabilityResponse.fault());
        }
    }

    private void begin(Call call) throws Refusal {
        String name = call.request.method();
        if (name.equals("OPTIONS")) {
            call.answer(AvailabilityResponse.options(allowed));
            return;
        }
        CheckMethod method = method(name);
        if (crossOrigin.isAnotherSite(call.request)) {
            throw new Refusal(Problem.ANOTHER_SITE);
        }
        ClientKey client = admission.admit(call.request);
        if (method == CheckMethod.GET) {
            check(call, client, AvailabilityRequest.ofQuery(call.request.query(), kinds), method);
        } else {
            readForm(call, client);
        }
    }

    private void readForm(Call call, ClientKey client) throws Refusal {
        Consumer<CheckBody> then;
        try {
            AvailabilityRequest.refuseByHead(call.request, kinds);
            then = body -> guarded(
                    call,
                    () -> check(call, client, AvailabilityRequest.ofBody(body, call.request, kinds), CheckMethod.POST));
        } catch (Refusal refusal) {
            if (!refusal.problem().leavesBodyUnread() || !call.exchange.readsUnwantedBody()) {
                throw refusal;
            }
            // If the body stays unread, the client's next request on this connection fails.
            then = body -> call.answer(refused(call, refusal));
        }
        bodies.read(call.exchange, call::waitForAnswer, () -> widestNetwork(client), then);
    }

    private static String widestNetwork(ClientKey client) {
        return client.networks().stream()
                .max(Comparator.comparingInt(ClientNetwork::clients))
                .map(ClientNetwork::value)
                .orElse(client.value());
    }

    private EndpointResponse refused(Call call, Refusal refusal) {
        Language language = Language.of(call.request);
        report.refused(refusal.problem());
        return switch (refusal.problem()) {
            case WRONG_METHOD ->
                AvailabilityResponse.wrongMethod(
                        refusal,
                        refusal.field()
                                .map(served::get)
                                .map(how -> allow(how.methods()))
                                .orElse(allowed),
                        language);
            default -> AvailabilityResponse.of(refusal, language);
        };
    }

    private CheckMethod method(String name) throws Refusal {
        CheckMethod method = switch (name) {
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
        List<Question> questions = new ArrayList<>(1);
        boolean blind = false;
        boolean seeing = false;
        for (Field field : asked.fields()) {
            Question question =
                    new Question(field.text(), Objects.requireNonNull(served.get(field.kind())), asked.suggestions());
            if (!question.how().methods().contains(method)) {
                throw new Refusal(Problem.WRONG_METHOD, question.kind());
            }
            if (!gate.admits(call.request, question.kind())) {
                throw new Refusal(Problem.REFUSED, question.kind());
            }
            blind |= question.how().blind();
            seeing |= !question.how().blind();
            questions.add(question);
        }
        if (seeing) {
            admission.refuseUnlessFreeAnswersAreLeft(client);
        }
        Step answer = blind
                ? () -> inSteps(call, client, questions)
                : () -> call.answer(answers.of(questions, call.request, client));
        if (!seeing || call.exchange.mayBlock()) {
            answer.go();
            return;
        }
        boolean waits = blind || questions.stream().anyMatch(question -> latest.contains(question.kind()));
        Optional<EndpointResponse> known =
                waits ? Optional.empty() : answers.fromMemory(questions, call.request, client);
        if (known.isPresent()) {
            call.answer(known.get());
        } else {
            call.waitForAnswer();
            try {
                waiters.execute(() -> guarded(call, answer));
            } catch (RejectedExecutionException e) {
                call.answer(AvailabilityResponse.fault());
            }
        }
    }

    /** Hides how long the answer took, even if it failed. */
    private void inSteps(Call call, ClientKey client, List<Question> questions) {
        long begin = blindSteps.begin();
        EndpointResponse answer;
        try {
            answer = answers.of(questions, call.request, client);
        } catch (RuntimeException | Error fault) {
            faults.failed("An availability check", fault);
            answer = AvailabilityResponse.fault();
        }
        EndpointResponse hidden = answer;
        if (call.exchange.canWait()) {
            call.waitForAnswer();
            Future<?> unused = later.in(blindSteps.left(begin), () -> call.answer(hidden));
        } else {
            blindSteps.awaitStep(begin);
            call.answer(hidden);
        }
    }

    private static String allow(Set<CheckMethod> methods) {
        return (methods.contains(CheckMethod.GET) ? "GET, HEAD, " : "")
                + (methods.contains(CheckMethod.POST) ? "POST, " : "") + "OPTIONS";
    }
}
