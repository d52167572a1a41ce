package io.github.untaken.jdbc.statement;

import org.jspecify.annotations.Nullable;

/**
 * Judges texts of SQL by the last look at the catalog, and remembers its judgements of {@link KnownTexts some} until a look shows something
 * else. Thread-safe; does not ask the database.
 */
public final class StatementJudge {
    private final WatchedTables tables;
    private final CatalogFacts facts;
    private volatile @Nullable Judging last;

    private record Judging(TableFacts facts, WordJudge words, KnownTexts<Judgement> known) {}

    /** @param facts asked for each text; learns the words of each that may write */
    public StatementJudge(WatchedTables tables, CatalogFacts facts) {
        this.tables = tables;
        this.facts = facts;
    }

    /** What a text may do if it is sent now. One that is not understood may do anything; no text makes this fail. */
    public Judgement judge(String sql) {
        return tables.isEmpty() ? Judgement.NOTHING : now().known().of(sql, this::judgeAnew);
    }

    /** A look first learns names, then asks which were written. Here it is the other way round, so one of the two sees the other. */
    private Judgement judgeAnew(String sql) {
        try {
            SqlText text = new SqlText(sql);
            if (WordJudge.mayWrite(text)) {
                facts.written().note(text);
            }
            return now().words().judge(text);
        } catch (RuntimeException e) {
            return anything();
        }
    }

    private Judging now() {
        TableFacts seen = facts.seen();
        Judging now = last;
        if (now == null || now.facts() != seen) {
            now = new Judging(seen, new WordJudge(tables, seen), new KnownTexts<>());
            last = now;
        }
        return now;
    }

    /** What an unknown text may do. */
    public Judgement anything() {
        return now().words().anything();
    }
}
