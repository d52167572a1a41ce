package io.github.untaken.jdbc.statement;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text of SQL without one comment before its first word and one after its last, where Hibernate and tracers write them. Any other comment
 * stays, and its words count.
 */
final class SqlText {
    /** In a longer one only the words count. */
    private static final int MOST_READ = 65_536;

    /** Comments that MySQL and MariaDB execute, and quoted names with escapes. */
    private static final Pattern ODD = Pattern.compile("/\\*M?!|&\"");

    private static final Set<String> NO_FUNCTIONS = Set.of("update", "exec", "execute");

    private final boolean odd;
    private final String text;
    private final @Nullable List<Token> tokens;
    private final String first;
    /** Where the first word ends. */
    private final int start;

    SqlText(String sql) {
        odd = ODD.matcher(sql).find();
        String behind = withoutEnd(withoutFirst(sql.strip()));
        boolean isShort = behind.length() <= MOST_READ;
        List<Token> read = isShort ? Tokens.of(behind) : null;
        if (read == null && isShort && behind.endsWith("*/")) {
            int comment = behind.lastIndexOf("/*");
            boolean single = comment >= 0 && behind.indexOf("*/", comment + 2) == behind.length() - 2;
            // If the text up to there reads in only one way, no quote or other comment hides where this one begins.
            List<Token> before = single ? Tokens.of(behind.substring(0, comment)) : null;
            if (before != null) {
                behind = withoutEnd(behind.substring(0, comment));
                read = Tokens.of(behind);
            }
        }
        text = behind;
        tokens = read == null || read.isEmpty() ? null : List.copyOf(read);
        int from = 0;
        while (from < text.length() && (text.charAt(from) == '(' || text.charAt(from) <= ' ')) {
            from++;
        }
        int to = from;
        while (to < text.length() && Words.isPart(text.charAt(to))) {
            to++;
        }
        first = Words.fold(text.substring(from, to));
        start = to;
    }

    private static String withoutFirst(String sql) {
        int end = sql.startsWith("/*") ? sql.indexOf("*/", 2) : -1;
        int nested = sql.indexOf("/*", 2);
        return end < 0 || nested >= 0 && nested < end
                ? sql
                : sql.substring(end + 2).strip();
    }

    private static String withoutEnd(String sql) {
        int end = sql.length();
        while (end > 0 && (sql.charAt(end - 1) == ';' || sql.charAt(end - 1) <= ' ')) {
            end--;
        }
        return sql.substring(0, end);
    }

    /** Whether it may say more than its words do. */
    boolean isOdd() {
        return odd;
    }

    String text() {
        return text;
    }

    /** Null if databases may read it differently. */
    @Nullable List<Token> tokens() {
        return tokens;
    }

    /** The first word, behind opening brackets; empty if something else stands there. */
    String first() {
        return first;
    }

    /** What stands between semicolons; more pieces than there are statements, if some are in quotes. */
    String[] statements() {
        boolean one = tokens != null && tokens.stream().noneMatch(token -> token.isMark(";"));
        return one ? new String[] {text} : text.split(";", -1);
    }

    /** Whether it may call a function. A space may stand between name and bracket. */
    boolean calls() {
        return tokens != null && tokens.stream().anyMatch(token -> token.isMark("("));
    }

    /** All its words after the first. */
    Set<String> words() {
        Set<String> words = new HashSet<>();
        Words.forEach(text.substring(start), words::add);
        return words;
    }

    /**
     * The words after the first that may be a statement's verb. A word that calls a function is none, nor is one that a quote or a dot
     * shows to be a name, nor that of {@code for update}. Where databases differ, every word counts that is no function.
     *
     * @param reads whether {@code for update} can only be a clause
     */
    List<String> verbs(boolean reads) {
        List<String> verbs = new ArrayList<>();
        if (tokens == null) {
            Words.split(text.substring(start), (word, end) -> {
                if (start + end == text.length() || text.charAt(start + end) != '(' || isNoFunction(word)) {
                    Words.forEach(word, verbs::add);
                }
            });
            return verbs;
        }
        for (int i = 1; i < tokens.size(); i++) {
            if (isVerb(tokens, i, reads)) {
                verbs.add(Words.fold(tokens.get(i).text()));
            }
        }
        return verbs;
    }

    /** MySQL accepts a table in brackets, SQL Server a text to execute. */
    private static boolean isNoFunction(String word) {
        return NO_FUNCTIONS.contains(Words.fold(word));
    }

    /**
     * Whether a token after the first may be a verb.
     *
     * @param reads whether {@code for update} can only be a clause
     */
    static boolean isVerb(List<Token> tokens, int i, boolean reads) {
        Token token = tokens.get(i);
        boolean qualified =
                tokens.get(i - 1).isMark(".") && i > 1 && tokens.get(i - 2).isName();
        boolean lock = reads && token.isWord("update") && isLock(tokens, i);
        return token.type() == Token.Type.WORD && (!token.calls() || isNoFunction(token.text())) && !qualified && !lock;
    }

    /** {@code for update}, {@code for no key update}. */
    private static boolean isLock(List<Token> tokens, int update) {
        return tokens.get(update - 1).isWord("for")
                || update > 3 && Token.are(tokens.subList(update - 3, update), "for", "no", "key");
    }

    /** Whether one of the words may be such a verb. */
    boolean mayDo(Set<String> those, boolean reads) {
        return verbs(reads).stream().anyMatch(those::contains);
    }
}
