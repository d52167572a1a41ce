package io.github.untaken.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.test.database.Engine;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What H2 shows of it. */
class H2LooksTest extends LooksContract {
    H2LooksTest() {
        super(
                Engine.H2,
                new H2Looks((name, connection) -> new TableName(null, "PUBLIC", name.toUpperCase(Locale.ROOT))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table TABLE add city varchar(10)",
                "alter table TABLE alter username set default 'guest'",
                "alter table TABLE alter username set data type varchar(50)",
                "create unique index u_TABLE on TABLE (id, username)",
                "create view v_TABLE as select * from TABLE",
                "create synonym s_TABLE for TABLE",
                "alter table TABLE add constraint c_TABLE check (id > 0)",
            })
    void whatDecidesIsSeen(String definition) {
        assertThat(isSeen(definition)).isTrue();
    }

    @Test
    void anIndexThatHasGoneOverToAnotherColumnIsSeen() {
        table.sql("alter table TABLE add city varchar(10)", "create unique index u_TABLE on TABLE (city)");
        assertThat(isSeen("drop index u_TABLE", "create unique index u_TABLE on TABLE (username)"))
                .isTrue();
    }

    @Test
    void whatNullBecomesIsFilledIn() {
        table.sql("alter table TABLE add handle varchar(40) default 'guest' default on null");
        assertThat(look().tables().get(table.name()).computed()).containsExactly("HANDLE");
    }

    @Test
    void schemasThatChangePlacesAreSeen() {
        Looks looks = new H2Looks((name, connection) -> new TableName(null, "APP", "PEOPLE"));
        table.sql("create schema app", "create table app.people (name varchar(40) unique)");
        table.sql("create schema next", "create table next.people (name varchar(40) unique)");
        Fingerprint before = look(looks);
        table.sql("alter schema app rename to old", "alter schema next rename to app");
        assertThat(look(looks).changedSince(before, name -> false)).isNotEmpty();
    }

    @Test
    void nothingElseIsSeen() {
        assertThat(look().tables().get(table.name()).parts()).hasSize(1);
        assertThat(isSeen(
                        "create index i_TABLE on TABLE (username)",
                        "create table elsewhere (id bigint)",
                        "create domain unused as varchar(10) default 'x'",
                        "create table r_TABLE (id bigint references TABLE)",
                        "analyze"))
                .isFalse();
    }

    @Test
    void domainsAndUpdatesFillIn() {
        table.sql(
                "create domain login as varchar(60) default 'guest'",
                "alter table TABLE add handle login",
                "alter table TABLE add changed varchar(10) on update 'x'");
        SeenTable seen = look().tables().get(table.name());
        assertThat(seen.filled()).containsKeys("ID", "HANDLE");
        assertThat(seen.computed()).containsExactly("CHANGED");
        assertThat(isSeen("alter domain login set on update 'x'")).isTrue();
        assertThat(look().tables().get(table.name()).computed()).containsExactlyInAnyOrder("HANDLE", "CHANGED");
    }
}
