package io.github.untaken.http;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.Status;
import io.github.untaken.fault.FaultLog;
import io.github.untaken.http.exchange.Answer;
import io.github.untaken.http.exchange.AvailabilityResponse;
import io.github.untaken.http.exchange.Language;
import io.github.untaken.http.limit.Rate;
import io.github.untaken.http.limit.RecheckPermits;
import io.github.untaken.http.limit.TokenBucket;
import io.github.untaken.http.spi.CheckRequest;
import io.github.untaken.http.spi.EndpointResponse;
import io.github.untaken.http.suggest.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Asks the checker what a request wants to know, and tells as much of each verdict as the client may hear. Thread-safe. */
final class Answers {
    private final AvailabilityChecker checker;
    private final RecheckPermits rechecks;
    private final Rate recheckLimit;
    private final OwnIdentifiers ownIdentifiers;
    private final Suggestions suggestions;
    private final boolean exposeDecision;
    private final Admission admission;
    private final EndpointReport report;
    private final FaultLog faults;

    Answers(
            AvailabilityChecker checker,
            EndpointSettings settings,
            Admission admission,
            EndpointReport report,
            FaultLog faults) {
        this.checker = checker;
        this.rechecks =
                new RecheckPermits(settings.maxWaitingChecks, new TokenBucket(settings.recheckLimit, System::nanoTime));
        this.recheckLimit = settings.recheckLimit;
        this.ownIdentifiers = settings.ownIdentifiers;
        this.suggestions = new Suggestions(checker);
        this.exposeDecision = settings.exposeDecision;
        this.admission = admission;
        this.report = report;
        this.faults = faults;
    }

    /** May wait for the store, unless all kinds are blind. */
    EndpointResponse of(List<Question> questions, CheckRequest request, ClientKey client) {
        List<Answer> answers = new ArrayList<>(questions.size());
        for (Question question : questions) {
            answers.add(
                    question.how().blind()
                            ? Answer.blind(checker.checkInMemory(question.kind(), question.text()))
                            : seeing(request, question));
        }
        return told(request, client, answers);
    }

    /** Empty if the store has to be asked; does not wait. */
    Optional<EndpointResponse> fromMemory(List<Question> questions, CheckRequest request, ClientKey client) {
        List<Answer> answers = new ArrayList<>(questions.size());
        for (Question question : questions) {
            AtomicBoolean needsStore = new AtomicBoolean();
            Verdict verdict = checker.check(question.kind(), question.text(), () -> {
                needsStore.set(true);
                return false;
            });
            if (needsStore.get()) {
                return Optional.empty();
            }
            answers.add(shown(request, question, verdict));
        }
        return Optional.of(told(request, client, answers));
    }

    private EndpointResponse told(CheckRequest request, ClientKey client, List<Answer> answers) {
        int free = 0;
        for (Answer answer : answers) {
            free += answer.status() == Status.AVAILABLE && !answer.hint().yours() ? 1 : 0;
            report.answered(answer.kind(), answer.status());
        }
        admission.told(client, free);
        return AvailabilityResponse.of(answers, () -> Language.of(request));
    }

    private Answer seeing(CheckRequest request, Question question) {
        Verdict verdict;
        Optional<RecheckPermits.Limit> limit;
        try (RecheckPermits.Permit permit = rechecks.ask()) {
            verdict = checker.check(question.kind(), question.text(), permit);
            limit = permit.refusedBy();
        }
        return limit.isPresent() ? refusedBy(limit.get(), verdict) : shown(request, question, verdict);
    }

    private Answer shown(CheckRequest request, Question question, Verdict verdict) {
        Answer answer = Answer.of(verdict, exposeDecision);
        return switch (answer.status()) {
            case RESERVED -> answer.like(checker.reservedLike(question.kind(), question.text()));
            case TAKEN ->
                isOwn(request, verdict)
                        ? answer.asYours()
                        : question.wantsOthers() ? answer.with(suggestionsFor(question, verdict.key())) : answer;
            default -> answer;
        };
    }

    private Answer refusedBy(RecheckPermits.Limit limit, Verdict verdict) {
        if (limit == RecheckPermits.Limit.RECHECK_LIMIT) {
            report.readsExhausted(recheckLimit);
        }
        return Answer.of(verdict, exposeDecision).because(limit.name().toLowerCase(Locale.ROOT));
    }

    private boolean isOwn(CheckRequest request, Verdict taken) {
        try {
            Optional<String> own = ownIdentifiers.of(request, taken.kind());
            return own.isPresent()
                    && checker.checkInMemory(taken.kind(), own.get()).key().equals(taken.key());
        } catch (RuntimeException | Error fault) {
            faults.failed("Finding out whose identifier it is", fault);
            return false;
        }
    }

    private List<String> suggestionsFor(Question question, String taken) {
        try {
            return question.how()
                    .suggestions()
                    .map(policy -> suggestions.free(question.kind(), policy.candidates(taken)))
                    .orElse(List.of());
        } catch (RuntimeException | Error fault) {
            faults.failed("Suggesting other names", fault);
            return List.of();
        }
    }
}
