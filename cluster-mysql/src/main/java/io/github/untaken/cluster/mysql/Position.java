package io.github.untaken.cluster.mysql;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far the log has been told, and what decided then how it was read: what a later process needs to resume.
 *
 * @param place between two transactions
 * @param begun when its file was, in seconds, by the server's clock: after a RESET a file may have the same number again
 */
record Position(LogPlace place, long begun, Catalog catalog) {
    private static final Pattern TEXT =
            Pattern.compile("([^\\s:]+\\.\\d{1,18}):(\\d{1,18}) (\\d{1,18}) (\\S+) (\\d{1,18}) ([0-9a-f]{64})");

    String text() {
        return place + " " + begun + ' ' + catalog.identity() + ' ' + catalog.started() + ' ' + catalog.fingerprint();
    }

    /** Empty if the text is no position. */
    static Optional<Position> of(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new Position(
                        new LogPlace(parts.group(1), Long.parseLong(parts.group(2))),
                        Long.parseLong(parts.group(3)),
                        new Catalog(parts.group(4), Long.parseLong(parts.group(5)), parts.group(6), List.of())))
                : Optional.empty();
    }

    /** The position from which all can be resumed; empty if there are none, or they are not of one log under one catalog. */
    static Optional<Position> lowest(Set<String> texts) {
        Optional<Position> lowest =
                texts.stream().flatMap(text -> of(text).stream()).min(Comparator.comparing(Position::place));
        return lowest.filter(one -> texts.stream()
                .allMatch(text -> of(text).filter(one::isOfTheSameLogAs).isPresent()));
    }

    private boolean isOfTheSameLogAs(Position other) {
        return place.isOfTheSameLogAs(other.place)
                && catalog.differs(other.catalog).isEmpty();
    }
}
