package io.github.untaken.cluster.postgresql;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.replication.LogSequenceNumber;

/**
 * How far a slot has been read, and what decided then whether the log reports a row: what a later process needs to resume.
 *
 * @param end of the last transaction told; a place in the server's log
 * @param identity of {@link Catalog}, as is the fingerprint
 */
record Position(String slot, long end, String identity, String fingerprint) {
    private static final Pattern TEXT =
            Pattern.compile("(" + SharedSlots.PREFIX + "[a-z0-9_]+) ([0-9A-F]+/[0-9A-F]+) (\\S+) (\\S+)");

    static Position of(Slot slot, Catalog catalog) {
        return new Position(slot.name(), slot.applied(), catalog.identity(), catalog.fingerprint());
    }

    String text() {
        return slot + ' ' + LogSequenceNumber.valueOf(end).asString() + ' ' + identity + ' ' + fingerprint;
    }

    /** Empty if the text is no position. */
    static Optional<Position> of(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new Position(
                        parts.group(1),
                        LogSequenceNumber.valueOf(parts.group(2)).asLong(),
                        parts.group(3),
                        parts.group(4)))
                : Optional.empty();
    }

    /** The position from which all can be resumed; empty if there are none, or they are not of one slot under one catalog. */
    static Optional<Position> lowest(Set<String> texts) {
        Optional<Position> lowest =
                texts.stream().flatMap(text -> of(text).stream()).min(Comparator.comparing(Position::end));
        return lowest.filter(one -> texts.stream()
                .allMatch(text -> of(text).filter(one::isOfTheSameSlotAs).isPresent()));
    }

    private boolean isOfTheSameSlotAs(Position other) {
        return slot.equals(other.slot) && identity.equals(other.identity) && fingerprint.equals(other.fingerprint);
    }

    /** The catalog at that time, as far as it is compared. */
    Catalog catalog() {
        return new Catalog(identity, false, fingerprint);
    }
}
