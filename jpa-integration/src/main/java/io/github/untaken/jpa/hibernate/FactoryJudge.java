package io.github.untaken.jpa.hibernate;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.Judgement;
import io.github.untaken.jdbc.statement.StatementJudge;
import io.github.untaken.jdbc.statement.TableFacts;
import io.github.untaken.jdbc.statement.WatchedTables;
import io.github.untaken.jpa.hibernate.statement.InspectedStatement;
import java.util.Set;
import java.util.function.Supplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/**
 * Judges what a statement does to the tables of one factory's entities, no matter who sends it: first by its text, then
 * by what the database knows of the tables. Thread-safe.
 */
final class FactoryJudge {
    private final Supplier<WatchedTables> tables;
    private final StatementJudge texts;
    private final TableFacts facts;

    FactoryJudge(Supplier<WatchedTables> tables, TableFacts facts) {
        this.tables = tables;
        this.texts = new StatementJudge(tables);
        this.facts = facts;
    }

    /** Whether it may write one of the tables, or a part of one. Asks no database. */
    boolean mayConcern(InspectedStatement statement) {
        return !judgeText(statement).isNothing();
    }

    private Judgement judgeText(InspectedStatement statement) {
        return statement.readable() ? texts.judge(statement.sent()) : texts.anything();
    }

    /** May ask the database, on the connection of the session. */
    Judgement judge(InspectedStatement statement, SharedSessionContractImplementor session) {
        Judgement judgement = judgeText(statement);
        TableFacts.AtHand connection = new SessionConnection(session)::physical;
        Set<IdentifierKind> more = facts.kindsInParts(judgement.others(), connection);
        if (!more.isEmpty()) {
            judgement = judgement.writing(more);
        }
        Set<IdentifierColumn> computed = facts.computedOf(judgement.untouched(), connection);
        return computed.isEmpty() ? judgement : judgement.computing(tables.get().kindsIn(computed), computed);
    }
}
