package io.github.untaken.benchmarks.plots;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A small chart of lines and points as SVG that reads well on light and on dark pages. */
public final class SvgChart {
    /** How an axis is divided. */
    public enum Scale {
        LINEAR {
            @Override
            double share(double from, double to, double value) {
                return (value - from) / (to - from);
            }
        },
        LOG {
            @Override
            double share(double from, double to, double value) {
                return (Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from));
            }
        };

        /** 0 at the beginning, 1 at the end. */
        abstract double share(double from, double to, double value);
    }

    /**
     * @param title what is shown along it
     * @param marks where it carries a number, ascending; the first and the last are its ends
     * @param labels what is written at each mark
     */
    public record Axis(String title, Scale scale, List<Double> marks, List<String> labels) {
        double share(double value) {
            return scale.share(marks.get(0), marks.get(marks.size() - 1), value);
        }

        boolean holds(double value) {
            return value >= marks.get(0) && value <= marks.get(marks.size() - 1);
        }
    }

    private static final int LEFT = 70;
    private static final int TOP = 44;
    private static final int WIDTH = 470;
    private static final int HEIGHT = 300;
    private static final int LEGEND = 210;
    /** In the middle of the range of brightness, so that they stand out from white and from black. */
    private static final List<String> COLOURS =
            List.of("#3b82f6", "#e8590c", "#2f9e44", "#be4bdb", "#d4930d", "#e03131", "#1098ad", "#868e96", "#a0522d");

    private final String title;
    private final Axis x;
    private final Axis y;
    private final StringBuilder body = new StringBuilder();
    private final List<String> legend = new ArrayList<>();

    public SvgChart(String title, Axis x, Axis y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** Begins a series: what is drawn from here on has its colour. */
    public SvgChart series(String name) {
        legend.add(name);
        return this;
    }

    private String colour() {
        return COLOURS.get((legend.size() - 1) % COLOURS.size());
    }

    /** A line through these points, those outside the axes left out. */
    public SvgChart line(List<double[]> points) {
        StringBuilder path = new StringBuilder();
        for (double[] point : points) {
            if (x.holds(point[0]) && y.holds(point[1])) {
                path.append(path.isEmpty() ? 'M' : 'L')
                        .append(text(left(point[0])))
                        .append(' ')
                        .append(text(top(point[1])));
            }
        }
        if (!path.isEmpty()) {
            body.append("<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour() + "\" stroke-width=\"1.5\"/>\n");
        }
        return this;
    }

    /** One dot for each point within the axes. */
    public SvgChart dots(List<double[]> points) {
        for (double[] point : points) {
            if (x.holds(point[0]) && y.holds(point[1])) {
                body.append("<circle cx=\"" + text(left(point[0])) + "\" cy=\"" + text(top(point[1]))
                        + "\" r=\"3.2\" fill=\"" + colour() + "\"/>\n");
            }
        }
        return this;
    }

    private double left(double value) {
        return LEFT + WIDTH * x.share(value);
    }

    private double top(double value) {
        return TOP + HEIGHT * (1 - y.share(value));
    }

    /** The whole picture. */
    public String svg() {
        StringBuilder svg = new StringBuilder();
        int width = LEFT + WIDTH + LEGEND;
        int height = TOP + HEIGHT + 56;
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\""
                + width + "\" height=\"" + height + "\" role=\"img\">\n");
        svg.append("<title>" + title + "</title>\n");
        svg.append("<style>text{font:12px sans-serif;fill:#24292f}.t{font-size:14px;font-weight:bold}"
                + ".g{stroke:#8c959f;stroke-opacity:.35}.e{text-anchor:end}.m{text-anchor:middle}"
                + "@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>\n");
        svg.append("<text class=\"t\" x=\"" + LEFT + "\" y=\"22\">" + title + "</text>\n");
        for (int i = 0; i < x.marks().size(); i++) {
            String at = text(left(x.marks().get(i)));
            svg.append("<path class=\"g\" d=\"M" + at + " " + TOP + "V" + (TOP + HEIGHT) + "\"/><text class=\"m\" x=\""
                    + at + "\" y=\"" + (TOP + HEIGHT + 18) + "\">" + x.labels().get(i) + "</text>\n");
        }
        for (int i = 0; i < y.marks().size(); i++) {
            double at = top(y.marks().get(i));
            svg.append("<path class=\"g\" d=\"M" + LEFT + " " + text(at) + "H" + (LEFT + WIDTH)
                    + "\"/><text class=\"e\" x=\"" + (LEFT - 8) + "\" y=\"" + text(at + 4) + "\">"
                    + y.labels().get(i) + "</text>\n");
        }
        svg.append("<text class=\"m\" x=\"" + (LEFT + WIDTH / 2) + "\" y=\"" + (TOP + HEIGHT + 42) + "\">" + x.title()
                + "</text>\n");
        svg.append("<text class=\"m\" transform=\"translate(16 " + (TOP + HEIGHT / 2) + ") rotate(-90)\">" + y.title()
                + "</text>\n");
        svg.append(body);
        for (int i = 0; i < legend.size(); i++) {
            int at = TOP + 12 + 20 * i;
            svg.append("<circle cx=\"" + (LEFT + WIDTH + 18) + "\" cy=\"" + (at - 4) + "\" r=\"5\" fill=\""
                    + COLOURS.get(i % COLOURS.size()) + "\"/><text x=\"" + (LEFT + WIDTH + 30) + "\" y=\"" + at + "\">"
                    + legend.get(i) + "</text>\n");
        }
        return svg.append("</svg>\n").toString();
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }
}
