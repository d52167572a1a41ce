package io.github.untaken.sample.pages;

import io.github.untaken.sample.database.SilentImport;
import io.github.untaken.sample.experiment.Burst;
import io.github.untaken.sample.experiment.Experiment;
import io.github.untaken.sample.experiment.ExperimentReport;
import io.github.untaken.sample.experiment.Turn;
import io.github.untaken.sample.figures.Events;
import io.github.untaken.sample.figures.History;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What goes on and went on at the site, for the dashboard. */
public record Activity(
        History history, Events events, Experiment experiment, SilentImport imported, Burst burst, Turn turn) {

    /** What runs now and how far it is; null if nothing does. */
    @Nullable Map<String, Object> running() {
        Optional<String> what = turn.holder();
        if (what.isEmpty()) {
            return null;
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("what", what.get());
        Optional<Experiment.Progress> progress = experiment.progress();
        if (progress.isPresent()) {
            body.put("mode", ExperimentReport.jsonName(progress.get().mode()));
            body.put("done", progress.get().done());
            body.put("total", progress.get().total());
        } else if (what.get().equals("import")) {
            body.put("done", imported.inserted());
            body.put("total", imported.accounts());
        } else if (what.get().equals("burst")) {
            body.put("done", burst.begun());
            body.put("total", Burst.CHECKS);
        }
        return body;
    }
}
