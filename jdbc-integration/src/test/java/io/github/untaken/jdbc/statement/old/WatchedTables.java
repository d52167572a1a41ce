package io.github.untaken.jdbc.statement.old;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.IdentifierColumn;
import io.github.untaken.jdbc.statement.old.SqlTokens.Reading;
import io.github.untaken.jdbc.statement.old.SqlTokens.Token;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tables that hold identifiers, and what a text may do to them. Immutable; each text takes time linear in its
 * length.
 *
 * <p>It errs on one side only: what is not understood may write. Of what is understood, only these write nothing:
 * reads, that is, texts without a writing verb where a verb can stand; a DELETE or TRUNCATE, which only frees names; an
 * INSERT, UPDATE or MERGE of one table that holds none; other statements that name no table that holds any; and an
 * UPDATE of one table that does not set the identifier's column, unless the database computes that. No text shows functions that write,
 * triggers, rules and views.
 */
public final class WatchedTables {
    private static final String OPENING = "\"`[";
    private static final String CLOSING = "\"`]";

    private final Map<String, Set<Watched>> tables = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Set<IdentifierKind> kinds;
    private final boolean oddNames;
    /** Whether a name may be spelled in a way that is not read as one, such as {@code user#} of Oracle without quotes. */
    private final boolean unreadable;

    /** @param name the bare name of the column */
    private record Watched(IdentifierKind kind, IdentifierColumn column, String name) {

        boolean isWatchedAs(Watched other) {
            return kind.equals(other.kind) && name.equalsIgnoreCase(other.name);
        }
    }

    /** @param columns where the identifiers of each kind are */
    public WatchedTables(Map<IdentifierKind, Set<IdentifierColumn>> columns) {
        kinds = Set.copyOf(columns.keySet());
        boolean odd = false;
        boolean strange = false;
        for (Map.Entry<IdentifierKind, Set<IdentifierColumn>> entry : columns.entrySet()) {
            for (IdentifierColumn column : entry.getValue()) {
                String table = bareName(column.table());
                odd |= isOdd(table);
                strange |= isUnreadable(table) || isUnreadable(bareName(column.column()));
                tables.computeIfAbsent(table, name -> new HashSet<>())
                        .add(new Watched(entry.getKey(), column, bareName(column.column())));
            }
        }
        oddNames = odd;
        unreadable = strange;
    }

    /** The last part of a name as the mapping spells it, without schema and quotes. */
    public static String bareName(String expression) {
        StringBuilder name = new StringBuilder();
        int quote = -1;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (quote >= 0 && c == CLOSING.charAt(quote)) {
                if (i + 1 < expression.length() && expression.charAt(i + 1) == c) {
                    name.append(c);
                    i++;
                } else {
                    quote = -1;
                }
            } else if (quote >= 0) {
                name.append(c);
            } else if (c == '.') {
                name.setLength(0);
            } else {
                quote = OPENING.indexOf(c);
                if (quote < 0) {
                    name.append(c);
                }
            }
        }
        return name.toString().strip();
    }

    private static boolean isUnreadable(String name) {
        return name.indexOf('#') >= 0 || name.indexOf('@') >= 0;
    }

    private static boolean isOdd(String name) {
        return !name.chars().allMatch(c -> SqlTokens.isPartOfWord((char) c));
    }

    /** All kinds that are kept in these tables. */
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

    /** What a text may do of which nothing is known: write every kind, and end the transaction. */
    public Judgement anything() {
        return Judgement.of(kinds, true);
    }

    /** What a text may do, all its statements together. */
    public Judgement judge(String sql) {
        if (isEmpty() || StatementVerbs.isPlainRead(sql)) {
            return Judgement.HARMLESS;
        }
        if (unreadable) {
            return anything();
        }
        List<Token> standard = SqlTokens.read(sql, Reading.STANDARD);
        if (sql.indexOf('\\') < 0 && sql.indexOf('#') < 0 && !sql.contains("--")) {
            return judge(standard);
        }
        // The database reads it in one of two ways; one that leaves a quote open it would refuse.
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

    private Judgement judgeStatement(List<Token> statement) {
        return switch (StatementVerbs.effect(statement)) {
            case NONE, ENDS_TRANSACTION -> Judgement.HARMLESS;
            case WRITES -> writing(statement, StatementVerbs.first(statement));
            case DEFINES_DATA ->
                new Judgement(
                        StatementVerbs.definesNames(statement) ? kinds : kindsOf(named(statement)),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        others(statement, null, null),
                        true);
            case UNKNOWN -> anything();
        };
    }

    private Judgement writing(List<Token> statement, Token verb) {
        if (StatementVerbs.executes(statement)) {
            return new Judgement(kinds, columnsNamed(statement, named(statement)), Set.of(), Set.of(), Set.of(), true);
        }
        boolean once = StatementVerbs.writesOnce(statement);
        boolean output =
                !verb.isWord("insert") && !verb.isWord("merge") && PlainStatements.count(statement, "into") > 0;
        if (once && !output && verb.isWord("delete")) {
            return Judgement.HARMLESS;
        }
        boolean truncates = verb.isWord("truncate");
        if (once && truncates) {
            return Judgement.of(Set.of(), true); // some databases commit on that occasion
        }
        // SQL Server puts what is changed into another table: output ... into ...
        Token only = once && !output ? PlainStatements.target(statement) : null;
        Set<Watched> touched =
                only == null || PlainStatements.mayNameAnAlias(statement) ? named(statement) : named(List.of(only));
        List<Token> targets = only != null && verb.isWord("update") ? PlainStatements.updateTargets(statement) : null;
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

    /** The kinds kept in one of the tables, given its bare name in any case. */
    public Set<IdentifierKind> kindsIn(String bareName) {
        return kindsOf(tables.getOrDefault(bareName, Set.of()));
    }

    /**
     * The kinds of which nothing is kept that the others do not watch, too: each column is there under the same bare names.
     */
    public Set<IdentifierKind> kindsWithin(WatchedTables others) {
        Set<IdentifierKind> within = new HashSet<>(kinds);
        tables.forEach((table, here) -> {
            Set<Watched> there = others.tables.getOrDefault(table, Set.of());
            here.forEach(each -> {
                if (there.stream().noneMatch(each::isWatchedAs)) {
                    within.remove(each.kind());
                }
            });
        });
        return within;
    }

    /** The kinds kept in some of the columns. */
    public Set<IdentifierKind> kindsIn(Set<IdentifierColumn> columns) {
        Set<IdentifierKind> found = new HashSet<>();
        tables.values()
                .forEach(each -> each.stream()
                        .filter(watched -> columns.contains(watched.column()))
                        .forEach(watched -> found.add(watched.kind())));
        return found;
    }

    /** The bare names of the tables, as the mapping spells them. */
    public Set<String> names() {
        return tables.keySet();
    }

    /** The tables as the mapping spells them, with their schemas. */
    public Set<String> tables() {
        Set<String> all = new HashSet<>();
        tables.values()
                .forEach(
                        each -> each.forEach(watched -> all.add(watched.column().table())));
        return all;
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
