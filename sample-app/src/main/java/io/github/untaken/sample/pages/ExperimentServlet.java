package io.github.untaken.sample.pages;

import io.github.untaken.sample.database.SampleDatabase;
import io.github.untaken.sample.experiment.Experiment;
import io.github.untaken.sample.experiment.ExperimentReport;
import io.github.untaken.sample.experiment.Mix;
import io.github.untaken.sample.experiment.Result;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /experiment} runs one and answers when it is over; meanwhile {@code GET} tells how far it is and {@code DELETE}
 * cancels it. {@code GET /experiment/result.json} and {@code result.csv} are the last result, as downloads.
 */
public final class ExperimentServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final int CHECKS = 10_000;
    private static final int MOST_CHECKS = 1_000_000;
    /** A script cannot hold more exactly, and a result must be repeatable from its seed. */
    private static final long MOST_SEED = (1L << 53) - 1;

    private final transient Experiment experiment;
    private final transient SampleDatabase database;

    public ExperimentServlet(Experiment experiment, SampleDatabase database) {
        this.experiment = experiment;
        this.database = database;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        @Nullable String file = request.getPathInfo();
        String method = request.getMethod();
        if (file != null) {
            if (!file.equals("/result.json") && !file.equals("/result.csv")) {
                Replies.problem(response, 404, "There is nothing here", null, null);
            } else if (!method.equals("GET")) {
                Replies.methodNotAllowed(response, "GET");
            } else {
                download(response, file.endsWith(".csv"));
            }
            return;
        }
        switch (method) {
            case "POST" -> run(request, response);
            case "GET" -> Replies.json(response, HttpServletResponse.SC_OK, progress());
            case "DELETE" -> {
                if (experiment.cancel()) {
                    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
                } else {
                    Replies.problem(response, 404, "No experiment is running", null, null);
                }
            }
            default -> Replies.methodNotAllowed(response, "GET, POST, DELETE");
        }
    }

    private void run(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long seed;
        int checks;
        Mix mix;
        try {
            Form form = Form.of(request).withQueryOf(request);
            long random = ThreadLocalRandom.current().nextLong(1L << 32);
            seed = form.number("seed", random, -MOST_SEED, MOST_SEED);
            checks = (int) form.number("checks", CHECKS, 1, MOST_CHECKS);
            mix = mix(form);
        } catch (BadRequestException e) {
            Replies.refused(response, "The experiment was not understood", e);
            return;
        }
        if (!experiment.begin()) {
            Replies.problem(response, 409, "Something else is running; try again when it is over", null, "running");
            return;
        }
        @Nullable Result result = null;
        try {
            result = experiment.run(seed, checks, mix);
        } catch (Experiment.CancelledException e) {
            // answered below
        } finally {
            experiment.end(); // before the answer, upon which the next may be asked for
        }
        if (result == null) {
            Replies.problem(response, 409, "The experiment was cancelled", null, "cancelled");
        } else {
            Replies.json(response, HttpServletResponse.SC_OK, new ExperimentReport(result, database).json());
        }
    }

    private static Mix mix(Form form) throws BadRequestException {
        Mix mix = new Mix(
                weight(form, "free", Mix.DEFAULT.free()),
                weight(form, "taken", Mix.DEFAULT.taken()),
                weight(form, "typed", Mix.DEFAULT.typed()),
                weight(form, "hot", Mix.DEFAULT.hot()),
                weight(form, "phones", Mix.DEFAULT.phones()));
        if (mix.sum() == 0) {
            throw new BadRequestException("free", "nothing_to_draw");
        }
        return mix;
    }

    private static int weight(Form form, String name, int otherwise) throws BadRequestException {
        return (int) form.number(name, otherwise, 0, Mix.MOST);
    }

    private Map<String, Object> progress() {
        Map<String, Object> body = new LinkedHashMap<>();
        Optional<Experiment.Progress> progress = experiment.progress();
        body.put("running", progress.isPresent());
        progress.ifPresent(now -> {
            body.put("mode", ExperimentReport.jsonName(now.mode()));
            body.put("done", now.done());
            body.put("total", now.total());
        });
        return body;
    }

    private void download(HttpServletResponse response, boolean csv) throws IOException {
        Optional<ExperimentReport> report = experiment.last().map(result -> new ExperimentReport(result, database));
        if (report.isEmpty()) {
            Replies.problem(response, 404, "No experiment was run since the start", null, null);
        } else if (csv) {
            Replies.download(
                    response,
                    "text/csv;charset=utf-8",
                    "experiment.csv",
                    report.get().csv());
        } else {
            Replies.download(
                    response,
                    "application/json",
                    "experiment.json",
                    Json.text(report.get().json()));
        }
    }
}
