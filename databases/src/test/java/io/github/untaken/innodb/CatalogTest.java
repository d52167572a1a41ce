package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore.Catalogued;
import io.github.untaken.spi.TableCatalog;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody defines between two looks is seen, or is nothing. */
@ParameterizedClass
@EnumSource
class CatalogTest {
    private final Table table;
    private final TableCatalog catalog;

    CatalogTest(Driver driver) {
        table = new Table(driver, "username varchar(40)", "unique (username)");
        catalog = ((Catalogued) table.store()).catalog();
    }

    @AfterEach
    void close() {
        catalog.release();
        table.close();
    }

    private boolean isSeen(String... definitions) {
        String made = created("TABLE");
        var before = catalog.look().tables();
        assertThat(catalog.look().tables()).isEqualTo(before);
        // The catalog counts whole seconds, of a clock that runs some milliseconds behind the server's now().
        do {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            table.sql("drop table if exists later_TABLE", "create table later_TABLE (id int)");
        } while (created("later_TABLE").equals(made));
        table.sql("drop table later_TABLE");
        for (String each : definitions) {
            table.sql(each.split("; "));
        }
        return !catalog.look().tables().equals(before);
    }

    private String created(String name) {
        return table.query("select create_time from information_schema.tables where table_schema = database()"
                + " and table_name = '" + name + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter table TABLE add city varchar(10)",
                "alter table TABLE alter username set default 'guest'",
                "alter table TABLE modify username varchar(50)",
                "alter table TABLE modify username varchar(40) collate utf8mb4_bin",
                "create unique index u on TABLE (id, username)",
                "create trigger t_TABLE before insert on TABLE for each row set new.username = 'x'",
                "alter table TABLE drop index username, add unique index (username(10))",
                "drop table TABLE; create table TABLE (id bigint auto_increment primary key, username varchar(40), unique (username))",
            })
    void whatDecidesRowsOrComparisonsIsSeen(String definition) {
        assertThat(isSeen(definition)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create index i on TABLE (username, id)",
                "analyze table TABLE",
                "insert into TABLE (username) values ('bob')",
                "alter table TABLE comment 'people'",
                "grant select on names.TABLE to poor@localhost",
            })
    void whatDecidesNothingIsNot(String definition) {
        assertThat(isSeen(definition)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"truncate TABLE"})
    void whatOnlyFreesNamesIsNot(String definition) {
        assertThat(isSeen(definition)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"create view v_TABLE as select * from TABLE"})
    void aViewIsSeenWhenAnythingElseIs(String definition) {
        assertThat(isSeen(definition, "alter table TABLE add city varchar(10)")).isTrue();
        table.sql("drop view v_TABLE");
    }
}
