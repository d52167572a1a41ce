package io.github.untaken.benchmarks.plots;

import io.github.untaken.benchmarks.plots.SvgChart.Axis;
import io.github.untaken.benchmarks.plots.SvgChart.Scale;
import io.github.untaken.filter.CombinableMembershipFilter;
import io.github.untaken.filter.FilterSizing;
import io.github.untaken.filter.FilterType;
import io.github.untaken.filter.MembershipFilter;
import io.github.untaken.filter.MembershipFilters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How often our Bloom filter errs, measured, beside the formula (1 - e^(-kn/m))^k. It chooses m and k itself; so it is made
 * for the k in question, at the rate 2^-k, and then filled with fewer or more entries than planned.
 */
final class BloomRates {
    private static final long BITS = 1 << 20;
    private static final int MOST_PROBES = 14;
    private static final int LEAST_HITS = 400;
    private static final long MOST_ASKED = 3_000_000;

    private final SplittableRandom random = new SplittableRandom(20261121);

    private static double formula(double probes, double entries, double bits) {
        return Math.pow(-Math.expm1(-probes * entries / bits), probes);
    }

    SvgChart againstProbes() {
        SvgChart chart = new SvgChart(
                "Error rate against k",
                new Axis("k, bits read for an entry", Scale.LINEAR, numbers(1, MOST_PROBES), names(1, MOST_PROBES)),
                rates(-3));
        for (double load : new double[] {0.1, 0.15, 0.2, 0.3, 0.5}) {
            List<double[]> line = new ArrayList<>();
            for (double probes = 1; probes <= MOST_PROBES; probes += 0.25) {
                line.add(new double[] {probes, formula(probes, load, 1)});
            }
            List<double[]> dots = new ArrayList<>();
            for (int probes = 1; probes <= MOST_PROBES; probes++) {
                dots.add(new double[] {probes, measured(probes, load)});
            }
            chart.series(String.format(Locale.ROOT, "n = %.2f m", load))
                    .line(line)
                    .dots(dots);
        }
        return chart;
    }

    private double measured(int probes, double load) {
        FilterSizing plan = planFor(probes);
        MembershipFilter filter = MembershipFilters.bloom(plan.expectedEntries(), plan.targetErrorRate());
        return rate(filter, (long) (plan.bits() * load), formula(probes, load, 1));
    }

    private static FilterSizing planFor(int probes) {
        long planned = Math.max(1, (long) (BITS * Math.log(2) / probes));
        FilterSizing plan = FilterSizing.plan(FilterType.BLOOM, planned, Math.pow(2, -probes));
        if (plan.probes() != probes) {
            throw new IllegalStateException("asked for k = " + probes + ", got " + plan.probes());
        }
        return plan;
    }

    /**
     * With p the share of bits left 0, k = -m/n ln p, so that the rate is e^g(p) with g(p) = -m/n ln(p) ln(1 - p): the same for
     * p and 1 - p, and least where half of the bits are set.
     */
    SvgChart againstZeros() {
        List<Double> shares = List.of(0.0, 0.25, 0.5, 0.75, 1.0);
        SvgChart chart = new SvgChart(
                "Error rate against the share of bits left 0",
                new Axis("p, share of bits left 0", Scale.LINEAR, shares, List.of("0", "1/4", "1/2", "3/4", "1")),
                rates(-3));
        for (double load : new double[] {0.1, 0.15, 0.2, 0.3, 0.5}) {
            List<double[]> line = new ArrayList<>();
            for (double zeros = 0.01; zeros < 0.995; zeros += 0.01) {
                line.add(new double[] {zeros, Math.exp(-Math.log(zeros) * Math.log1p(-zeros) / load)});
            }
            List<double[]> dots = new ArrayList<>();
            for (int probes = 1; probes <= MOST_PROBES; probes++) {
                dots.add(zerosAndRate(probes, load));
            }
            chart.series(String.format(Locale.ROOT, "n = %.2f m", load))
                    .line(line)
                    .dots(dots);
        }
        return chart;
    }

    /** Both measured; how many bits are 0 is told by the estimate of the entries, which is made of nothing else. */
    private double[] zerosAndRate(int probes, double load) {
        FilterSizing plan = planFor(probes);
        CombinableMembershipFilter filter = MembershipFilters.bloom(plan.expectedEntries(), plan.targetErrorRate());
        double measured = rate(filter, (long) (plan.bits() * load), formula(probes, load, 1));
        return new double[] {Math.exp(-probes * filter.estimatedEntries() / plan.bits()), measured};
    }

    /** Asks until enough answers were wrong to be sure of the first two digits, or it becomes tedious. */
    private double rate(MembershipFilter filter, long entries, double expected) {
        for (long i = 0; i < entries; i++) {
            filter.add(random.nextLong());
        }
        long asked = Math.min(MOST_ASKED, (long) (LEAST_HITS / expected) + 1);
        long wrong = 0;
        for (long i = 0; i < asked; i++) {
            if (filter.mightContain(random.nextLong())) {
                wrong++;
            }
        }
        return (double) wrong / asked;
    }

    SvgChart againstEntries() {
        List<Double> marks = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        for (int power = 1; power <= 10; power++) {
            marks.add(Math.pow(10, power));
            labels.add("1e" + power);
        }
        SvgChart chart = new SvgChart(
                "Error rate against n, with the best k", new Axis("n, entries", Scale.LOG, marks, labels), rates(-5));
        for (int power = 8; power <= 36; power += 4) {
            double bits = Math.pow(2, power);
            List<double[]> line = new ArrayList<>();
            List<double[]> dots = new ArrayList<>();
            for (double perEntry = 24; perEntry >= 1.5; perEntry /= 1.1) {
                line.add(new double[] {bits / perEntry, best(perEntry)});
            }
            if (power <= 24) {
                for (double perEntry = 20; perEntry > 2; perEntry -= 3) {
                    dots.add(planned(bits, perEntry));
                }
            }
            chart.series("m = 2^" + power + (dots.isEmpty() ? ", formula only" : ""))
                    .line(line)
                    .dots(dots);
        }
        return chart;
    }

    private static double best(double bitsPerEntry) {
        double least = 1;
        for (int probes = 1; probes <= 30; probes++) {
            least = Math.min(least, formula(probes, 1, bitsPerEntry));
        }
        return least;
    }

    /** A filter planned for its entries, as large as that. */
    private double[] planned(double bits, double perEntry) {
        long entries = (long) (bits / perEntry);
        double rate = best(perEntry);
        double measured = rate(MembershipFilters.bloom(entries, rate), entries, rate);
        return new double[] {entries, measured};
    }

    private static Axis rates(int leastPower) {
        List<Double> marks = List.of(1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0);
        List<String> labels = List.of("0.001 %", "0.01 %", "0.1 %", "1 %", "10 %", "100 %");
        int from = 5 + leastPower;
        return new Axis(
                "share of wrong \"maybe\"",
                Scale.LOG,
                marks.subList(from, marks.size()),
                labels.subList(from, labels.size()));
    }

    private static List<Double> numbers(int from, int to) {
        List<Double> numbers = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            numbers.add((double) i);
        }
        return numbers;
    }

    private static List<String> names(int from, int to) {
        List<String> names = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            names.add(Integer.toString(i));
        }
        return names;
    }
}
