package io.github.untaken.cluster.mysql;

import io.github.untaken.feed.UnfollowableException;
import io.github.untaken.spi.GapReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a statement in the log means for the watched tables. It stands there because it defines something, begins or ends a transaction,
 * or because somebody had it logged in place of the rows that it wrote. What is not certainly harmless is a gap.
 */
final class Statements {
    /** What it does to the transaction that it stands in. */
    enum Effect {
        NONE,
        OPENS,
        CLOSES,
        /** An XA transaction has been committed whose rows have not been told; it is known from now on. */
        ENDS_UNKNOWN
    }

    /** What is quoted, a comment, the beginning of one that some servers execute, or a word: whichever comes first. */
    private static final Pattern TOKEN = Pattern.compile(
            "`[^`]*`|\"[^\"]*\"|'[^']*'|/\\*(?!M?!).*?(?:\\*/|$)|(?:#|--(?=[\\s\\p{Cntrl}]|$))[^\\n]*|(/\\*M?!)|([A-Z_]+)",
            Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

    private static final Pattern WHOLLY_EXECUTED = Pattern.compile("/\\*M?!\\d*");
    private static final String EXECUTED = "!";
    private static final int MOST_WORDS = 50;

    private static final Pattern OTHER_LETTERS = Pattern.compile("[^\\x00-\\x7f]");

    private static final Set<String> HARMLESS = Set.of("GRANT", "REVOKE", "ANALYZE TABLE", "FLUSH", "SET", "RELEASE");
    private static final Set<String> DEFINING =
            Set.of("CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE", "OPTIMIZE", "REPAIR", "CHECK", "IMPORT");
    /** What is defined without touching a table. */
    private static final Set<String> NO_TABLES = Set.of(
            ("VIEW PROCEDURE FUNCTION TRIGGER EVENT USER ROLE PACKAGE SERVER TEMPORARY LOGFILE RESOURCE " + "INSTANCE")
                    .split(" ", -1));

    private static final Set<String> OBJECTS =
            Set.of("TABLE TABLES DATABASE SCHEMA INDEX UNIQUE FULLTEXT SPATIAL SEQUENCE TABLESPACE".split(" ", -1));

    private final List<String> names = new ArrayList<>();
    private final Set<String> prepared;
    private final Set<String> unknown;
    private boolean inTransaction;

    /**
     * @param columns whose tables and schemas are watched
     * @param prepared the XA transactions whose rows have been told, but that are not committed yet
     * @param unknown the XA transactions that were committed without being among them
     */
    Statements(List<WatchedColumn> columns, Set<String> prepared, Set<String> unknown) {
        this.prepared = prepared;
        this.unknown = unknown;
        for (WatchedColumn column : columns) {
            names.add(column.table().name());
            names.add(column.table().schema());
        }
    }

    /** A transaction has begun, or ended, without a statement. */
    void isIn(boolean transaction) {
        inTransaction = transaction;
    }

    /** @throws UnfollowableException unless the rows of the watched tables are as they were before, or in the log */
    Effect judge(String sql) throws UnfollowableException {
        String text = wholly(sql.strip());
        List<String> words = words(text);
        if (words.contains("STATEMENT") && words.get(0).equals("SET")) { // MariaDB's, for the statement that follows
            int its = words.indexOf("FOR") + 1;
            words = its == 0 || its == words.size() ? List.of(EXECUTED) : words.subList(its, words.size());
        }
        Effect effect = effect(first(words), words, text);
        switch (effect) {
            case OPENS -> inTransaction = true;
            case CLOSES -> inTransaction = false;
            case NONE, ENDS_UNKNOWN -> {}
        }
        return effect;
    }

    private static String first(List<String> words) {
        String first = words.isEmpty() ? "" : words.get(0);
        // MariaDB can also ANALYZE a statement that writes, and that one does write.
        return first.equals("ANALYZE") && words.size() > 1 && words.get(1).startsWith("TABLE")
                ? "ANALYZE TABLE"
                : first;
    }

    private Effect effect(String first, List<String> words, String text) throws UnfollowableException {
        switch (first) {
            case "BEGIN", "START" -> {
                return Effect.OPENS;
            }
            case "COMMIT" -> {
                return Effect.CLOSES;
            }
            case "ROLLBACK" -> {
                return words.contains("TO") ? Effect.NONE : Effect.CLOSES;
            }
            case "SAVEPOINT", "" -> {
                return Effect.NONE;
            }
            case "XA" -> {
                return xa(words.size() > 1 ? words.get(1) : "", text);
            }
            default -> {}
        }
        if (DEFINING.contains(first)) {
            if (concernsTables(words) && namesWatched(text)) {
                throw new UnfollowableException(
                        GapReason.ALTERED,
                        "the binary log holds a statement (" + first + ") that may alter a watched table");
            }
        } else if (!HARMLESS.contains(first)) {
            throw LogEvents.inPlaceOfRows("a statement (" + known(first) + ')');
        }
        return inTransaction ? Effect.NONE : Effect.CLOSES;
    }

    /** A transaction that was prepared before the log was followed has its rows in the part before. */
    private Effect xa(String what, String text) {
        String id = text.substring(text.indexOf(what) + what.length()).strip();
        switch (what) {
            case "START", "BEGIN" -> {
                prepared.add(id);
                return Effect.OPENS;
            }
            case "END" -> { // of what precedes PREPARE, MariaDB writes only this
                prepared.add(id);
                return Effect.NONE;
            }
            case "COMMIT" -> {
                if (!prepared.remove(id.replaceFirst("(?i)\\s+ONE\\s+PHASE$", ""))) {
                    unknown.add(id);
                    return Effect.ENDS_UNKNOWN;
                }
                return Effect.CLOSES;
            }
            case "ROLLBACK" -> {
                prepared.remove(id);
                return Effect.CLOSES;
            }
            default -> {
                return Effect.NONE;
            }
        }
    }

    private static boolean concernsTables(List<String> words) {
        for (String word : words) {
            if (OBJECTS.contains(word) || word.equals(EXECUTED)) {
                return true;
            }
            if (NO_TABLES.contains(word)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a watched name occurs, even in an executed comment, in a literal, or next to letters outside ASCII. */
    private boolean namesWatched(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        boolean others = OTHER_LETTERS.matcher(text).find();
        for (String name : names) {
            String sought = name.toUpperCase(Locale.ROOT);
            if (OTHER_LETTERS.matcher(name).find() || name.contains("`") || name.contains("\"")) {
                if (others || name.contains("`") || name.contains("\"")) {
                    return true; // nobody knows in which character set, or how it was quoted
                }
            } else if (Pattern.compile("(?<![A-Z0-9_$])" + Pattern.quote(sought) + "(?![A-Z0-9_$])")
                    .matcher(upper)
                    .find()) {
                return true;
            }
        }
        return false;
    }

    /** A statement that is all one comment was executed, or it would not stand in the log. */
    private static String wholly(String sql) {
        Matcher mark = WHOLLY_EXECUTED.matcher(sql);
        boolean is = mark.lookingAt() && sql.indexOf("*/") == sql.length() - 2 && sql.indexOf("/*", 1) < 0;
        return is ? sql.substring(mark.end(), sql.length() - 2) : sql;
    }

    /** The first of them. */
    private static List<String> words(String text) {
        Matcher matcher = TOKEN.matcher(text);
        List<String> words = new ArrayList<>();
        while (words.size() < MOST_WORDS && matcher.find()) {
            if (matcher.group(1) != null) {
                words.add(EXECUTED);
            } else if (matcher.group(2) != null) {
                words.add(matcher.group(2).toUpperCase(Locale.ROOT));
            }
        }
        return words;
    }

    /** Messages contain nothing that somebody made up. */
    private static String known(String first) {
        return Set.of("INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD", "CALL", "WITH", "SELECT", "DO")
                        .contains(first)
                ? first
                : "of another kind";
    }
}
