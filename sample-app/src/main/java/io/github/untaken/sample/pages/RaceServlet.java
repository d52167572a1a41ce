package io.github.untaken.sample.pages;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.experiment.Turn;
import io.github.untaken.sample.race.Outages;
import io.github.untaken.sample.race.Race;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /race}: how the race stands. Asking is looking: the race runs for the next three seconds; with {@code outages=1} the
 * database may be taken away meanwhile, as the answer announces. {@code POST} sets the {@code rate}, in checks a second of each lane,
 * and the {@code roundTrip}, in microseconds, or with {@code again=1} lets it start over.
 */
public final class RaceServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Race race;
    private final transient Outages outages;
    private final transient AvailabilityChecker checker;
    private final transient SampleDatabase database;
    private final transient Turn turn;

    public RaceServlet(Race race, Outages outages, AvailabilityChecker checker, SampleDatabase database, Turn turn) {
        this.race = race;
        this.outages = outages;
        this.checker = checker;
        this.database = database;
        this.turn = turn;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            switch (request.getMethod()) {
                case "GET", "HEAD" -> look(Form.ofQuery(request));
                case "POST" -> set(Form.of(request));
                default -> {
                    Replies.methodNotAllowed(response, "GET, HEAD, POST");
                    return;
                }
            }
        } catch (BadRequestException e) {
            Replies.refused(response, "The race was not understood", e);
            return;
        }
        Map<String, Object> body = race.json();
        body.put("databaseRuns", database.running());
        body.put("outages", outages.json());
        body.put("busy", turn.holder().orElse(""));
        body.put("loaded", loaded());
        Replies.json(response, HttpServletResponse.SC_OK, body);
    }

    private void look(Form form) throws BadRequestException {
        race.watch();
        if (form.number("outages", 0, 0, 1) == 1 && race.running()) {
            outages.watch();
        }
    }

    private void set(Form form) throws BadRequestException {
        Optional<String> rate = form.optional("rate");
        if (rate.isPresent()) {
            race.setRate((int) form.number("rate", Race.RATE, Race.LEAST_RATE, Race.MOST_RATE));
        }
        Optional<String> roundTrip = form.optional("roundTrip");
        if (roundTrip.isPresent()) {
            race.setRoundTrip((int) form.number("roundTrip", Race.ROUND_TRIP, 0, Race.MOST_ROUND_TRIP));
        }
        if (form.number("again", 0, 0, 1) == 1) {
            race.startOver();
        }
    }

    /** Entries in memory, or those that a first scan has read. */
    private long loaded() {
        long loaded = 0;
        for (IdentifierKind kind : checker.kinds()) {
            KindStats stats = checker.stats(kind);
            loaded += stats.scans()
                    .progress()
                    .map(KindStats.Progress::rows)
                    .orElse(stats.memory().entries());
        }
        return loaded;
    }
}
