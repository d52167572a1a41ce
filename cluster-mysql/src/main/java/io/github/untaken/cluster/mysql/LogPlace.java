package io.github.untaken.cluster.mysql;

/**
 * A place in the binary log of one server.
 *
 * @param file its name, which ends in a number
 * @param offset in that file
 */
record LogPlace(String file, long offset) implements Comparable<LogPlace> {
    private static final long WRAP = 1L << 32;

    /** Completes the low four bytes that an event states. A large transaction goes past what they can count. */
    LogPlace at(long lowOffset) {
        long next = offset - offset % WRAP + lowOffset;
        return new LogPlace(file, next < offset ? next + WRAP : next);
    }

    boolean isOfTheSameLogAs(LogPlace other) {
        return base().equals(other.base());
    }

    private String base() {
        return file.substring(0, file.lastIndexOf('.') + 1);
    }

    private long number() {
        return Long.parseLong(file.substring(file.lastIndexOf('.') + 1));
    }

    @Override
    public int compareTo(LogPlace other) {
        int files = Long.compare(number(), other.number());
        return files == 0 ? Long.compare(offset, other.offset) : files;
    }

    @Override
    public String toString() {
        return file + ':' + offset;
    }
}
