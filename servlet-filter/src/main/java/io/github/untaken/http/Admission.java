package io.github.untaken.http;

import io.github.untaken.http.ClientLimiter.Decision;
import io.github.untaken.http.exchange.Problem;
import io.github.untaken.http.exchange.Refusal;
import io.github.untaken.http.spi.CheckRequest;
import java.util.function.BooleanSupplier;

/** Who may ask now: clients within the request limit, while registration is open and free answers are left. */
final class Admission {
    private final ClientIdentity clients;
    private final ClientLimiter limiter;
    private final BooleanSupplier registrationOpen;
    private final FreeAnswers freeAnswers;
    private final EndpointReport report;

    Admission(EndpointSettings settings, EndpointReport report) {
        this.clients = settings.clients;
        this.limiter = settings.limiter;
        this.registrationOpen = settings.registrationOpen;
        this.freeAnswers = settings.freeAnswers();
        this.report = report;
    }

    /** Counts a request and says which client it belongs to. */
    ClientKey admit(CheckRequest request) throws Refusal {
        ClientKey client = clients.of(request, report::forwardedByStranger);
        refuseUnless(limiter.admit(client), Problem.TOO_MANY_REQUESTS);
        if (!registrationOpen.getAsBoolean()) {
            throw new Refusal(Problem.REGISTRATION_CLOSED);
        }
        return client;
    }

    /** Refuses a client that has heard enough. Call before the check: a refusal after it would say that the name is free. */
    void refuseUnlessFreeAnswersAreLeft(ClientKey client) throws Refusal {
        refuseUnless(freeAnswers.leftFor(client), Problem.TOO_MANY_ANSWERS);
        Decision left = freeAnswers.left();
        if (!left.admitted()) {
            report.freeAnswersExhausted();
        }
        refuseUnless(left, Problem.TOO_MANY_ANSWERS);
    }

    /** Counts what the client is told. */
    void told(ClientKey client, int free) {
        freeAnswers.told(client, free);
    }

    private static void refuseUnless(Decision decision, Problem otherwise) throws Refusal {
        if (!decision.admitted()) {
            throw new Refusal(otherwise, decision.retryAfter());
        }
    }
}
