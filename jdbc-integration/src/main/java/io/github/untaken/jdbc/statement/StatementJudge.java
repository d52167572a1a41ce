package io.github.untaken.jdbc.statement;

import java.util.function.Supplier;

/** Judges texts of SQL, and remembers its judgements of {@link KnownTexts some}. Thread-safe; asks no database. */
public final class StatementJudge {
    private final Supplier<WatchedTables> tables;
    private final KnownTexts<Judgement> known = new KnownTexts<>();

    /** @param tables asked for each text that is judged anew */
    public StatementJudge(Supplier<WatchedTables> tables) {
        this.tables = tables;
    }

    /** What a text may do. One that is not understood may do anything; none makes this fail. */
    public Judgement judge(String sql) {
        WatchedTables watched = tables.get();
        return watched.isEmpty() ? Judgement.HARMLESS : known.of(sql, text -> judge(text, watched));
    }

    private static Judgement judge(String sql, WatchedTables watched) {
        try {
            return watched.judge(sql);
        } catch (RuntimeException e) {
            return watched.anything();
        }
    }

    /** What a text may do that nobody has seen. */
    public Judgement anything() {
        return tables.get().anything();
    }
}
