package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.KindState;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.Verdict.Status;
import io.github.untaken.jdbc.IdentifierTable;
import io.github.untaken.jdbc.JdbcIdentifiers;
import io.github.untaken.jdbc.WatchedDataSource;
import io.github.untaken.normalize.UsernameNormalizer;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that stay in the table when they are deleted, and whose names are free again. */
class SoftDeletionTest {
    private static final IdentifierKind USERNAME = IdentifierKind.USERNAME;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The table of RuoYi and the statements of its mapper; nothing but the application keeps its names apart. */
    @ParameterizedTest
    @EnumSource
    void whatRuoYiDeletesIsFreeUntilSomebodyRevivesIt(Driver driver) throws SQLException {
        try (Table table = new Table(
                driver, "user_name varchar(30) not null", "nick_name varchar(30)", "del_flag char(1) default '0'")) {
            IdentifierTable users =
                    IdentifierTable.of(table.name(), "user_name", USERNAME).where("del_flag = '0'");
            JdbcIdentifiers identifiers = JdbcIdentifiers.of(driver.dataSource(), users);
            DataSource watched = WatchedDataSource.of(driver.dataSource(), identifiers);
            try (AvailabilityChecker checker = AvailabilityChecker.builder()
                    .source(identifiers)
                    .normalizer(USERNAME, UsernameNormalizer.builder().ascii().build())
                    .recheckTimeout(TIMEOUT)
                    .singleWriter(false)
                    .build()) {
                Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
                insert(watched, table);
                assertThat(checker.check(USERNAME, "ruoyi77").status()).isEqualTo(Status.TAKEN);
                try (Connection connection = watched.getConnection();
                        PreparedStatement delete = connection.prepareStatement(
                                "update " + table.name() + " set del_flag = '2' where id = ?")) {
                    delete.setLong(1, 1);
                    delete.executeUpdate();
                }
                for (int i = 0; i < 2; i++) {
                    assertThat(checker.check(USERNAME, "Ruoyi77").status()).isEqualTo(Status.AVAILABLE);
                    assertThat(checker.check(USERNAME, "ruoyi77").decidedBy()).isEqualTo(DecidedBy.STORE);
                }
                table.sql("update TABLE set del_flag = '0'"); // nobody hears of it
                assertThat(checker.check(USERNAME, "ruoyi77").status()).isEqualTo(Status.TAKEN);
                assertThat(checker.state(USERNAME)).isEqualTo(KindState.READY);
            }
        }
    }

    private static void insert(DataSource watched, Table table) throws SQLException {
        try (Connection connection = watched.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "insert into " + table.name() + "( user_name, nick_name ) values( ?, ? )")) {
            insert.setString(1, "ruoyi77");
            insert.setString(2, "nick");
            insert.executeUpdate();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheDatabaseDoesNotTakeForAConditionIsRefusedAtTheStart(Driver driver) {
        try (Table table = new Table(driver, "varchar(40)")) {
            for (String where : List.of(
                    "id > 0)",
                    "(id > 0",
                    "id > 0) or (id < 0",
                    "id > 0; select 1",
                    "id > 0 -- all",
                    "id > 0 # all",
                    "id > 0 /* all",
                    "username = 'x",
                    "username = 'x\\'",
                    "nothing = 1",
                    "count(*) > 0",
                    "id > ?",
                    "id > 0 then 1 when id < 0")) {
                assertThatThrownBy(() -> table.storeWhere(where, driver.dataSource()))
                        .as(where)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("\"" + where + "\"")
                        .hasMessageContaining("untaken.tables");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aUniqueIndexOnAllRowsHasTheLastWord(Driver driver) {
        for (String unique : List.of("unique (username)", "unique (username(5))")) {
            try (Table table = new Table(driver, "username varchar(40)", "deleted boolean", unique)) {
                table.sql("insert into TABLE (username, deleted) values ('alice', true)");
                RegisteredIdentifierStore store = table.storeWhere("not deleted", driver.dataSource());
                ((Comparing) store).describe();
                assertThat(store.exists("alice", TIMEOUT)).as(unique).isEqualTo(Presence.COUNTED);
            }
        }
    }
}
