package io.github.untaken.sample;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** {@code POST /experiment}: runs one and answers when it is over. */
final class ExperimentServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final int CHECKS = 10_000;
    private static final int MOST_CHECKS = 1_000_000;

    private final transient Experiment experiment;

    ExperimentServlet(Experiment experiment) {
        this.experiment = experiment;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.getMethod().equals("POST")) {
            Replies.methodNotAllowed(response, "POST");
            return;
        }
        long seed;
        int checks;
        try {
            Form form = Form.of(request).withQueryOf(request);
            // A seed that a script can hold exactly, so that a result can be replayed from it.
            long random = ThreadLocalRandom.current().nextLong(1L << 32);
            seed = form.number("seed", random, Long.MIN_VALUE, Long.MAX_VALUE);
            checks = (int) form.number("checks", CHECKS, 1, MOST_CHECKS);
        } catch (BadRequestException e) {
            Replies.problem(response, 400, "The experiment was not understood", e.field(), e.reason());
            return;
        }
        if (!experiment.begin()) {
            Replies.problem(response, 409, "An experiment is running; try again when it is over", null, "running");
            return;
        }
        Experiment.Result result;
        try {
            result = experiment.run(seed, checks);
        } finally {
            experiment.end(); // before the answer, upon which the next may be asked for
        }
        Replies.json(response, HttpServletResponse.SC_OK, body(result));
    }

    private static Map<String, Object> body(Experiment.Result result) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("seed", result.seed());
        body.put("checks", result.checks());
        body.put("state", result.state());
        body.put("pageCacheBytes", SampleDatabase.CACHE_KIB * 1024L);
        body.put("runs", result.runs().stream().map(ExperimentServlet::run).toList());
        return body;
    }

    private static Map<String, Object> run(Experiment.Run run) {
        Map<String, Object> classes = new LinkedHashMap<>();
        for (Experiment.AnswerClass answer : Experiment.AnswerClass.values()) {
            classes.put(jsonName(answer), run.classes().getOrDefault(answer, 0));
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("mode", run.mode());
        body.put("databaseQueries", run.reads().databaseQueries());
        body.put("pageReads", run.reads().pageReads());
        body.put("bytesRead", run.reads().bytesRead());
        body.put("nanosPerCheck", run.nanosPerCheck());
        body.put("otherChecks", run.otherChecks());
        body.put("classes", classes);
        return body;
    }

    /** Such as {@code freeByFilter}. */
    private static String jsonName(Experiment.AnswerClass answer) {
        StringBuilder name = new StringBuilder();
        for (String word : answer.name().toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return name.toString();
    }
}
