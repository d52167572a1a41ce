package io.github.untaken.jdbc.catalog;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;

/** A short text that stands for the rows of some queries, in whatever order they come. */
final class Digest {
    private final Set<String> rows = new TreeSet<>();

    /** Adds all columns of all rows. */
    void add(String name, PreparedStatement query) throws SQLException {
        try (ResultSet found = query.executeQuery()) {
            while (found.next()) {
                addRow(name, found);
            }
        }
    }

    /** Adds all columns of the row that is read now. */
    void addRow(String name, ResultSet found) throws SQLException {
        int columns = found.getMetaData().getColumnCount();
        StringBuilder row = new StringBuilder(name);
        for (int i = 1; i <= columns; i++) {
            row.append('\u0000').append(found.getString(i));
        }
        rows.add(row.toString());
    }

    void add(String row) {
        rows.add(row);
    }

    @Override
    public String toString() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            rows.forEach(row -> digest.update((row + '\u0001').getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest(), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
