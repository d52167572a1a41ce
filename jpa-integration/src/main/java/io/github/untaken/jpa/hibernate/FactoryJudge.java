package io.github.untaken.jpa.hibernate;

import io.github.untaken.jdbc.catalog.CatalogFacts;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.statement.StatementJudge;
import io.github.untaken.jdbc.statement.WatchedTables;
import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import java.util.function.Supplier;

/**
 * Judges what a statement does to the tables of one factory's entities, no matter who sends it: first by its text, then
 * by what was seen last of the tables in the catalog. Asks no database. Thread-safe.
 */
final class FactoryJudge {
    private final StatementJudge texts;

    FactoryJudge(Supplier<WatchedTables> tables, CatalogFacts facts) {
        this.texts = new StatementJudge(tables, facts::seen, facts.written());
    }

    /** Whether it may write one of the tables, or a part of one. */
    boolean mayConcern(InspectedStatement statement) {
        return !judge(statement).isNothing();
    }

    Judgement judge(InspectedStatement statement) {
        return statement.readable() ? texts.judge(statement.sent()) : texts.anything();
    }
}
