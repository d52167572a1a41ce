package io.github.untaken.jdbc.statement;

import static io.github.untaken.jdbc.statement.Token.ANY;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.statement.Judgement.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bare value that a column gets: a parameter, a text, NULL, DEFAULT, the value inserted into the same column, or one of these cast to a
 * text.
 *
 * @param token the value itself
 * @param most how many characters a cast leaves of it
 */
record Given(Token token, int most) {

    /** Null if the value is anything else. */
    static @Nullable Given of(Token column, List<Token> value) {
        int size = value.size();
        if (size == 1) {
            return bare(value.get(0), Integer.MAX_VALUE);
        }
        if (Token.are(value, "excluded", ".", ANY) || Token.are(value, "values", "(", ANY, ANY)) {
            return value.get(2).isName() && Words.fold(value.get(2).text()).equals(Words.fold(column.text()))
                    ? new Given(value.get(0), Integer.MAX_VALUE)
                    : null;
        }
        if (size > 2 && value.get(1).isMark("::")) {
            return bare(value.get(0), room(value.subList(2, size)));
        }
        boolean cast = size > 5
                && Token.are(value.subList(0, 4), "cast", "(", ANY, "as")
                && value.get(size - 1).isMark(")");
        return cast ? bare(value.get(2), room(value.subList(4, size - 1))) : null;
    }

    private static @Nullable Given bare(Token token, int most) {
        boolean bare = token.type() == Token.Type.PARAMETER
                || token.type() == Token.Type.TEXT
                || token.isWord("null")
                || token.isWord("default");
        return bare && most > 0 ? new Given(token, most) : null;
    }

    /** How many characters a type has room for at least; 0 if that is uncertain. A length may count bytes. */
    private static int room(List<Token> type) {
        if (Token.are(type, "text")) {
            return Integer.MAX_VALUE;
        }
        if (Token.are(type, "varchar")) {
            return 30; // SQL Server's default; others cut nothing
        }
        boolean limited = Token.are(type, "varchar", "(", ANY, ")")
                && type.get(2).type() == Token.Type.NUMBER
                && type.get(2).text().length() < 7;
        return limited ? (int) Double.parseDouble(type.get(2).text()) / 3 : 0;
    }

    /** The value; if it is longer than what a cast leaves of it, it is unseen. */
    Value value(IdentifierKind kind) {
        return token.type() == Token.Type.PARAMETER
                ? new Value(kind, Integer.parseInt(token.text()), null, most)
                : new Value(kind, 0, token.text(), most);
    }

    boolean isSameAsInserted() {
        return token.isWord("excluded") || token.isWord("values");
    }

    boolean isNull() {
        return token.isWord("null");
    }

    boolean isDefault() {
        return token.isWord("default");
    }
}
