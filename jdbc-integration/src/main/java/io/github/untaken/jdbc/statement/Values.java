package io.github.untaken.jdbc.statement;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement.Value;
import io.github.untaken.jdbc.statement.OneShape.Assigned;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what a statement of the one shape writes into the identifier columns of its table. */
final class Values {
    private final TableFacts facts;
    private final boolean inserts;
    private final Set<IdentifierKind> kinds = new HashSet<>();
    private final Set<IdentifierKind> unseen = new HashSet<>();
    private final List<Value> values = new ArrayList<>();

    Values(TableFacts facts, boolean inserts) {
        this.facts = facts;
        this.inserts = inserts;
    }

    Judgement judgement() {
        return new Judgement(Set.copyOf(kinds), Set.copyOf(unseen), List.copyOf(values), false);
    }

    /** Something unknown is written into a column of these kinds. */
    void unseen(Set<IdentifierKind> theirs) {
        kinds.addAll(theirs);
        unseen.addAll(theirs);
    }

    void find(IdentifierColumn column, Set<IdentifierKind> theirs, OneShape shape) {
        String name = WatchedTables.bareName(column.column());
        for (Assigned each : shape.assigned()) {
            Token assignedTo = each.column();
            if (Words.fold(assignedTo.text()).equals(Words.fold(name))) {
                kinds.addAll(theirs);
                find(Given.of(assignedTo, each.value()), column, theirs);
            } else if (mayEqual(assignedTo.text(), name)) {
                unseen(theirs);
            }
        }
        boolean certainly = inserts
                ? shape.lists().stream().allMatch(list -> hasCertainly(list.stream(), name))
                : hasCertainly(shape.assigned().stream().map(Assigned::column), name);
        // Before the first look, a value given in the text is believed: nothing answers from memory, and the first scan
        // reads what is stored.
        if (!certainly || facts.isKnown() && facts.computes(column) || facts.makes(column)) {
            leftOut(column, theirs, inserts);
        }
    }

    /** To some databases a quoted name in another case is another column. */
    private static boolean hasCertainly(Stream<Token> columns, String name) {
        return columns.anyMatch(column -> column.type() == Token.Type.WORD
                ? Words.fold(column.text()).equals(Words.fold(name))
                : column.text().equals(name));
    }

    private void find(@Nullable Given given, IdentifierColumn column, Set<IdentifierKind> theirs) {
        if (given == null) {
            unseen.addAll(theirs);
        } else if (given.isDefault()) {
            leftOut(column, theirs, true);
        } else if (!given.isNull() && !given.isSameAsInserted()) {
            theirs.forEach(kind -> values.add(given.value(kind)));
        }
    }

    /** @param gets whether it gets its default */
    private void leftOut(IdentifierColumn column, Set<IdentifierKind> theirs, boolean gets) {
        Set<String> texts = facts.defaultsOf(column);
        boolean fills = gets && facts.fills(column);
        if (facts.computes(column) || fills && texts.isEmpty()) {
            unseen(theirs);
        } else if (fills) {
            kinds.addAll(theirs);
            texts.forEach(text -> theirs.forEach(kind -> values.add(new Value(kind, 0, text, Integer.MAX_VALUE))));
        }
    }

    /** To MySQL and MariaDB, column names that differ only by an accent are equal, and a sharp s is one letter. */
    private static boolean mayEqual(String one, String other) {
        int[] some = letters(one);
        int[] others = letters(other);
        boolean equal = some.length == others.length;
        for (int i = 0; equal && i < some.length; i++) {
            equal = some[i] == others[i] || some[i] > 127 || others[i] > 127;
        }
        return equal;
    }

    /** Letter by letter, so that none becomes two. */
    private static int[] letters(String name) {
        return name.codePoints()
                .map(Character::toUpperCase)
                .map(Character::toLowerCase)
                .toArray();
    }
}
