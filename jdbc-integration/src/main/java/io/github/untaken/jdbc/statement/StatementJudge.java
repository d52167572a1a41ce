package io.github.untaken.jdbc.statement;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Judges texts of SQL, and remembers its judgements: of up to 4,096 texts, none longer than 32,768 characters.
 * Thread-safe; asks no database.
 */
public final class StatementJudge {
    private static final int MOST_TEXTS = 4_096;
    private static final int LONGEST_KEPT = 32_768;

    private final Supplier<WatchedTables> tables;
    private final Map<String, Judgement> known = new ConcurrentHashMap<>();

    /** @param tables asked for each text that is judged anew */
    public StatementJudge(Supplier<WatchedTables> tables) {
        this.tables = tables;
    }

    /** What a text may do. One that is not understood may do anything; none makes this fail. */
    public Judgement judge(String sql) {
        Judgement judgement = known.get(sql);
        return judgement == null ? judgeAnew(sql) : judgement;
    }

    private Judgement judgeAnew(String sql) {
        WatchedTables watched = tables.get();
        if (watched.isEmpty()) {
            return Judgement.HARMLESS;
        }
        Judgement judgement;
        try {
            judgement = watched.judge(sql);
        } catch (RuntimeException e) {
            judgement = watched.anything();
        }
        if (sql.length() <= LONGEST_KEPT) {
            if (known.size() >= MOST_TEXTS) {
                known.clear(); // an application that writes values into its SQL
            }
            known.put(sql, judgement);
        }
        return judgement;
    }

    /** What a text may do that nobody has seen. */
    public Judgement anything() {
        return tables.get().anything();
    }
}
