package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.catalog.CatalogFacts;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.statement.StatementJudge;
import io.github.untaken.jdbc.statement.WatchedTables;
import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Judges what a statement does to the tables of one factory's entities, no matter who sends it: first by its text, then
 * by what was seen last of the tables in the catalog. Asks no database. Thread-safe.
 */
final class FactoryJudge {
    private final Supplier<WatchedTables> tables;
    private final StatementJudge texts;
    private final CatalogFacts facts;

    FactoryJudge(Supplier<WatchedTables> tables, CatalogFacts facts) {
        this.tables = tables;
        this.texts = new StatementJudge(tables);
        this.facts = facts;
    }

    /** Whether it may write one of the tables, or a part of one. */
    boolean mayConcern(InspectedStatement statement) {
        return !judgeText(statement).isNothing();
    }

    private Judgement judgeText(InspectedStatement statement) {
        return statement.readable() ? texts.judge(statement.sent()) : texts.anything();
    }

    Judgement judge(InspectedStatement statement) {
        Judgement judgement = judgeText(statement);
        Set<IdentifierKind> more = facts.kindsInParts(judgement.others(), tables.get());
        if (!more.isEmpty()) {
            judgement = judgement.writing(more);
        }
        Set<IdentifierColumn> computed = facts.computedOf(judgement.untouched());
        return computed.isEmpty() ? judgement : judgement.computing(tables.get().kindsIn(computed), computed);
    }
}
