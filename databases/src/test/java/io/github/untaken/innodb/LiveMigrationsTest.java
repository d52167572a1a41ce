package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.untaken.jdbc.LiveMigrations;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Migrations by another program beside an application that serves: nothing is wrong, and nothing unanswered. */
@Timeout(300)
class LiveMigrationsTest {
    private static final int ROWS = 20_000;
    private static final String EXACT = Product.UNDER_TEST.exactCollation();

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(Driver.MARIADB.url("untaken"));
        return new HikariDataSource(config);
    }

    private static void migrate(Table table, List<String> definitions) throws Exception {
        table.sql("insert into TABLE (username) select concat('settler', seq) from seq_1_to_" + ROWS);
        try (table;
                HikariDataSource application = pool();
                HikariDataSource reads = pool();
                HikariDataSource plain = pool()) {
            LiveMigrations.Outcome outcome = LiveMigrations.beside(
                    new LiveMigrations.Place(application, reads, plain, table.name(), ""),
                    definitions.stream().map(Product.UNDER_TEST::text).toList());
            System.out.println(Product.UNDER_TEST + " " + outcome);
            assertThat(outcome.wrong()).isEmpty();
            assertThat(outcome.refused()).isEmpty();
            assertThat(outcome.unanswered()).isEmpty();
            assertThat(outcome.fromMemory()).isPositive();
        }
    }

    @Test
    void ofAWholeTable() throws Exception {
        migrate(
                new Table(Driver.MARIADB, "varchar(40) collate " + EXACT),
                List.of(
                        "alter table TABLE add city varchar(40)",
                        "alter table TABLE modify username varchar(50) collate " + EXACT,
                        "alter table TABLE modify username varchar(50) collate "
                                + (Product.UNDER_TEST == Product.MARIADB
                                        ? "utf8mb4_general_nopad_ci"
                                        : "utf8mb4_0900_ai_ci"),
                        "create index i on TABLE (city)",
                        "alter table TABLE force",
                        "create table n_TABLE like TABLE; rename table TABLE to o_TABLE, n_TABLE to TABLE",
                        "insert into TABLE (username) select concat('settler', seq) from seq_1_to_" + ROWS,
                        "truncate table o_TABLE; drop table o_TABLE",
                        "alter table TABLE drop column city"));
    }

    @Test
    void ofPartitions() throws Exception {
        Table table = new Table(Driver.MARIADB, "username varchar(40) collate " + EXACT, "key (username)");
        table.sql("alter table TABLE partition by range (id) (partition a values less than (1000000),"
                + " partition b values less than (2000000))");
        migrate(
                table,
                List.of(
                        "alter table TABLE add partition (partition c values less than (3000000))",
                        "alter table TABLE reorganize partition b into (partition b values less than (1500000),"
                                + " partition d values less than (2000000))",
                        "alter table TABLE drop partition c",
                        "alter table TABLE add city varchar(40)"));
    }
}
