package io.github.untaken.jdbc.statement;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges texts of SQL by their words, and reads {@link OneShape one shape}. It errs on one side only: a text that is neither clearly
 * nothing nor of that shape may write. Immutable; takes time linear in the length of each text.
 *
 * <p>A text is nothing if no word of it stands for a watched table. Otherwise it is nothing if it is a read without a word that writes; a
 * DELETE or a TRUNCATE; or, in the shape, an UPDATE that sets no identifier, an INSERT that leaves it out, or either on another table.
 */
final class WordJudge {
    private static final Set<String> WRITES =
            words("insert update delete merge replace upsert truncate copy load import unload");
    /** What may write, or put somewhere what it reads. */
    private static final Set<String> WRITES_INTO =
            words("into insert update delete merge replace upsert truncate copy load import unload");

    private static final Set<String> EXECUTES = words("call exec execute do prepare perform declare runscript");
    /** After a read, as SQL Server allows. */
    private static final Set<String> EXECUTES_WITHOUT_SEMICOLON = words("exec execute");

    private static final Set<String> READS = words("select values table with show");
    /** These write nothing themselves; some run another statement. */
    private static final Set<String> CONCERNS_NOBODY =
            words("explain describe desc analyze set reset use lock unlock savepoint"
                    + " release rollback vacuum checkpoint listen unlisten notify pragma close fetch");
    /** Before anything but the words below, BEGIN opens a block, which may do anything. */
    private static final Set<String> OF_TRANSACTIONS = words("commit start begin end abort");

    private static final Set<String> BEHIND_THOSE = words(
            "transaction tran work isolation level read write only committed"
                    + " uncommitted repeatable serializable snapshot with consistent deferrable not and no chain release");
    private static final Set<String> DEFINES = words("create alter drop rename exchange attach detach");
    private static final Set<String> DEFINES_NO_ROWS = words("comment grant revoke");
    /** A definition of these may make a table's name mean another, or fill in its column, though the text names neither. */
    private static final Set<String> NAMES_AND_TYPES =
            words("schema role user database system extension type domain function procedure synonym");

    private static final Set<String> OF_TABLES = words("table index view sequence trigger");

    private final WatchedTables tables;
    private final TableFacts facts;
    /** Names of what is written, and of routines. */
    private final Names written = new Names();

    private final Names called = new Names();
    /** Names of the tables whose changes a foreign key carries on: a deletion may leave a default behind. */
    private final Names carriers = new Names();

    WordJudge(WatchedTables tables, TableFacts facts) {
        this.tables = tables;
        this.facts = facts;
        for (String table : tables.names()) {
            written.add(table, table);
            facts.writtenAs(table).forEach(name -> written.add(name, table));
            tables.columnsOf(table)
                    .keySet()
                    .forEach(column -> facts.carriersOf(column).forEach(name -> {
                        written.add(name, table);
                        carriers.add(name, table);
                    }));
            facts.calledAs(table).forEach(name -> called.add(name, table));
        }
    }

    private static Set<String> words(String words) {
        return Set.of(words.split(" ", -1));
    }

    /** Whether a text may write at all, or hand another one to something that does. */
    static boolean mayWrite(SqlText text) {
        return !READS.contains(text.first()) || hasVerb(text.text());
    }

    /** What an unknown text may do. */
    Judgement anything() {
        return Judgement.unseen(tables.kinds(), true);
    }

    Judgement judge(String sql) {
        return judge(new SqlText(sql));
    }

    Judgement judge(SqlText text) {
        if (text.isOdd()) {
            return anything();
        }
        Set<String> named = written.tablesIn(text.text());
        Set<String> calls = called.tablesIn(text.text());
        String[] statements = text.statements();
        named.addAll(calls);
        if (statements.length > 1) {
            return named.isEmpty() && !executes(text) ? script(statements) : anything();
        }
        String first = text.first();
        if (READS.contains(first) || CONCERNS_NOBODY.contains(first)) {
            return read(text, named, calls);
        }
        if (OF_TRANSACTIONS.contains(first) && BEHIND_THOSE.containsAll(text.words())) {
            return Judgement.NOTHING;
        }
        if (DEFINES_NO_ROWS.contains(first)) {
            return Judgement.unseen(Set.of(), true);
        }
        if (executes(text)) {
            return anything();
        }
        if (DEFINES.contains(first)) {
            return definition(text, named);
        }
        return WRITES.contains(first) ? write(text, named, calls) : anything();
    }

    /** Several statements, none of which names a table: each must be allowed on its own. */
    private Judgement script(String[] statements) {
        boolean mistrusted = false;
        for (String statement : statements) {
            Judgement judgement = statement.isBlank() ? Judgement.NOTHING : judge(statement);
            if (!judgement.kinds().isEmpty()) {
                return anything();
            }
            mistrusted |= judgement.mistrusted();
        }
        return Judgement.unseen(Set.of(), mistrusted);
    }

    private Judgement read(SqlText text, Set<String> named, Set<String> calls) {
        boolean lone = READS.contains(text.first());
        if (lone ? text.mayDo(EXECUTES_WITHOUT_SEMICOLON, false) : executes(text) || text.mayDo(DEFINES, false)) {
            return anything();
        }
        boolean writes = text.mayDo(named.isEmpty() ? WRITES : WRITES_INTO, lone) || text.calls() && hands(text);
        return calls.isEmpty() && !writes ? Judgement.NOTHING : unseen(named);
    }

    /** Whether a function may be given a text of SQL that writes, as with H2's {@code csvwrite} or {@code dblink_exec}. */
    private boolean hands(SqlText text) {
        List<Token> tokens = text.tokens();
        return tokens != null
                && tokens.stream()
                        .filter(token -> token.type() == Token.Type.TEXT)
                        .map(Token::text)
                        .anyMatch(literal -> !written.tablesIn(literal).isEmpty() && hasVerb(literal));
    }

    /** Whether one of the words of a text is a verb that writes. */
    static boolean hasVerb(String text) {
        Set<String> words = new HashSet<>();
        Words.forEach(text, words::add);
        return !Collections.disjoint(words, WRITES);
    }

    /** Whether it executes something else, by a verb other than the {@code do} of {@code on conflict do}. */
    private static boolean executes(SqlText text) {
        List<String> verbs = new ArrayList<>(text.verbs(false));
        verbs.add(0, text.first());
        for (int i = 0; i < verbs.size(); i++) {
            boolean upserts = verbs.get(i).equals("do")
                    && i + 1 < verbs.size()
                    && (verbs.get(i + 1).equals("update") || verbs.get(i + 1).equals("nothing"));
            if (EXECUTES.contains(verbs.get(i)) && !upserts) {
                return true;
            }
        }
        return false;
    }

    /** A definition that names none of the tables may still change what names and types mean. */
    private Judgement definition(SqlText text, Set<String> named) {
        List<Token> tokens = text.tokens();
        boolean clear = tokens != null
                && facts.isKnown()
                && tokens.stream()
                        .skip(1)
                        .limit(3) // create or replace function
                        .map(token -> Words.fold(token.text()))
                        .takeWhile(word -> !OF_TABLES.contains(word))
                        .noneMatch(NAMES_AND_TYPES::contains);
        return clear ? Judgement.unseen(kindsIn(named), true) : anything();
    }

    private Judgement write(SqlText text, Set<String> named, Set<String> calls) {
        boolean truncates = text.first().equals("truncate");
        boolean frees = truncates
                || text.first().equals("delete")
                        && carriers.tablesIn(text.text()).isEmpty();
        if (frees && calls.isEmpty() && !text.mayDo(WRITES_INTO, true)) {
            return Judgement.unseen(Set.of(), truncates);
        }
        OneShape shape = text.tokens() == null || !calls.isEmpty() ? null : OneShape.beginning(text.tokens());
        if (shape == null || !shape.isAlone(WRITES_INTO) || shape.alias() != null && isWritten(shape.alias())) {
            return unseen(named);
        }
        if (!isWritten(shape.table())) {
            return facts.isKnown() && !shape.joins() ? Judgement.NOTHING : unseen(named);
        }
        return shape.isComplete() ? written(shape, text) : unseen(named);
    }

    private boolean isWritten(Token name) {
        return !written.tablesOf(name).isEmpty();
    }

    private Judgement written(OneShape shape, SqlText text) {
        Values values = new Values(facts, !text.first().equals("update"));
        for (String table : written.tablesOf(shape.table())) {
            Map<IdentifierColumn, Set<IdentifierKind>> columns = tables.columnsOf(table);
            boolean itself = Words.fold(table).equals(Words.fold(shape.table().text()))
                    && !facts.writtenAs(table).contains(table);
            columns.forEach((column, kinds) -> {
                if (itself) {
                    values.find(column, kinds, shape);
                } else {
                    values.unseen(kinds);
                }
            });
        }
        return values.judgement();
    }

    /** Without a look, any name may be another name of a table. */
    private Judgement unseen(Set<String> named) {
        return Judgement.unseen(kindsIn(facts.isKnown() ? named : tables.names()), false);
    }

    private Set<IdentifierKind> kindsIn(Set<String> bareNames) {
        Set<IdentifierKind> kinds = new HashSet<>();
        bareNames.forEach(table -> kinds.addAll(tables.kindsIn(table)));
        return kinds;
    }
}
