package io.github.untaken.sample.pages;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindStats;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.experiment.Turn;
import io.github.untaken.sample.race.Race;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /race}: how the race stands. Asking is looking: the race runs for the next three seconds. {@code POST} sets the
 * {@code rate}, in checks a second of each lane, or with {@code again=1} lets it start over.
 */
public final class RaceServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient Race race;
    private final transient AvailabilityChecker checker;
    private final transient SampleDatabase database;
    private final transient Turn turn;

    public RaceServlet(Race race, AvailabilityChecker checker, SampleDatabase database, Turn turn) {
        this.race = race;
        this.checker = checker;
        this.database = database;
        this.turn = turn;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getMethod()) {
            case "GET", "HEAD" -> race.watch();
            case "POST" -> {
                try {
                    Form form = Form.of(request);
                    Optional<String> rate = form.optional("rate");
                    if (rate.isPresent()) {
                        race.setRate((int) form.number("rate", Race.RATE, Race.LEAST_RATE, Race.MOST_RATE));
                    }
                    if (form.number("again", 0, 0, 1) == 1) {
                        race.startOver();
                    }
                } catch (BadRequestException e) {
                    Replies.refused(response, "The race was not understood", e);
                    return;
                }
            }
            default -> {
                Replies.methodNotAllowed(response, "GET, HEAD, POST");
                return;
            }
        }
        Map<String, Object> body = race.json();
        body.put("databaseRuns", database.running());
        body.put("busy", turn.holder().orElse(""));
        body.put("loaded", loaded());
        Replies.json(response, HttpServletResponse.SC_OK, body);
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
