package io.github.untaken.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.test.database.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What PostgreSQL shows of it. */
@Tag("ci")
class PostgreSqlLooksTest extends LooksContract {
    PostgreSqlLooksTest() {
        super(Engine.POSTGRESQL, new PostgreSqlLooks());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table TABLE add city varchar(10)",
                "alter table TABLE alter username set default 'guest'",
                "alter table TABLE alter username set not null",
                "alter table TABLE alter username type varchar(50)",
                "create unique index u_TABLE on TABLE (lower(username))",
                "alter table TABLE add constraint c_TABLE check (id > 0)",
                "create table r_TABLE (id bigint references TABLE)",
                "create rule r_TABLE as on delete to TABLE do instead nothing",
                "create view v_TABLE as select * from TABLE",
                "alter table TABLE enable row level security",
                "create policy p_TABLE on TABLE using (true)",
                "begin; create table c_TABLE (like TABLE); commit; begin; alter table c_TABLE inherit TABLE; commit",
                "create function f_TABLE() returns bigint language sql as 'select count(*) from TABLE'",
                "alter table TABLE rename to n_TABLE; create table TABLE (like n_TABLE including all)",
                "truncate TABLE",
                "create schema s_TABLE; alter table TABLE set schema s_TABLE; create table TABLE (like s_TABLE.TABLE including all)",
                "begin; alter table TABLE alter username set default 'x'; alter table TABLE alter username drop default; commit",
                "begin; alter table TABLE rename to n_TABLE; alter table n_TABLE rename to TABLE; commit",
                "alter table TABLE alter username set default 'x'; alter table TABLE alter username drop default; grant select on TABLE to public",
                "create view v_TABLE as select * from TABLE; create view w_TABLE as select * from v_TABLE",
            })
    void whatDecidesRowsOrComparisonsIsSeen(String definition) {
        table.sql("insert into TABLE (username) select 'n' || x from generate_series(1, 100) x", "analyze TABLE");
        assertThat(isSeen(definition)).isTrue();
        table.sql("drop table if exists r_TABLE, n_TABLE cascade", "drop function if exists f_TABLE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "grant select on TABLE to public",
                "grant select (username) on TABLE to public",
                "alter table TABLE set (fillfactor = 70)",
                "alter table TABLE alter username set statistics 100",
                "create index i_TABLE on TABLE (username)",
                "reindex table TABLE",
                "vacuum full TABLE",
                "vacuum freeze TABLE",
                "analyze TABLE",
                "insert into TABLE (username) values ('bob')",
                "comment on table TABLE is 'people'",
                "create table c_TABLE () inherits (TABLE)",
                "create table elsewhere_TABLE (id bigint)",
            })
    void whatDecidesNothingIsNot(String definition) {
        table.sql("insert into TABLE (username) select 'n' || x from generate_series(1, 100) x", "analyze TABLE");
        assertThat(isSeen(definition)).isFalse();
        table.sql("drop table if exists elsewhere_TABLE");
    }

    @Test
    void aTableThatChangesPlacesWithAnotherSchemasIsAnother() {
        table.sql(
                "create schema s_TABLE",
                "create table s_TABLE.people (like TABLE including all)",
                "create schema t_TABLE",
                "create table t_TABLE.people (like TABLE including all)");
        List<String> people = List.of("s_" + table.name() + ".people");
        try (Connection connection = table.connection();
                Statement statement = connection.createStatement()) {
            Fingerprint before = looks.look(people, connection);
            for (String sql : List.of(
                    "alter schema s_TABLE rename to o_TABLE",
                    "alter schema t_TABLE rename to s_TABLE",
                    "drop schema o_TABLE cascade")) {
                statement.execute(sql.replace("TABLE", table.name()));
            }
            assertThat(looks.look(people, connection).changedSince(before, name -> false))
                    .containsExactlyElementsOf(people);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aTriggerAndItsFunctionAreSeen() {
        String function =
                "create or replace function g_TABLE() returns trigger language plpgsql as 'begin return %s; end'";
        table.sql(function.formatted("new"));
        assertThat(isSeen("create trigger t_TABLE before insert on TABLE for each row execute function g_TABLE()"))
                .isTrue();
        assertThat(isSeen(function.formatted("null"))).isTrue();
        assertThat(isSeen("alter table TABLE disable trigger t_TABLE")).isTrue();
        assertThat(isSeen("drop trigger t_TABLE on TABLE")).isTrue();
        table.sql("drop function g_TABLE");
    }

    @Test
    void aDefaultOfADomainIsSeen() {
        table.sql("create domain d_TABLE as varchar(40)", "alter table TABLE alter username type d_TABLE");
        assertThat(look().tables().get(table.name()).filled()).doesNotContainKey("username");
        assertThat(isSeen("alter domain d_TABLE set default 'guest'")).isTrue();
        assertThat(look().tables().get(table.name()).filled()).containsKeys("username", "id");
        table.sql("drop domain d_TABLE cascade");
    }

    @Test
    void aChildOfAnotherTableThatIsAdoptedWithItsRowsIsSeen() {
        table.sql(
                "drop table TABLE",
                "create table TABLE (username varchar(40))",
                "create table o_TABLE (username varchar(40))",
                "create table c_TABLE () inherits (o_TABLE)",
                "insert into c_TABLE values ('zedd')");
        assertThat(isSeen("alter table c_TABLE inherit TABLE")).isTrue();
        table.sql("drop table o_TABLE cascade");
    }

    @Test
    void aPartitionThatSomebodyHasWrittenBeforeItWasKnownIsSeen() {
        table.sql("drop table TABLE", "create table TABLE (id bigint, username varchar(40)) partition by range (id)");
        Fingerprint before = look();
        table.sql("create table a_TABLE partition of TABLE default");
        assertThat(look().changedSince(before, name -> name.equals("a_" + table.name())))
                .containsExactly(table.name());
        assertThat(look().changedSince(before, name -> name.equals(table.name())))
                .isEmpty();
    }

    @Test
    void anEmptyPartitionOnlyAddsAWord() {
        table.sql("drop table TABLE", "create table TABLE (id bigint, username varchar(40)) partition by range (id)");
        String partition = " partition of TABLE for values from (%d) to (%d)";
        table.sql(
                "create table a_TABLE" + partition.formatted(0, 10), "create table d_TABLE partition of TABLE default");
        assertThat(isSeen("create table b_TABLE" + partition.formatted(10, 20))).isFalse();
        assertThat(look().tables().get(table.name()).parts().values())
                .extracting(Part::name)
                .containsExactlyInAnyOrder(table.name(), "a_" + table.name(), "b_" + table.name(), "d_" + table.name());
        table.sql("create table e_TABLE (id bigint, username varchar(40))");
        assertThat(isSeen("alter table TABLE attach partition e_TABLE for values from (20) to (30)"))
                .as("it may have rows")
                .isTrue();
        assertThat(isSeen("drop table a_TABLE")).isTrue();
        assertThat(isSeen("alter table b_TABLE alter username set default 'x'")).isTrue();
    }

    @Test
    void aRoutineThatCallsOneThatWritesWritesToo() {
        String body = "create function %s_TABLE() returns void language %s as '%s'";
        table.sql(
                body.formatted("writes", "sql", "insert into TABLE (username) values (1)"),
                body.formatted("calls", "plpgsql", "begin perform writes_TABLE(); end"),
                body.formatted("again", "sql", "select calls_TABLE()"),
                body.formatted("composes", "plpgsql", "begin execute chr(73) || chr(78); end"),
                body.formatted("defines", "plpgsql", "begin create view v_TABLE as select * from TABLE; end"),
                body.formatted("other", "sql", "select 1"),
                "create function reads_TABLE() returns bigint language sql as 'select count(*) from TABLE'");
        assertThat(look().tables().get(table.name()).routines())
                .containsExactlyInAnyOrderElementsOf(List.of(
                        "writes_" + table.name(),
                        "calls_" + table.name(),
                        "again_" + table.name(),
                        "defines_" + table.name(),
                        "composes_" + table.name()));
        assertThat(isSeen(
                        "create or replace function other_TABLE() returns void language sql as 'select again_TABLE()'"))
                .isTrue();
        for (String name : List.of("writes", "calls", "again", "composes", "defines", "other", "reads")) {
            table.sql("drop function " + name + "_TABLE");
        }
    }

    /** The text of the one has words that it does not have itself, or the catalog has no text of it at all. */
    @Test
    void aRoutineThatWritesByAnotherNameOrHasNoTextWritesToo() {
        table.sql(
                "create table lords (name varchar(40) primary key)",
                "alter table TABLE add foreign key (username) references lords on update cascade",
                "create view people as select * from TABLE",
                "create function by_view() returns void language sql as 'insert into people (username) values (1)'",
                "create function by_key() returns void language sql as 'update lords set name = 1'",
                "create function parsed() returns void language sql begin atomic insert into people (username) values ('x'); end",
                "create function calls_parsed() returns void language sql begin atomic select parsed(); end",
                "create function \"sign-up\"() returns void language sql as 'insert into people (username) values (1)'",
                "create function calls_odd() returns void language plpgsql as 'begin perform \"sign-up\"(); end'");
        try {
            assertThat(look().tables().get(table.name()).routines())
                    .containsExactlyInAnyOrder("by_view", "by_key", "parsed", "calls_parsed", "sign-up", "calls_odd");
        } finally {
            table.sql(
                    "drop function calls_odd, \"sign-up\", calls_parsed, parsed, by_key, by_view",
                    "drop view people",
                    "drop table lords cascade");
        }
    }

    @Test
    void whatAForeignKeyCarriesIntoAChildAloneIsKnown() {
        table.sql(
                "create table lords (name varchar(40) primary key)",
                "create table heirs_TABLE () inherits (TABLE)",
                "alter table heirs_TABLE add foreign key (username) references lords on update cascade");
        try {
            assertThat(carriers()).containsExactly("lords");
        } finally {
            table.sql("drop table heirs_TABLE", "drop table lords");
        }
    }

    /** Others than a DELETE count as written in any case. */
    @Test
    void whatARuleWritesWhenRowsOfAnotherTableAreDeletedIsKnown() {
        table.sql(
                "create table lords (name varchar(40))",
                "create table serfs (name varchar(40))",
                "create view people as select * from TABLE",
                "create rule falls as on delete to lords do also insert into people (username) values (old.name)",
                "create rule follows as on delete to serfs do also delete from lords",
                "create rule joins as on insert to serfs do also insert into TABLE (username) values (new.name)");
        try {
            assertThat(carriers()).containsExactly("lords", "serfs");
        } finally {
            table.sql("drop table lords, serfs cascade", "drop view people");
        }
    }

    @Test
    void whatTheDatabaseFillsInIsKnown() {
        table.sql(
                "alter table TABLE add handle varchar(40) generated always as (lower(username)) stored",
                "alter table TABLE add city varchar(10) default 'Rome'");
        SeenTable seen = look().tables().get(table.name());
        assertThat(seen.computed()).containsExactly("handle");
        assertThat(seen.filled()).containsOnlyKeys("id", "city");
    }
}
