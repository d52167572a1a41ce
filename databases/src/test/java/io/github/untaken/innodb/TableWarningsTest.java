package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.test.log.LoggedLines;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What writes a table without naming it, or writes other than it is told, is said when the catalog is read. */
class TableWarningsTest {

    private static List<String> warnings(Table table, String sessions) {
        return warnings(table, "untaken", sessions);
    }

    private static List<String> warnings(Table table, String user, String sessions) {
        try (LoggedLines logged = new LoggedLines()) {
            JdbcIdentifiers.table(
                            Driver.dataSource(table.driver().url(user), connection -> {
                                try (Statement statement = connection.createStatement()) {
                                    statement.execute(sessions);
                                }
                            }),
                            table.name(),
                            "username")
                    .stores();
            return logged.warnings(table.name());
        }
    }

    @ParameterizedTest
    @EnumSource
    void triggersViewsAndForeignKeysAreSaid(Driver driver) {
        try (Table table = new Table(driver, "varchar(40)")) {
            assertThat(warnings(table, "do 0")).isEmpty();
            table.sql(
                    "create table TABLE_parent (name varchar(40) primary key)",
                    "create table TABLE_signup (name varchar(40))",
                    "alter table TABLE add constraint TABLE_fk foreign key (username) references TABLE_parent (name)"
                            + " on update cascade",
                    "create view TABLE_view as select id, username from TABLE",
                    "create trigger TABLE_lower before insert on TABLE for each row set new.username = lower(new.username)",
                    "create trigger TABLE_copy after insert on TABLE_signup for each row"
                            + " insert into TABLE (username) values (new.name)");
            try {
                String name = table.name();
                assertThat(warnings(table, "do 0"))
                        .hasSize(3)
                        .anyMatch(message -> message.contains("foreign keys that change it (" + name + "_fk)"))
                        .anyMatch(message -> message.contains("views that can be written (" + name + "_view)"))
                        .anyMatch(message -> message.contains("has triggers (" + name + "_copy, " + name + "_lower)"));
            } finally {
                table.sql(
                        "drop view TABLE_view",
                        "drop table TABLE_signup",
                        "alter table TABLE drop foreign key TABLE_fk",
                        "drop table TABLE_parent");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NO_ZERO_DATE", "ANSI"})
    void aSessionThatIsNotStrictIsSaid(String mode) {
        for (Driver driver : Driver.values()) {
            try (Table table = new Table(driver, "varchar(40)")) {
                assertThat(warnings(table, "set sql_mode = '" + mode + "'"))
                        .singleElement()
                        .asString()
                        .contains("sql_mode", "STRICT_TRANS_TABLES");
                assertThat(warnings(table, "set sql_mode = 'STRICT_ALL_TABLES'"))
                        .isEmpty();
            }
        }
    }

    /** It hides what the user has no right to see, without a word. */
    @ParameterizedTest
    @EnumSource
    void rightsThatAreMissingAreNamed(Driver driver) {
        try (Table table = new Table(driver, "varchar(40)")) {
            assertThat(warnings(table, "poor", "do 0"))
                    .singleElement()
                    .asString()
                    .contains("without the rights SHOW_ROUTINE (on MariaDB SELECT on mysql.proc)");
            table.sql("create user plain@localhost identified by ''", "grant select on names.TABLE to plain@localhost");
            try {
                assertThat(warnings(table, "plain", "do 0"))
                        .singleElement()
                        .asString()
                        .contains("without the rights TRIGGER, SHOW VIEW, SHOW_ROUTINE");
            } finally {
                table.sql("drop user plain@localhost");
            }
        }
    }
}
