package io.github.untaken.jdbc.statement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one shape that is read: an INSERT with a column list and VALUES, with or without an upsert clause or RETURNING; an UPDATE of one
 * table with SET; and the MERGE that Hibernate makes of these two. In this shape each value stands alone in its place, and nothing else in
 * the statement changes it.
 */
final class OneShape {

    /** What one column gets; no tokens if that cannot be read. */
    record Assigned(Token column, List<Token> value) {}

    private static final Set<String> ENDS_ASSIGNMENTS = Set.of("where", "returning", "when");
    private static final Token END = new Token(Token.Type.MARK, "", false);

    private final List<Token> tokens;
    private final List<Assigned> assigned = new ArrayList<>();
    private final List<List<Token>> lists = new ArrayList<>();
    /** What a MERGE has to write, by name. */
    private final Map<String, List<Token>> source = new HashMap<>();

    private String sourceName = "";
    private int at;
    private Token table = END;
    private @Nullable Token alias;

    private OneShape(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** Null if it does not begin like one. */
    static @Nullable OneShape beginning(List<Token> tokens) {
        OneShape shape = new OneShape(tokens);
        return shape.begins() ? shape : null;
    }

    /** Without its schema: the only table written, as long as no other verb follows. */
    Token table() {
        return table;
    }

    /** What looks like an alias may be the table, after a word such as IGNORE. */
    @Nullable Token alias() {
        return alias;
    }

    /** Whether none of these verbs follows the first, except INTO and the verb of an upsert clause, which writes the same table. */
    boolean isAlone(Set<String> verbs) {
        for (int i = 1; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            Token before = tokens.get(i - 1);
            boolean clause = i == 1 && token.isWord("into")
                    || before.isWord("then")
                    || token.isWord("update") && (before.isWord("do") || before.isWord("key"));
            if (!clause && SqlText.isVerb(tokens, i, true) && verbs.contains(Words.fold(token.text()))) {
                return false;
            }
        }
        return true;
    }

    /** Whether another table may affect which one an UPDATE writes. */
    boolean joins() {
        int depth = 0;
        for (Token token : tokens) {
            depth += token.deeper();
            if (depth == 0 && token.isWord("from")) {
                return tokens.get(0).isWord("update");
            }
        }
        return false;
    }

    /** Whether the rest has the shape too. */
    boolean isComplete() {
        if (tokens.get(0).isWord("merge")) {
            return source() && merge();
        }
        return tokens.get(0).isWord("insert") ? skipMark("(") && rows() : assignments() && isBehindAssignments();
    }

    List<Assigned> assigned() {
        return assigned;
    }

    /** The columns of each inserted row: a MERGE may insert one in several ways. Updates are not included. */
    List<List<Token>> lists() {
        return lists;
    }

    private Token next() {
        return at < tokens.size() ? tokens.get(at) : END;
    }

    private boolean isAtEnd() {
        return at == tokens.size() || next().isWord("returning");
    }

    private boolean skip(String word) {
        boolean there = next().isWord(word);
        at += there ? 1 : 0;
        return there;
    }

    private boolean skipMark(String mark) {
        boolean there = next().isMark(mark);
        at += there ? 1 : 0;
        return there;
    }

    /** The last part of a dotted name. */
    private @Nullable Token name() {
        Token last = null;
        do {
            if (!next().isName()) {
                return null;
            }
            last = next();
            at++;
        } while (skipMark("."));
        return last;
    }

    private boolean begins() {
        boolean inserts = skip("insert");
        boolean merges = !inserts && skip("merge");
        Token name = skip(inserts || merges ? "into" : "update") ? name() : null;
        if (name == null) {
            return false;
        }
        table = name;
        if (inserts) {
            if (skip("as")) {
                alias = next();
                at++;
            }
            return next().isMark("(") || next().isWord("select") || next().isWord("values");
        }
        String clause = merges ? "using" : "set";
        if (!next().isWord(clause)) {
            skip("as");
            alias = next();
            at++;
        }
        return skip(clause);
    }

    private boolean rows() {
        List<Token> columns = columns();
        do {
            if (!row(columns)) {
                return false;
            }
        } while (skipMark(","));
        return isAtEnd() || skip("on") && upsert();
    }

    /** The columns before VALUES; none unless it is a list of plain names. */
    private List<Token> columns() {
        List<Token> columns = new ArrayList<>();
        do {
            columns.add(next());
            at++;
        } while (skipMark(","));
        return skipMark(")") && skip("values") && columns.stream().allMatch(Token::isName) ? columns : List.of();
    }

    private boolean row(List<Token> columns) {
        if (columns.isEmpty() || !skipMark("(")) {
            return false;
        }
        lists.add(columns);
        for (int i = 0; i < columns.size(); i++) {
            if (i > 0 && !skipMark(",")) {
                return false;
            }
            assigned.add(new Assigned(columns.get(i), merged(value(false))));
        }
        return skipMark(")");
    }

    /** As Hibernate writes it: {@code (select cast(? as varchar) name, ...) as s on (...)}. */
    private boolean source() {
        if (!skipMark("(") || !skip("select")) {
            return false;
        }
        do {
            List<Token> item = value(false);
            Token name = item.isEmpty() ? END : item.get(item.size() - 1);
            if (!name.isName() || source.put(Words.fold(name.text()), item.subList(0, item.size() - 1)) != null) {
                return false;
            }
        } while (skipMark(","));
        boolean closed = skipMark(")");
        skip("as");
        sourceName = Words.fold(next().text());
        boolean named = next().isName();
        at++;
        return closed && named && skip("on");
    }

    private boolean merge() {
        if (value(true).isEmpty() || !next().isWord("when")) {
            return false;
        }
        while (skip("when")) {
            until("then");
            if (!skip("then")
                    || !(skip("delete")
                            || skip("insert") && skipMark("(") && row(columns())
                            || skip("update") && skip("set") && assignments())) {
                return false;
            }
        }
        return at == tokens.size();
    }

    private void until(String word) {
        while (at < tokens.size() && !next().isWord(word)) {
            at++;
        }
    }

    private boolean upsert() {
        if (skip("duplicate")) {
            return skip("key") && skip("update") && assignments() && at == tokens.size();
        }
        if (!skip("conflict")) {
            return false;
        }
        until("do");
        return skip("do")
                && (skip("nothing") && isAtEnd()
                        || skip("update") && skip("set") && assignments() && isBehindAssignments());
    }

    private boolean isBehindAssignments() {
        return isAtEnd() || next().isWord("where");
    }

    private boolean assignments() {
        do {
            int start = at;
            Token column = name();
            if (column == null || !skipMark("=")) {
                return false;
            }
            for (Token before : tokens.subList(start, at - 2)) {
                assigned.add(new Assigned(before, List.of())); // a table of that name, or a column set in part
            }
            assigned.add(new Assigned(column, merged(value(true))));
        } while (skipMark(","));
        return true;
    }

    /** Looks it up in the source of a MERGE. */
    private List<Token> merged(List<Token> value) {
        boolean ofSource = Token.are(value, Token.ANY, ".", Token.ANY)
                && value.get(0).isName()
                && Words.fold(value.get(0).text()).equals(sourceName)
                && value.get(2).isName();
        return ofSource ? source.getOrDefault(Words.fold(value.get(2).text()), List.of()) : value;
    }

    /** Up to a comma, or a bracket opened before; in assignments, up to the clause after them. */
    private List<Token> value(boolean ofAssignment) {
        int start = at;
        int depth = 0;
        for (; at < tokens.size(); at++) {
            Token token = next();
            if (depth == 0
                    && (token.isMark(",")
                            || token.isMark(")")
                            || ofAssignment && ENDS_ASSIGNMENTS.contains(Words.fold(token.text())) && token.isName())) {
                break;
            }
            depth += token.deeper();
        }
        return tokens.subList(start, at);
    }
}
