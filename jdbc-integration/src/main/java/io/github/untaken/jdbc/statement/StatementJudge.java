package io.github.untaken.jdbc.statement;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Judges the texts of statements, each once as long as there are not too many. Thread-safe. */
public final class StatementJudge {
    private static final int MOST_TEXTS = 4_096;
    private static final int LONGEST_KEPT = 32_768;

    private final Supplier<WatchedTables> tables;
    private final Map<String, Judgement> known = new ConcurrentHashMap<>();

    public StatementJudge(Supplier<WatchedTables> tables) {
        this.tables = tables;
    }

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

    public Judgement anything() {
        return tables.get().anything();
    }
}
