package io.github.untaken.jdbc.statement;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.SqlTokens.Reading;
import io.github.untaken.jdbc.statement.SqlTokens.Token;
import io.github.untaken.jdbc.statement.SqlTokens.TokenType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tables that hold identifiers, and what a text may do to them. Immutable; each text takes time linear in its length.
 *
 * <p>It errs on one side only: what is not understood may write. Of what is, only these write nothing: reads, that is,
 * texts without a writing verb where a verb can stand; a DELETE or TRUNCATE, which only frees names; an INSERT, UPDATE or MERGE of
 * one table that holds none; other statements that name no table that holds any; and an UPDATE of one table that does not set the
 * identifier's column, unless the database computes that. Not to be seen in any text: functions that write, triggers, rules and views.
 */
public final class WatchedTables {
    private static final Set<String> WRITES = words(
            "insert", "update", "delete", "merge", "replace", "upsert", "truncate", "copy", "load", "import", "unload");
    private static final Set<String> EXECUTES = words("call", "exec", "execute", "do", "prepare", "perform", "declare");
    private static final Set<String> DEFINES =
            words("create", "alter", "drop", "rename", "comment", "grant", "revoke", "exchange", "attach", "detach");
    private static final Set<String> READS = words("select", "values", "table", "show", "describe");
    private static final Set<String> READS_WITH_VERBS_ANYWHERE = words("with", "explain");
    private static final Set<String> ENDS_TRANSACTIONS =
            words("commit", "rollback", "start", "begin", "end", "abort", "savepoint", "release", "set", "reset");
    private static final Set<String> CHANGES_NOTHING = words(
            "lock",
            "analyze",
            "vacuum",
            "checkpoint",
            "listen",
            "unlisten",
            "notify",
            "use",
            "pragma",
            "close",
            "fetch");
    /** Those before which a name or a value stands; the others of {@link #ENDS_TRANSACTIONS} have words of their own. */
    private static final Set<String> NAMES_SOMETHING = words("rollback", "savepoint", "release", "set", "reset");

    private static final Set<String> OF_TRANSACTIONS = words(
            "transaction",
            "tran",
            "work",
            "isolation",
            "level",
            "read",
            "write",
            "only",
            "committed",
            "uncommitted",
            "repeatable",
            "serializable",
            "snapshot",
            "with",
            "consistent",
            "deferrable",
            "not",
            "and",
            "no",
            "chain",
            "release");

    private final Map<String, Set<Watched>> tables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Set<IdentifierKind> kinds;
    private final boolean oddNames;

    private record Watched(IdentifierKind kind, IdentifierColumn column, String name) {}

    public WatchedTables(Map<IdentifierKind, Set<IdentifierColumn>> columns) {
        kinds = Set.copyOf(columns.keySet());
        boolean odd = false;
        for (Map.Entry<IdentifierKind, Set<IdentifierColumn>> entry : columns.entrySet()) {
            for (IdentifierColumn column : entry.getValue()) {
                String table = bareName(column.table());
                odd |= isOdd(table);
                tables.computeIfAbsent(table, name -> new HashSet<>())
                        .add(new Watched(entry.getKey(), column, bareName(column.column())));
            }
        }
        oddNames = odd;
    }

    private static Set<String> words(String... words) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        set.addAll(List.of(words));
        return set;
    }

    /** The last part of a name as the mapping spells it, without schema and quotes. */
    public static String bareName(String expression) {
        List<Token> tokens = SqlTokens.read(expression, Reading.STANDARD);
        if (tokens == null || tokens.isEmpty() || !tokens.get(tokens.size() - 1).isName()) {
            return expression;
        }
        return tokens.get(tokens.size() - 1).text();
    }

    private static boolean isOdd(String name) {
        return !name.chars().allMatch(c -> SqlTokens.isPartOfWord((char) c));
    }

    public Set<IdentifierKind> kinds() {
        return kinds;
    }

    boolean isEmpty() {
        return kinds.isEmpty();
    }

    /** Whether a table holds identifiers, given its bare name in any case. */
    public boolean contains(String bareName) {
        return tables.containsKey(bareName);
    }

    public Judgement anything() {
        return Judgement.of(kinds, true);
    }

    public Judgement judge(String sql) {
        if (isEmpty()) {
            return Judgement.HARMLESS;
        }
        if (firstWordReads(sql) && !hasSuspiciousWord(sql)) {
            return Judgement.HARMLESS;
        }
        List<Token> standard = SqlTokens.read(sql, Reading.STANDARD);
        if (sql.indexOf('\\') < 0 && sql.indexOf('#') < 0 && !sql.contains("--")) {
            return judge(standard);
        }
        // The database reads it in one of two ways; one that leaves a quote open is none that it accepts.
        List<Token> other = SqlTokens.read(sql, Reading.MYSQL);
        if (standard != null && other != null) {
            return standard.equals(other) ? judge(standard) : judge(standard).or(judge(other));
        }
        return judge(standard != null ? standard : other);
    }

    private Judgement judge(@Nullable List<Token> tokens) {
        if (tokens == null) {
            return anything();
        }
        List<List<Token>> statements = new ArrayList<>(1);
        List<Token> statement = new ArrayList<>(tokens.size());
        for (Token token : tokens) {
            if (token.isMark(';')) {
                statements.add(statement);
                statement = new ArrayList<>();
            } else {
                statement.add(token);
            }
        }
        statements.add(statement);
        statements.removeIf(List::isEmpty);
        Judgement all = Judgement.HARMLESS;
        for (List<Token> each : statements) {
            all = all.or(judgeStatement(each));
        }
        return all;
    }

    /** Whether any word, were it the only thing understood, could be a verb that writes; or several statements. */
    private static boolean hasSuspiciousWord(String sql) {
        int start = -1;
        for (int i = 0; i <= sql.length(); i++) {
            char c = i < sql.length() ? sql.charAt(i) : ' ';
            if (c == ';') {
                return true;
            }
            if (SqlTokens.isPartOfWord(c)) {
                start = start < 0 ? i : start;
            } else if (start >= 0) {
                if (isSuspicious(sql.substring(start, i))) {
                    return true;
                }
                start = -1;
            }
        }
        return false;
    }

    private static boolean isSuspicious(String word) {
        return WRITES.contains(word)
                || EXECUTES.contains(word)
                || DEFINES.contains(word)
                || word.indexOf('$') >= 0
                || Character.isDigit(word.charAt(0)) && !word.chars().allMatch(Character::isDigit);
    }

    private static boolean firstWordReads(String sql) {
        int start = 0;
        while (start < sql.length() && (Character.isWhitespace(sql.charAt(start)) || sql.charAt(start) == '(')) {
            start++;
        }
        int end = start;
        while (end < sql.length() && SqlTokens.isPartOfWord(sql.charAt(end))) {
            end++;
        }
        String word = sql.substring(start, end);
        return READS.contains(word) || READS_WITH_VERBS_ANYWHERE.contains(word);
    }

    private Judgement judgeStatement(List<Token> statement) {
        Token first = statement.get(0);
        for (int i = 0; first.isMark('(') && i < statement.size(); i++) {
            first = statement.get(i);
        }
        if (first.type() != TokenType.WORD) {
            return anything(); // an escape such as {call ...}, or nothing known
        }
        String verb = first.text();
        if (READS.contains(verb) || READS_WITH_VERBS_ANYWHERE.contains(verb)) {
            return hasInnerVerb(statement, READS_WITH_VERBS_ANYWHERE.contains(verb))
                    ? writing(statement, verb)
                    : Judgement.HARMLESS;
        }
        if (WRITES.contains(verb)) {
            return writing(statement, verb);
        }
        if (DEFINES.contains(verb)) {
            return new Judgement(
                    kindsOf(named(statement)), Set.of(), Set.of(), Set.of(), others(statement, null, null), true);
        }
        if (ENDS_TRANSACTIONS.contains(verb) && isOneOfTransactions(statement) && !hasInnerVerb(statement, true)) {
            return mistrusted(Set.of());
        }
        return CHANGES_NOTHING.contains(verb) && !hasInnerVerb(statement, true) ? Judgement.HARMLESS : anything();
    }

    private static Judgement mistrusted(Set<IdentifierKind> kinds) {
        return Judgement.of(kinds, true);
    }

    /** {@code begin} alone opens a transaction; before anything else it opens a block, which may do whatever it likes. */
    private static boolean isOneOfTransactions(List<Token> statement) {
        Token verb = statement.get(0);
        return NAMES_SOMETHING.contains(verb.text())
                || statement.stream()
                        .skip(1)
                        .allMatch(token -> token.isMark(',') || OF_TRANSACTIONS.contains(token.text()));
    }

    /**
     * Whether a verb that writes stands inside a statement that begins as a read: after a parenthesis, or anywhere at all
     * but where it is part of a name or of {@code for update}.
     */
    private static boolean hasInnerVerb(List<Token> statement, boolean anywhere) {
        for (int i = 1; i < statement.size(); i++) {
            Token before = statement.get(i - 1);
            boolean possible = anywhere
                    ? !before.isMark('.') && !before.isWord("for") && !before.isWord("key")
                    : before.isMark('(') || before.isMark(')');
            Token token = statement.get(i);
            if (possible
                    && token.type() == TokenType.WORD
                    && (WRITES.contains(token.text()) || EXECUTES.contains(token.text()))) {
                return true;
            }
        }
        return false;
    }

    private Judgement writing(List<Token> statement, String verb) {
        if (executes(statement)) {
            return new Judgement(kinds, columnsNamed(statement, named(statement)), Set.of(), Set.of(), Set.of(), true);
        }
        boolean oneVerb = hasOneVerb(statement);
        if (oneVerb && verb.equalsIgnoreCase("delete")) {
            return Judgement.HARMLESS;
        }
        if (oneVerb && verb.equalsIgnoreCase("truncate")) {
            return mistrusted(Set.of()); // some databases commit on that occasion
        }
        Token only = oneVerb ? PlainStatements.target(statement) : null;
        Set<Watched> touched =
                only == null || PlainStatements.mayNameAnAlias(statement) ? named(statement) : named(List.of(only));
        boolean truncates = verb.equalsIgnoreCase("truncate");
        List<Token> targets =
                only != null && verb.equalsIgnoreCase("update") ? PlainStatements.updateTargets(statement) : null;
        if (touched.isEmpty()) {
            return new Judgement(Set.of(), Set.of(), Set.of(), Set.of(), others(statement, only, targets), truncates);
        }
        if (targets != null) {
            Set<IdentifierColumn> untouched = columnsOf(touched);
            touched.removeIf(watched -> targets.stream().noneMatch(t -> names(t, watched)));
            Set<IdentifierColumn> set = columnsOf(touched);
            untouched.removeAll(set);
            return new Judgement(kindsOf(touched), set, Set.of(), untouched, Set.of(), false);
        }
        Set<IdentifierColumn> columns = columnsNamed(statement, touched);
        Set<IdentifierColumn> omitted = columnsOf(touched);
        omitted.removeAll(columns);
        return new Judgement(kindsOf(touched), columns, omitted, Set.of(), Set.of(), truncates);
    }

    private static boolean hasOneVerb(List<Token> statement) {
        int verbs = 0;
        for (int i = 0; i < statement.size(); i++) {
            Token token = statement.get(i);
            boolean function = i + 1 < statement.size()
                    && statement.get(i + 1).isMark('(')
                    && (token.isWord("replace") || token.isWord("truncate"));
            boolean clause = i > 0 && isClause(token, statement.get(i - 1));
            verbs += token.type() == TokenType.WORD && WRITES.contains(token.text()) && !function && !clause ? 1 : 0;
        }
        return verbs == 1;
    }

    /**
     * Of the same statement: {@code on conflict do update}, {@code on duplicate key update}, {@code for update}, {@code for
     * no key update}, {@code when matched then delete}.
     */
    private static boolean isClause(Token verb, Token before) {
        return before.isWord("then")
                || (verb.isWord("update") && (before.isWord("do") || before.isWord("key") || before.isWord("for")));
    }

    /** Other than the {@code do} of {@code on conflict do}. */
    private static boolean executes(List<Token> statement) {
        for (int i = 1; i < statement.size(); i++) {
            Token token = statement.get(i);
            Token before = statement.get(i - 1);
            if (token.type() == TokenType.WORD
                    && EXECUTES.contains(token.text())
                    && !before.isMark('.')
                    && !(token.isWord("do") && i + 1 < statement.size() && followsConflict(statement.get(i + 1)))) {
                return true;
            }
        }
        return false;
    }

    private static boolean followsConflict(Token token) {
        return token.isWord("update") || token.isWord("nothing");
    }

    private Set<Watched> named(List<Token> statement) {
        Set<Watched> found = new HashSet<>();
        boolean brackets = false;
        for (Token token : statement) {
            if (token.isName()) {
                found.addAll(tables.getOrDefault(token.text(), Set.of()));
            }
            brackets |= token.isMark('[');
        }
        if (brackets && oddNames) {
            tables.values().forEach(found::addAll); // a name in brackets is not read as one
        }
        return found;
    }

    /** The names that could be those of partitions of a watched table. */
    private Set<String> others(List<Token> statement, @Nullable Token only, @Nullable List<Token> targets) {
        if (targets != null
                && tables.values().stream()
                        .flatMap(Set::stream)
                        .noneMatch(watched -> targets.stream().anyMatch(t -> names(t, watched)))) {
            return Set.of();
        }
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Token token : only == null ? statement : List.of(only)) {
            if (token.isName()) {
                names.add(token.text());
            }
        }
        return names;
    }

    /** The kinds in one of the tables, given its bare name in any case. */
    public Set<IdentifierKind> kindsIn(String bareName) {
        return kindsOf(tables.getOrDefault(bareName, Set.of()));
    }

    /** The kinds in some of the columns. */
    public Set<IdentifierKind> kindsIn(Set<IdentifierColumn> columns) {
        Set<IdentifierKind> found = new HashSet<>();
        tables.values()
                .forEach(each -> each.stream()
                        .filter(watched -> columns.contains(watched.column()))
                        .forEach(watched -> found.add(watched.kind())));
        return found;
    }

    /** Their bare names, as the mapping spells them. */
    public Set<String> names() {
        return tables.keySet();
    }

    private static boolean names(Token token, Watched watched) {
        return token.isName() && token.text().equalsIgnoreCase(watched.name());
    }

    private static Set<IdentifierColumn> columnsNamed(List<Token> statement, Set<Watched> touched) {
        Set<Watched> named = new HashSet<>(touched);
        named.removeIf(watched -> statement.stream().noneMatch(token -> names(token, watched)));
        return columnsOf(named);
    }

    private static Set<IdentifierColumn> columnsOf(Set<Watched> watched) {
        Set<IdentifierColumn> columns = new HashSet<>();
        watched.forEach(each -> columns.add(each.column()));
        return columns;
    }

    private static Set<IdentifierKind> kindsOf(Set<Watched> watched) {
        Set<IdentifierKind> found = new HashSet<>();
        watched.forEach(each -> found.add(each.kind()));
        return found;
    }
}
