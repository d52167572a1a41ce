package io.github.untaken.jdbc.statement;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Judges texts of SQL by the last look at the catalog, and remembers its judgements of {@link KnownTexts some} until a look shows something
 * else. Thread-safe; does not ask the database.
 */
public final class StatementJudge {
    private final Supplier<WatchedTables> tables;
    private final Supplier<TableFacts> facts;
    private final WrittenWords written;
    private volatile @Nullable Judging last;

    private record Judging(WatchedTables tables, TableFacts facts, WordJudge words, KnownTexts<Judgement> known) {}

    /**
     * @param tables asked for each text
     * @param facts asked for each text; the same object until a look has shown other facts
     * @param written is told the words of each text that may write
     */
    public StatementJudge(Supplier<WatchedTables> tables, Supplier<TableFacts> facts, WrittenWords written) {
        this.tables = tables;
        this.facts = facts;
        this.written = written;
    }

    /** What a text may do if it is sent now. One that is not understood may do anything; no text makes this fail. */
    public Judgement judge(String sql) {
        Judging now = now();
        return now.tables().isEmpty() ? Judgement.NOTHING : now.known().of(sql, this::judgeAnew);
    }

    /** A look first learns names, then asks which were written. Here it is the other way round, so one of the two sees the other. */
    private Judgement judgeAnew(String sql) {
        try {
            SqlText text = new SqlText(sql);
            if (WordJudge.mayWrite(text)) {
                written.note(text);
            }
            return now().words().judge(text);
        } catch (RuntimeException e) {
            return anything();
        }
    }

    private Judging now() {
        WatchedTables watched = tables.get();
        TableFacts seen = facts.get();
        Judging now = last;
        if (now == null || now.tables() != watched || now.facts() != seen) {
            now = new Judging(watched, seen, new WordJudge(watched, seen), new KnownTexts<>());
            last = now;
        }
        return now;
    }

    /** What an unknown text may do. */
    public Judgement anything() {
        return now().words().anything();
    }
}
