package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Snapshot;
import io.github.untaken.spi.RegisteredIdentifierStore.Together;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A scan is one state of its tables, whatever is done to them before its first row or while it reads. */
@ParameterizedClass
@EnumSource
class OneStateTest {
    /** More than a driver fetches at once. */
    private static final int ROWS = 25_000;

    private final Engine engine;
    private final TestTable table;
    private final AtomicInteger schemas = new AtomicInteger();

    OneStateTest(Engine engine) {
        this.engine = engine;
        this.table = TestTable.on(engine, "varchar(40)");
    }

    @AfterEach
    void close() {
        for (int i = 1; i <= schemas.get(); i++) {
            table.sql("drop schema if exists " + schema(i) + " cascade");
        }
        table.close();
    }

    private String schema(int number) {
        return "s" + number + table.name();
    }

    private void fill() {
        table.sql("insert into TABLE (username) select 'user' || x from " + engine.numbers(ROWS));
    }

    /** Does something as soon as there is a row. */
    private static Consumer<String> meanwhile(List<String> values, Runnable work) {
        return value -> {
            if (values.isEmpty()) {
                work.run();
            }
            values.add(value);
        };
    }

    private List<String> scannedWhile(RegisteredIdentifierStore store, Runnable work) {
        List<String> values = new ArrayList<>();
        store.scan(meanwhile(values, work));
        return values;
    }

    private static List<String> scanned(RegisteredIdentifierStore store) {
        List<String> values = new ArrayList<>();
        store.scan(values::add);
        return values;
    }

    private void inTransaction(String... statements) {
        try (Connection connection = table.connection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String sql : statements) {
                statement.execute(sql.replace("TABLE", table.name()));
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aRowThatMovesBehindTheScanIsNotOverlooked() {
        fill();
        List<String> values = scannedWhile(
                table.store(),
                () -> inTransaction(
                        "delete from TABLE where username = 'user24000'",
                        "insert into TABLE (id, username) values (-1, 'user24000')",
                        "update TABLE set id = -2 where username = 'user23000'"));
        assertThat(values).hasSize(ROWS).contains("user24000", "user23000");
    }

    @Test
    void aKeyThatACascadeMovesLosesNoName() {
        table.sql(
                "create table TABLE_persons (id bigint primary key)",
                "insert into TABLE_persons select x from " + engine.numbers(ROWS),
                "alter table TABLE add foreign key (id) references TABLE_persons on update cascade");
        fill();
        List<String> values =
                scannedWhile(table.store(), () -> table.sql("update TABLE_persons set id = -1 where id = 24000"));
        assertThat(values).hasSize(ROWS).contains("user24000");
        table.sql("drop table TABLE_persons cascade");
    }

    @Test
    void rowsWithoutAKeyOrWithTheSameOneAreAllRead() {
        try (TestTable keyless = TestTable.of(engine, "username varchar(40)")) {
            keyless.sql(
                    "drop table TABLE",
                    "create table TABLE (id bigint, username varchar(40))",
                    "insert into TABLE select mod(x, 2), 'user' || x from " + engine.numbers(ROWS),
                    "insert into TABLE (username) values (null), ('nobody')");
            assertThat(scanned(keyless.store())).hasSize(ROWS + 1).doesNotHaveDuplicates();
        }
    }

    @Test
    void aNameThatGoesFromTheSecondTableToTheFirstIsInOneOfThem() {
        fill();
        table.sql(
                "create table TABLE_more (id bigint primary key, username varchar(40) unique)",
                "insert into TABLE_more select x, 'more' || x from " + engine.numbers(ROWS));
        List<String> values = new ArrayList<>();
        scan(
                bothTables(),
                meanwhile(
                        values,
                        () -> inTransaction(
                                "delete from TABLE_more where username = 'more24000'",
                                "insert into TABLE (id, username) values (-1, 'more24000')")));
        assertThat(values).hasSize(2 * ROWS).contains("more24000");
        values.clear();
        scan(
                bothTables(),
                meanwhile(
                        values,
                        () -> inTransaction(
                                "delete from TABLE where username = 'more24000'",
                                "insert into TABLE_more (id, username) values (24000, 'more24000')")));
        assertThat(values).hasSize(2 * ROWS).contains("more24000");
        table.sql("drop table TABLE_more");
    }

    private List<Together> bothTables() {
        return JdbcIdentifiers.of(
                        table.dataSource(),
                        IdentifierTable.of(table.name(), "username"),
                        IdentifierTable.of(table.name() + "_more", "username"))
                .stores()
                .get(IdentifierKind.USERNAME)
                .stream()
                .map(Together.class::cast)
                .toList();
    }

    private static void scan(List<Together> stores, Consumer<String> values) {
        assertThat(stores)
                .extracting(Together::database)
                .containsOnly(stores.get(0).database());
        try (Snapshot snapshot = stores.get(0).snapshot(stores, 1)) {
            snapshot.parts().forEach(part -> part.scan(values));
            snapshot.confirm();
        }
    }

    @Test
    void aTableThatIsEmptiedAndFilledAgainMeanwhileIsNeverSeenEmpty() {
        fill();
        String refill = "insert into TABLE (username) select 'new' || x from " + engine.numbers(10);
        List<CompletableFuture<Void>> refilling = new ArrayList<>();
        List<String> values = new ArrayList<>();
        try {
            table.store().scan(meanwhile(values, () -> {
                refilling.add(CompletableFuture.runAsync(() -> table.sql("truncate table TABLE", refill)));
                Eventually.holds(
                        "it has happened, or waits",
                        () -> refilling.get(0).isDone() || engine == Engine.POSTGRESQL && somebodyWaits());
            }));
            assertThat(values).hasSize(ROWS).contains("user24000");
        } catch (StoreException e) {
            assertThat(e).hasMessageMatching(".*(gave way|changed while it was scanned).*");
        }
        refilling.get(0).join();
        assertThat(scanned(table.store())).hasSize(10);
    }

    private boolean somebodyWaits() {
        return table.query("select count(*) from pg_locks where not granted and relation = 'TABLE'::regclass")
                .equals("1");
    }

    @Test
    void aSchemaThatTakesTheNameOfAnotherMeanwhileFailsTheScan() {
        String app = schema(schemas.incrementAndGet());
        String next = schema(schemas.incrementAndGet());
        String old = schema(schemas.incrementAndGet());
        for (String schema : List.of(app, next)) {
            table.sql(
                    "create schema " + schema,
                    "create table " + schema + ".users (username varchar(40) unique)",
                    "insert into " + schema + ".users select '" + schema + "' || x from " + engine.numbers(ROWS));
        }
        RegisteredIdentifierStore store = table.store(new IdentifierColumn(app + ".users", "username"));
        assertThat(scanned(store)).hasSize(ROWS);
        assertThatThrownBy(() -> scannedWhile(
                        store,
                        () -> table.sql(
                                "alter schema " + app + " rename to " + old,
                                "alter schema " + next + " rename to " + app)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("changed while it was scanned");
        assertThat(scanned(store)).hasSize(ROWS).allMatch(value -> value.startsWith(next));
    }

    @Test
    void theConnectionGoesBackAsItCameAlsoAfterAFailure() throws SQLException {
        fill();
        try (IdleConnections lent = new IdleConnections(table.url(), connection -> {
            connection.setReadOnly(engine == Engine.POSTGRESQL);
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        })) {
            RegisteredIdentifierStore store = table.store(lent);
            assertThat(scanned(store)).hasSize(ROWS);
            assertThatThrownBy(() -> store.scan(value -> {
                        throw new IllegalStateException("enough");
                    }))
                    .hasMessage("enough");
            Connection returned = lent.open();
            assertThat(lent.made()).isEqualTo(1);
            assertThat(returned.isReadOnly()).isEqualTo(engine == Engine.POSTGRESQL);
            assertThat(returned.getAutoCommit()).isFalse();
            assertThat(returned.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            try (Statement statement = returned.createStatement()) {
                statement.execute("select 1"); // no transaction is open that has failed
            }
        }
    }

    @Test
    void aColumnOfNumbersIsNoColumnOfNames() {
        for (String type : List.of("bigint", "uuid", "numeric(20)", "date")) {
            try (TestTable numbers = TestTable.of(engine, "username " + type)) {
                assertThatThrownBy(() -> ((Comparing) numbers.store()).describe())
                        .as(type)
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining(numbers.name() + ".username is of type")
                        .hasMessageContaining("does not hold the text itself");
            }
        }
    }
}
