package io.github.untaken.cluster.mysql;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the bytes of a column. The log holds them as they are stored, whatever a connection would receive. */
interface ColumnText {
    /**
     * The text.
     *
     * @throws CharacterCodingException if they are no text of that character set
     */
    String of(byte[] stored) throws CharacterCodingException;

    /** Of a {@code CHAR}, as the database itself reads and compares it. */
    default ColumnText withoutBlanks() {
        return stored -> {
            String text = of(stored);
            int end = text.length();
            while (end > 0 && text.charAt(end - 1) == ' ') {
                end--;
            }
            return text.substring(0, end);
        };
    }

    /** The character sets with several bytes a letter that Java reads as the server does. */
    Map<String, Charset> SEVERAL_BYTES = Map.of(
            "utf8mb4", StandardCharsets.UTF_8,
            "utf8mb3", StandardCharsets.UTF_8,
            "utf8", StandardCharsets.UTF_8,
            "ucs2", StandardCharsets.UTF_16BE,
            "utf16", StandardCharsets.UTF_16BE,
            "utf16le", StandardCharsets.UTF_16LE,
            "utf32", Charset.forName("UTF-32BE"));

    Pattern NAME = Pattern.compile("[a-z0-9_]+");

    /** The reader for a character set, by the server's name for it; empty if Java might read it differently. */
    static Optional<ColumnText> in(String characters, Connection connection) throws SQLException {
        Charset known = SEVERAL_BYTES.get(characters);
        if (known != null) {
            return Optional.of(
                    stored -> known.newDecoder().decode(ByteBuffer.wrap(stored)).toString());
        }
        return NAME.matcher(characters).matches() ? singleBytes(characters, connection) : Optional.empty();
    }

    /** One letter for each byte: the server says which. */
    private static Optional<ColumnText> singleBytes(String characters, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("select maxlen from information_schema.character_sets"
                    + " where character_set_name = '" + characters + "'")) {
                if (!row.next() || row.getInt(1) != 1 || characters.equals("binary")) {
                    return Optional.empty();
                }
            }
            StringBuilder sql = new StringBuilder("select ''");
            for (int i = 0; i < 256; i++) {
                sql.append(", hex(convert(convert(unhex('%02x') using %s) using utf32))".formatted(i, characters));
            }
            try (ResultSet row = statement.executeQuery(sql.toString())) {
                row.next();
                String[] letters = new String[256];
                for (int i = 0; i < 256; i++) {
                    String point = row.getString(i + 2); // null for a byte without a letter, which is never stored
                    letters[i] = point == null ? "?" : Character.toString(Integer.parseInt(point, 16));
                }
                return Optional.of(stored -> {
                    StringBuilder text = new StringBuilder(stored.length);
                    for (byte each : stored) {
                        text.append(letters[each & 0xff]);
                    }
                    return text.toString();
                });
            }
        }
    }
}
