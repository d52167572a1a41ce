package io.github.untaken.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the text of a small alphabet that a collation holds equal to a value, such as {@code jose} for {@code José}, by the weights
 * that it gives to both: equal texts have equal weights.
 *
 * <p>Where no weight of a letter begins another's, and each pair of letters weighs what the two do, the weights of a text of these
 * letters tell the text. So at most one is equal to a value, and it can be read off the value's weights. Only the first level is
 * looked at, that of the letters as such: what is equal at all is equal there, and the database has the last word on each text found.
 */
final class MySqlFolding {
    private final String alphabet;
    private final MySqlColumn column;
    /** In hexadecimal digits, two of which are a byte. */
    private final Map<String, Character> letters;

    /** The weight of a blank, if those at the end count for nothing; else empty. */
    private final String blank;

    private MySqlFolding(String alphabet, MySqlColumn column, Map<String, Character> letters, String blank) {
        this.alphabet = alphabet;
        this.column = column;
        this.letters = letters;
        this.blank = blank;
    }

    /** Thrown where the weights of texts do not tell the texts; the message is part of a sentence. */
    static final class NotTold extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String how;

        private NotTold(String how) {
            super(how, null, false, false);
            this.how = how;
        }

        String how() {
            return how;
        }
    }

    /**
     * Asks the database for the weights of all letters and pairs.
     *
     * @throws NotTold if names of this alphabet could be held equal, or read in two ways
     */
    static MySqlFolding of(String alphabet, MySqlColumn column, Connection connection) throws SQLException {
        List<String> single = alphabet.chars().mapToObj(Character::toString).toList();
        List<String> weights = weights(single, column, connection);
        Map<String, Character> letters = new HashMap<>();
        for (int i = 0; i < weights.size(); i++) {
            char letter = alphabet.charAt(i);
            for (Map.Entry<String, Character> other : letters.entrySet()) {
                if (weights.get(i).startsWith(other.getKey()) || other.getKey().startsWith(weights.get(i))) {
                    throw new NotTold("the database does not tell '" + letter + "' from '" + other.getValue() + "'");
                }
            }
            if (weights.get(i).isEmpty()) {
                throw new NotTold("the database ignores '" + letter + "'");
            }
            letters.put(weights.get(i), letter);
        }
        List<String> pairs = new ArrayList<>();
        single.forEach(first -> single.forEach(second -> pairs.add(first + second)));
        List<String> together = weights(pairs, column, connection);
        for (int i = 0; i < pairs.size(); i++) {
            if (!together.get(i).equals(weights.get(i / single.size()) + weights.get(i % single.size()))) {
                throw new NotTold("the database takes '" + pairs.get(i) + "' for one letter");
            }
        }
        return new MySqlFolding(
                alphabet,
                column,
                letters,
                padsWithBlanks(column, connection)
                        ? weights(List.of(" "), column, connection).get(0)
                        : "");
    }

    private static boolean padsWithBlanks(MySqlColumn column, Connection connection) throws SQLException {
        String collated = " using " + column.charset() + ") collate " + column.collation();
        try (PreparedStatement statement =
                        connection.prepareStatement("select convert('a'" + collated + " = convert('a '" + collated);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static List<String> weights(List<String> texts, MySqlColumn column, Connection connection)
            throws SQLException {
        String level = column.mariaDb() ? " level 1" : ""; // MySQL 8 has no such thing, and puts 0000 between levels
        String sql = "select p.i, hex(weight_string(convert(p.v using " + column.charset() + ") collate "
                + column.collation() + level + ")) from ("
                + String.join(
                        " union all ", Collections.nCopies(texts.size(), "select ? i, convert(? using utf8mb4) v"))
                + ") p order by p.i";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int index = 1;
            for (int i = 0; i < texts.size(); i++) {
                statement.setInt(index++, i);
                statement.setString(index++, texts.get(i));
            }
            List<String> weights = new ArrayList<>(texts.size());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    String weight = rows.getString(2);
                    int next = column.mariaDb() ? -1 : weight.indexOf("0000");
                    weights.add(next < 0 ? weight : weight.substring(0, next));
                }
            }
            return weights;
        }
    }

    /** Whether a value may be equal to another text of the alphabet than its own in small letters. */
    boolean isForeign(String value) {
        if (value.endsWith(" ")) {
            return true;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (alphabet.indexOf(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) < 0) {
                return true;
            }
        }
        return false;
    }

    /** For each value the text that may be equal to it, if there is one. */
    List<Optional<String>> candidates(List<String> values, Connection connection) throws SQLException {
        return weights(values, column, connection).stream().map(this::read).toList();
    }

    private Optional<String> read(String weights) {
        int end = weights.length();
        while (!blank.isEmpty() && weights.substring(0, end).endsWith(blank)) {
            end -= blank.length();
        }
        StringBuilder text = new StringBuilder();
        for (int from = 0; from < end; ) {
            int to = from + 2;
            while (to <= end && !letters.containsKey(weights.substring(from, to))) {
                to += 2;
            }
            if (to > end) {
                return Optional.empty();
            }
            text.append(letters.get(weights.substring(from, to)));
            from = to;
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(text.toString());
    }
}
