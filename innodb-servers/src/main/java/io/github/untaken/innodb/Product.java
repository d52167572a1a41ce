package io.github.untaken.innodb;

import java.util.Locale;
import java.util.regex.Pattern;

/** The server under test, {@code -Dserver=mariadb} or {@code mysql}, and what the two call differently. */
public enum Product {
    MARIADB("utf8mb4_uca1400_ai_ci", "utf8mb4_nopad_bin", "Aria", "information_schema.global_status") {
        @Override
        Programs programs() {
            return new MariaDbPrograms();
        }

        @Override
        public String text(String sql) {
            return sql;
        }
    },
    MYSQL("utf8mb4_0900_ai_ci", "utf8mb4_0900_bin", "MyISAM", "performance_schema.global_status") {
        @Override
        Programs programs() {
            return new MySqlPrograms();
        }

        @Override
        public String text(String sql) {
            return SEQUENCE.matcher(sql)
                    .replaceAll("(with recursive numbers (seq) as (select 1 union all select seq + 1 from numbers"
                            + " where seq < $1) select seq from numbers) numbers");
        }
    };

    /** That of this JVM. */
    public static final Product UNDER_TEST =
            valueOf(System.getProperty("server", "mariadb").toUpperCase(Locale.ROOT));

    private static final Pattern SEQUENCE = Pattern.compile("\\bseq_1_to_(\\d+)\\b");

    private final String collation;
    private final String exactCollation;
    private final String otherEngine;
    private final String globalStatus;

    Product(String collation, String exactCollation, String otherEngine, String globalStatus) {
        this.collation = collation;
        this.exactCollation = exactCollation;
        this.otherEngine = otherEngine;
        this.globalStatus = globalStatus;
    }

    abstract Programs programs();

    /** What MariaDB is told, as this one takes it: it has a table for each sequence of numbers. */
    public abstract String text(String sql);

    /** Its default for {@code utf8mb4}, which merges case and accents. */
    public String collation() {
        return collation;
    }

    /** Of {@code utf8mb4}, that merges nothing, not even blanks at the end. */
    public String exactCollation() {
        return exactCollation;
    }

    /** One without transactions. */
    public String otherEngine() {
        return otherEngine;
    }

    /** The table of what the server has counted. */
    public String globalStatus() {
        return globalStatus;
    }
}
