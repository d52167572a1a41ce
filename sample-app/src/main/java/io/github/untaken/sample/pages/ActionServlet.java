package io.github.untaken.sample.pages;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.database.SilentImport;
import io.github.untaken.sample.experiment.Burst;
import io.github.untaken.sample.experiment.Turn;
import io.github.untaken.sample.figures.Events;
import io.github.untaken.sample.figures.SiteMeter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code POST /actions/...}: what the dashboard lets people do to the site to see how it takes it. Answers when it is done.
 * {@code burst} sends many checks and tells their answers, {@code import} inserts accounts by SQL that the registry is not
 * told of, {@code rebuild} asks for a rescan, {@code stop} and {@code start} end the database and open it again.
 */
public final class ActionServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    public static final String PATH = "/actions/";

    private static final Set<String> KNOWN = Set.of("burst", "import", "rebuild", "stop", "start");

    private final transient AvailabilityChecker checker;
    private final transient SiteMeter meter;
    private final transient SampleDatabase database;
    private final transient SilentImport imported;
    private final transient Burst burst;
    private final transient Events events;
    private final transient Turn turn;

    public ActionServlet(
            AvailabilityChecker checker,
            SiteMeter meter,
            SampleDatabase database,
            SilentImport imported,
            Burst burst,
            Events events,
            Turn turn) {
        this.checker = checker;
        this.meter = meter;
        this.database = database;
        this.imported = imported;
        this.burst = burst;
        this.events = events;
        this.turn = turn;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String action = Optional.ofNullable(request.getPathInfo()).orElse("/").substring(1);
        if (!KNOWN.contains(action)) {
            Replies.problem(response, 404, "There is nothing here", null, null);
        } else if (!request.getMethod().equals("POST")) {
            Replies.methodNotAllowed(response, "POST");
        } else if (!turn.take(action)) {
            Replies.problem(response, 409, "Something else is running; try again when it is over", null, "running");
        } else {
            Outcome outcome;
            try {
                outcome = run(action);
            } finally {
                turn.leave(); // before the answer, upon which the next may be asked for
            }
            answer(outcome, response);
        }
    }

    /** How it ended, with what it tells; what did not is named by a stable code. */
    private record Outcome(String reason, String title, Map<String, Object> told) {
        static final Outcome DONE = new Outcome("", "");
        static final Outcome BUSY = new Outcome("busy", "");

        Outcome(String reason, String title) {
            this(reason, title, Map.of());
        }
    }

    private Outcome run(String action) {
        return switch (action) {
            case "burst" -> burst();
            case "import" -> insert();
            case "rebuild" -> rebuild();
            case "stop" -> stop();
            default -> start();
        };
    }

    private Outcome burst() {
        try {
            Burst.Answers answers = burst.run();
            return new Outcome(
                    "",
                    "",
                    Map.of(
                            "free", answers.free(),
                            "taken", answers.taken(),
                            "unknown", answers.unknown(),
                            "limited", answers.limited(),
                            "seconds", answers.seconds()));
        } catch (IOException e) {
            return new Outcome("failed", "Not all checks could be sent");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome("cancelled", "The checks were cancelled");
        }
    }

    private Outcome rebuild() {
        events.add("rescan", "", "");
        checker.kinds().forEach(checker::rescan);
        return Outcome.DONE;
    }

    private Outcome insert() {
        try {
            imported.run();
            events.add("imported", "username", String.format(Locale.ROOT, "%,d", imported.accounts()));
            meter.look();
            return Outcome.DONE;
        } catch (SilentImport.CancelledException e) {
            return new Outcome("cancelled", "The import was cancelled");
        } catch (SQLException e) {
            return failed(e);
        }
    }

    private Outcome stop() {
        if (!database.stop()) {
            return new Outcome("stopped", "The database does not run");
        }
        events.add("stopped", "", "");
        return Outcome.DONE;
    }

    private Outcome start() {
        try {
            if (!database.start()) {
                return new Outcome("started", "The database runs already");
            }
            events.add("started", "", "");
            return Outcome.DONE;
        } catch (SQLException e) {
            return failed(e);
        }
    }

    // By class and state only: messages of drivers hold values.
    private static Outcome failed(SQLException e) {
        System.getLogger(ActionServlet.class.getName())
                .log(
                        System.Logger.Level.WARNING,
                        "An action failed: {0}, SQL state {1}",
                        e.getClass().getName(),
                        e.getSQLState());
        return Outcome.BUSY;
    }

    private void answer(Outcome outcome, HttpServletResponse response) throws IOException {
        if (outcome.reason().isEmpty()) {
            Map<String, Object> body = new LinkedHashMap<>(outcome.told());
            body.put("databaseRuns", database.running());
            Replies.json(response, HttpServletResponse.SC_OK, body);
        } else if (outcome.equals(Outcome.BUSY)) {
            Replies.busy(response);
        } else {
            Replies.problem(response, 409, outcome.title(), null, outcome.reason());
        }
    }
}
