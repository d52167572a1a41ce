package io.github.untaken.benchmarks;

import io.github.untaken.benchmarks.plots.SvgChart;
import io.github.untaken.benchmarks.plots.SvgChart.Axis;
import io.github.untaken.benchmarks.plots.SvgChart.Scale;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a lookup of an absent name costs as the number of keys grows: the limit, and whoever was measured at two sizes or more. */
final class CostChart {
    private static final int MOST_SERIES = 9;

    private final List<Figure> figures;

    CostChart(List<Figure> figures) {
        this.figures = figures;
    }

    SvgChart chart() {
        SvgChart chart = new SvgChart(
                "Lookup of an absent name against n",
                new Axis(
                        "n, keys held",
                        Scale.LOG,
                        List.of(1e4, 1e5, 1e6, 1e7, 1e8),
                        List.of("10,000", "100,000", "1 million", "10 million", "100 million")),
                new Axis(
                        "ns, fastest iterations",
                        Scale.LOG,
                        List.of(10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0),
                        List.of("10", "20", "50", "100", "200", "500", "1000")));
        Map<Long, List<Double>> limits = new TreeMap<>();
        Map<String, List<double[]>> subjects = new TreeMap<>();
        List<String> order = new ArrayList<>();
        for (Figure figure : figures) {
            if (!figure.text("keys").equals("names")) {
                continue;
            }
            if (figure.text("figure").equals("limit")) {
                limits.computeIfAbsent(figure.n(), n -> new ArrayList<>()).add(figure.number("fastNanos"));
            } else if (figure.text("figure").equals("lookup-negative")) {
                String subject = figure.text("subject");
                if (!subjects.containsKey(subject)) {
                    order.add(subject);
                }
                subjects.computeIfAbsent(subject, name -> new ArrayList<>())
                        .add(new double[] {figure.n(), figure.number("fastNanos")});
            }
        }
        List<double[]> limit = new ArrayList<>();
        limits.forEach((n, nanos) -> limit.add(new double[] {
            n, Turns.median(nanos.stream().mapToDouble(Double::doubleValue).toArray())
        }));
        chart.series("limit").line(limit).dots(limit);
        int drawn = 1;
        for (String subject : order) {
            List<double[]> points = subjects.get(subject);
            points.sort(Comparator.comparingDouble(point -> point[0]));
            if (points.size() > 1 && drawn++ < MOST_SERIES) {
                chart.series(subject).line(points).dots(points);
            }
        }
        return chart;
    }
}
