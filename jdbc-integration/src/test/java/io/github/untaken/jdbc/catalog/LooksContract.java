package io.github.untaken.jdbc.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.jdbc.TestTable;
import io.github.untaken.test.database.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What somebody defines between two looks is seen, or is nothing. */
abstract class LooksContract {
    final TestTable table;
    final Looks looks;

    LooksContract(Engine engine, Looks looks) {
        this.table = TestTable.on(engine, "varchar(40)");
        this.looks = looks;
    }

    @AfterEach
    void close() {
        table.sql("drop schema if exists s_TABLE cascade");
        table.close();
    }

    final Fingerprint look() {
        return look(looks);
    }

    final Fingerprint look(Looks looks) {
        try (Connection connection = table.connection()) {
            return looks.look(List.of(table.name()), connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    final boolean isSeen(String... definitions) {
        Fingerprint before = look();
        assertThat(look().changedSince(before, name -> false)).isEmpty();
        table.sql(definitions);
        return look().changedSince(before, name -> false).contains(table.name());
    }

    final Set<String> carriers() {
        Set<String> names = new TreeSet<>();
        look().tables().get(table.name()).carriers().values().forEach(names::addAll);
        return names;
    }

    private static final String[] CARRIERS = {
        "create table l_TABLE (name varchar(40) primary key)",
        "create table m_TABLE (name varchar(40) primary key references l_TABLE on update cascade)",
        "create view v_TABLE as select * from l_TABLE",
        "create table o_TABLE (name varchar(40) primary key)",
        "create table q_TABLE (name varchar(40) primary key references o_TABLE)",
        "alter table TABLE add foreign key (username) references q_TABLE"
    };

    private static final String CARRY =
            "alter table TABLE add foreign key (username) references m_TABLE on update cascade";

    @Test
    void whatForeignKeysCarryOnOverSeveralTablesIsKnownAndSeen() {
        table.sql(CARRIERS);
        assertThat(carriers()).isEmpty();
        assertThat(isSeen(CARRY)).isTrue();
        assertThat(carriers())
                .map(name -> name.substring(0, 1).toLowerCase(Locale.ROOT))
                .containsExactly("l", "m", "v");
        assertThat(isSeen(
                        "create table k_TABLE (name varchar(40) primary key)",
                        "alter table l_TABLE add foreign key (name) references k_TABLE on update cascade"))
                .isTrue();
        assertThat(carriers()).hasSize(4);
        table.sql("drop table TABLE", "drop table k_TABLE, l_TABLE, m_TABLE, o_TABLE, q_TABLE cascade");
    }
}
