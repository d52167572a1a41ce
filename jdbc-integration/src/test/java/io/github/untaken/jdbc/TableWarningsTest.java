package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.test.database.Engine;
import io.github.untaken.test.log.LoggedLines;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What writes a table without naming it is said when the catalog is read. */
class TableWarningsTest {

    private static List<String> warnings(TestTable table) {
        try (LoggedLines logged = new LoggedLines()) {
            JdbcIdentifiers.table(table.dataSource(), table.name(), "username").stores();
            return logged.warnings().stream()
                    .filter(message -> message.toLowerCase(Locale.ROOT).contains(table.name()))
                    .toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aForeignKeyThatChangesANameIsSaid(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(40)")) {
            table.sql(
                    "create table p_TABLE (name varchar(40) primary key)",
                    "alter table TABLE add constraint fk_TABLE foreign key (username) references p_TABLE"
                            + " on update cascade");
            assertThat(warnings(table))
                    .singleElement()
                    .asString()
                    .containsIgnoringCase("fk_" + table.name())
                    .contains("foreign keys that change it", "bulk(kind, work)");
            table.sql("alter table TABLE drop constraint fk_TABLE", "drop table p_TABLE");
            assertThat(warnings(table)).isEmpty();
        }
    }

    @Test
    void aTriggerAndAViewAreSaid() {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(40)")) {
            table.sql(
                    "create view v_TABLE as select id, username from TABLE",
                    "create table TABLE_audit (username varchar(40))",
                    "create view w_TABLE as select username from TABLE_audit",
                    "create function f_TABLE() returns trigger language plpgsql as"
                            + " $$ begin new.username = lower(new.username); return new; end $$",
                    "create trigger t_TABLE before insert or update on TABLE for each row execute function f_TABLE()");
            try {
                assertThat(warnings(table))
                        .hasSize(2)
                        .anyMatch(message -> message.contains("has triggers (t_" + table.name() + ")"))
                        .anyMatch(
                                message -> message.contains("has views that can be written (v_" + table.name() + ")"));
            } finally {
                table.sql("drop function f_TABLE() cascade", "drop table TABLE_audit cascade");
            }
        }
    }
}
