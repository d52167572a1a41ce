package io.github.untaken.benchmarks;

/**
 * How long to look.
 *
 * @param rounds how often each measurement has its turn
 * @param turn how long it lasts
 * @param probes how many different keys are asked, a power of two
 * @param asked how many keys that were not added are asked for the error rate
 * @param warmUpKeys how many keys go into a first subject, which is thrown away
 */
record Effort(int rounds, Turn turn, int probes, int asked, int warmUpKeys) {

    /**
     * How long one measurement takes.
     *
     * @param iterations of JMH in one turn
     * @param iterationMillis length of one
     * @param warmUpMillis before the first turn
     */
    record Turn(int iterations, int iterationMillis, int warmUpMillis) {}

    /** More than any cache holds: 1,048,576 strings take about 60 MiB. */
    private static final int BEYOND_CACHES = 1 << 20;

    /** Whether it works at all; the figures say nothing. */
    static final Effort SMOKE = new Effort(2, new Turn(2, 2, 4), 1 << 10, 20_000, 1_000);

    static final Effort QUICK = new Effort(7, new Turn(3, 20, 250), BEYOND_CACHES, 2_000_000, 100_000);

    static final Effort WHOLE = new Effort(21, new Turn(4, 30, 1_500), BEYOND_CACHES, 10_000_000, 200_000);

    static Effort of(String name) {
        return switch (name) {
            case "smoke" -> SMOKE;
            case "quick" -> QUICK;
            default -> WHOLE;
        };
    }
}
