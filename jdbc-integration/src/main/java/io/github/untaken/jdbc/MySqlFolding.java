package io.github.untaken.jdbc;

import io.github.untaken.jdbc.MySqlColumn.Way;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the text of a small alphabet that a collation holds equal to a value, such as {@code jose} for {@code José}, by the weights
 * that it gives to both: equal texts have equal weights.
 *
 * <p>Where no weight of a letter begins another's, and each pair of letters weighs what the two do, the weights of a text of these
 * letters tell the text. So at most one is equal to a value, and it can be read off the value's weights. Only the first level is
 * looked at, that of the letters as such: what is equal at all is equal there, and the database has the last word on each text found.
 *
 * <p>Where values are also equal by a generated column, the weights of what it computes are looked at as well.
 */
final class MySqlFolding {
    private final String alphabet;
    private final MySqlColumn column;
    private final List<Reading> readings;

    private MySqlFolding(String alphabet, MySqlColumn column, List<Reading> readings) {
        this.alphabet = alphabet;
        this.column = column;
        this.readings = readings;
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
        List<Reading> readings = new ArrayList<>();
        if (column.standsForAll().isEmpty()) {
            readings.add(Reading.of(alphabet, MySqlColumn.quoted(column.name()), "", column, connection));
        }
        for (Way way : column.ways()) {
            readings.add(Reading.of(alphabet, way.formula(), " in " + way.rows(), column, connection));
        }
        return new MySqlFolding(alphabet, column, readings);
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

    /** For each value the texts that may be equal to it, one at most for each way in which values are. */
    List<Set<String>> candidates(List<String> values, Connection connection) throws SQLException {
        List<Set<String>> candidates = new ArrayList<>();
        values.forEach(value -> candidates.add(new LinkedHashSet<>()));
        for (Reading reading : readings) {
            List<String> weights = weights(values, reading.compared(), column, connection);
            for (int i = 0; i < weights.size(); i++) {
                reading.of(weights.get(i)).ifPresent(candidates.get(i)::add);
            }
        }
        return candidates;
    }

    private static List<String> weights(List<String> texts, String compared, MySqlColumn column, Connection connection)
            throws SQLException {
        String level = column.mariaDb() ? " level 1" : ""; // MySQL 8 has no such thing, and puts 0000 between levels
        String sql = "select untaken_place, coalesce(hex(weight_string(" + compared + level + ")), '') from "
                + column.numbered(texts.size()) + " order by untaken_place";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            MySqlColumn.bindNumbered(texts, statement);
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

    /**
     * Reads the weights of one way in which values are equal.
     *
     * @param compared what is compared, computed of a column of that name
     * @param letters by their weights in hexadecimal digits, two of which are a byte
     * @param blank the weight of a blank, if those at the end count for nothing; else empty
     */
    private record Reading(String compared, Map<String, Character> letters, String blank) {

        static Reading of(String alphabet, String compared, String where, MySqlColumn column, Connection connection)
                throws SQLException {
            List<String> single = alphabet.chars().mapToObj(Character::toString).toList();
            List<String> weights = weights(single, compared, column, connection);
            Map<String, Character> letters = new HashMap<>();
            for (int i = 0; i < weights.size(); i++) {
                char letter = alphabet.charAt(i);
                if (weights.get(i).isEmpty()) {
                    throw new NotTold("the database ignores '" + letter + "'" + where);
                }
                for (Map.Entry<String, Character> other : letters.entrySet()) {
                    if (weights.get(i).startsWith(other.getKey())
                            || other.getKey().startsWith(weights.get(i))) {
                        throw new NotTold(
                                "the database does not tell '" + letter + "' from '" + other.getValue() + "'" + where);
                    }
                }
                letters.put(weights.get(i), letter);
            }
            List<String> pairs = new ArrayList<>();
            single.forEach(first -> single.forEach(second -> pairs.add(first + second)));
            List<String> together = weights(pairs, compared, column, connection);
            for (int i = 0; i < pairs.size(); i++) {
                if (!together.get(i).equals(weights.get(i / single.size()) + weights.get(i % single.size()))) {
                    throw new NotTold("the database takes '" + pairs.get(i) + "' for one letter" + where);
                }
            }
            return new Reading(
                    compared,
                    letters,
                    padsWithBlanks(compared, column, connection)
                            ? weights(List.of(" "), compared, column, connection)
                                    .get(0)
                            : "");
        }

        private static boolean padsWithBlanks(String compared, MySqlColumn column, Connection connection)
                throws SQLException {
            List<String> texts = List.of("a", "a ");
            try (PreparedStatement statement =
                    connection.prepareStatement("select min(untaken_value) = max(untaken_value)"
                            + " from (select " + compared + " as untaken_value from " + column.numbered(texts.size())
                            + ") untaken_computed")) {
                MySqlColumn.bindNumbered(texts, statement);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getBoolean(1);
                }
            }
        }

        /** The text of letters that has these weights, if there is one. */
        Optional<String> of(String weights) {
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
}
