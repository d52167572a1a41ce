package io.github.untaken.sample.pages;

import io.github.untaken.http.EndpointStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the availability endpoint counts, as members of {@code /stats}. */
final class EndpointFigures {
    private EndpointFigures() {}

    static Map<String, Object> json(EndpointStats stats) {
        Map<String, Object> responses = new TreeMap<>();
        stats.responses().forEach((status, count) -> responses.put(status.toString(), count));
        Map<String, Object> answers = new TreeMap<>();
        stats.answers().forEach((kind, counts) -> {
            Map<String, Object> ofKind = new TreeMap<>();
            counts.forEach((status, count) -> ofKind.put(status.name().toLowerCase(Locale.ROOT), count));
            answers.put(kind.name(), ofKind);
        });
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("responses", responses);
        body.put("answers", answers);
        body.put("refusals", new TreeMap<String, Object>(stats.refusals()));
        body.put("latency", latency(stats.latency()));
        body.put("forwardedByStrangers", stats.forwardedByStrangers());
        body.put("faults", stats.faults());
        return body;
    }

    private static Map<String, Object> latency(EndpointStats.Latency latency) {
        List<Object> steps = new ArrayList<>();
        for (EndpointStats.Step step : latency.steps()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("upToMicros", micros(step.upTo()));
            line.put("responses", step.responses());
            steps.add(line);
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("responses", latency.responses());
        body.put("meanMicros", micros(latency.total()) / Math.max(1, latency.responses()));
        body.put("longestMicros", micros(latency.longest()));
        body.put("steps", steps);
        return body;
    }

    private static long micros(Duration time) {
        return time.toNanos() / 1_000;
    }
}
