package io.github.untaken.benchmarks.http;

/** What the load generator saw in one measurement. */
record LoadFigures(long requests, long nanos, long p50Micros, long p99Micros) {

    /** As one process tells another. */
    String line() {
        return requests + " " + nanos + " " + p50Micros + " " + p99Micros;
    }

    static LoadFigures parse(String line) {
        String[] numbers = line.split(" ");
        return new LoadFigures(
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]));
    }

    double perSecond() {
        return requests * 1e9 / nanos;
    }
}
