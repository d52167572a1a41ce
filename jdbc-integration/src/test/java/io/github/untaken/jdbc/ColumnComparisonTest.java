package io.github.untaken.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.jdbc.column.IdentifierColumn;
import io.github.untaken.jdbc.comparison.BatchLookup;
import io.github.untaken.jdbc.comparison.PostgreSqlComparison;
import io.github.untaken.jdbc.connection.Database;
import io.github.untaken.jdbc.connection.Lookup;
import io.github.untaken.jdbc.statement.CatalogFacts;
import io.github.untaken.jdbc.store.IdentifierTables;
import io.github.untaken.jdbc.watch.OpenTransactions;
import io.github.untaken.jdbc.writer.WriterMarks;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.Presence;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import io.github.untaken.spi.StoreException;
import io.github.untaken.test.database.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What databases say of a column. Judge is the column's own unique index: two values are equal if it refuses the
 * second.
 */
class ColumnComparisonTest {
    private static final List<ValuePair> PAIRS = List.of(
            new ValuePair("alice", "alice"),
            new ValuePair("alice", "bob"),
            new ValuePair("alice", "Alice"),
            new ValuePair("alice", "alice "),
            new ValuePair("alice", "alice  "),
            new ValuePair("alice", " alice"),
            new ValuePair("alice", "alice\t"),
            new ValuePair("", " "),
            new ValuePair("", "\u200b"),
            new ValuePair("al-ice", "alice"),
            new ValuePair("co-op", "coop"),
            new ValuePair("jose", "jos\u00e9"),
            new ValuePair("jos\u00e9", "jose\u0301"),
            new ValuePair("jos\u00e9", "JOS\u00c9"),
            new ValuePair("strasse", "stra\u00dfe"),
            new ValuePair("\u03c3", "\u03c2"),
            new ValuePair("\u03a3", "\u03c2"),
            new ValuePair("i", "\u0131"),
            new ValuePair("I", "\u0131"),
            new ValuePair("i", "\u0130"),
            new ValuePair("i\u0307", "\u0130"),
            new ValuePair("k", "\u212a"),
            new ValuePair("a", "\uff41"),
            new ValuePair("\u00e6", "ae"),
            new ValuePair("\ufb01", "fi"),
            new ValuePair("\u043c\u0430\u0440\u0438\u044f", "\u041c\u0410\u0420\u0418\u042f"),
            new ValuePair("\u3042", "\u30a2"),
            new ValuePair("\ud83d\ude00", "\ud83d\ude01"),
            new ValuePair("a\ud83d\ude00", "A\ud83d\ude00"),
            new ValuePair("1", "\u0661"),
            new ValuePair("al\u0000ice", "al\u0000ice"),
            new ValuePair("alice\u0000", "alice"),
            new ValuePair("al\ud800", "al\ud800"),
            new ValuePair("al\ud800", "al\ud801"),
            new ValuePair("al\udc00", "al?"),
            new ValuePair("twenty-characters-abc", "twenty-characters-abc"),
            new ValuePair("twenty-characters-ab1", "twenty-characters-ab2"),
            new ValuePair("twenty-characters-ab", "twenty-characters-ab "),
            new ValuePair("twenty-characters-ab", "twenty-characters-abc"),
            new ValuePair("twenty-characters-ab", "TWENTY-characters-ab"),
            new ValuePair("\ud83d\ude00".repeat(20), "\ud83d\ude00".repeat(20)),
            new ValuePair("'; drop table account --", "'; drop table account --"),
            new ValuePair("?", "?"));

    /** The names are unique by something else alone. */
    private static final String ALONE = "alter table TABLE drop constraint TABLE_username_key; ";

    private static final String GENERATED =
            "alter table TABLE add column username_key varchar(60) generated always as (FORMULA) ;"
                    + " create unique index TABLE_k on TABLE (username_key)";

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @BeforeAll
    static void extend() {
        Extensions.create("citext");
        Extensions.collations();
        Extensions.run("create schema if not exists far; create domain name20 as varchar(20);"
                + " create domain name20s as name20; create domain citext_name as citext");
    }

    private static Comparing store(TestTable table) {
        return (Comparing) table.store();
    }

    static Stream<Arguments> columns() {
        return Stream.of(
                Arguments.of(Engine.H2, "varchar(20)", ""),
                Arguments.of(Engine.H2, "varchar_ignorecase(20)", ""),
                Arguments.of(Engine.H2, "char(20)", ""),
                Arguments.of(
                        Engine.H2,
                        "varchar(20)",
                        "drop all objects; set collation en strength primary;"
                                + " create table TABLE (id bigint auto_increment primary key, username varchar(20) unique)"),
                Arguments.of(Engine.H2, "varchar(20)", GENERATED.replace("FORMULA", "lower(username)")),
                Arguments.of(
                        Engine.H2, "varchar(20)", GENERATED.replace("FORMULA", "nullif(lower(username), 'alice')")),
                Arguments.of(Engine.H2, "varchar_ignorecase(20)", GENERATED.replace("FORMULA", "trim(username)")),
                Arguments.of(
                        Engine.H2,
                        "varchar(20)",
                        GENERATED.replace("FORMULA", "username").replace("varchar(60)", "varchar_ignorecase(60)")),
                Arguments.of(Engine.POSTGRESQL, "varchar(20)", ""),
                Arguments.of(Engine.POSTGRESQL, "text", ""),
                Arguments.of(
                        Engine.POSTGRESQL, "varchar(20)", ALONE + "create unique index on TABLE (lower(username))"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "varchar(20)",
                        ALONE + "create unique index on TABLE (username collate caseless)"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "varchar(20) collate \"C\"",
                        ALONE + "create unique index on TABLE (lower(username))"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "varchar(20)",
                        ALONE + "create unique index on TABLE (lower(username));"
                                + " create unique index on TABLE (username) where id > 0"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "varchar(20)",
                        ALONE + GENERATED.replace("FORMULA) ", "lower(username)) stored ")),
                Arguments.of(Engine.POSTGRESQL, "char(20)", ""),
                Arguments.of(Engine.POSTGRESQL, "varchar(20) collate \"C\"", ""),
                Arguments.of(Engine.POSTGRESQL, "citext", ""),
                Arguments.of(Engine.POSTGRESQL, "name20s", ""),
                Arguments.of(Engine.POSTGRESQL, "citext_name", ""),
                Arguments.of(Engine.POSTGRESQL, "varchar(20) collate letters", ""),
                Arguments.of(Engine.POSTGRESQL, "text", "create unique index on TABLE (lower(username))"),
                Arguments.of(Engine.POSTGRESQL, "text", "create unique index on TABLE ((username::citext))"),
                Arguments.of(
                        Engine.POSTGRESQL, "varchar(20)", "create unique index on TABLE (username collate caseless)"));
    }

    @Tag("ci")
    @ParameterizedTest
    @MethodSource("columns")
    void equalIsWhatTheUniqueIndexRefusesAndIsFound(Engine engine, String type, String change) throws SQLException {
        try (TestTable table = TestTable.on(engine, type)) {
            if (!change.isEmpty()) {
                table.sql(change.split("; ?"));
            }
            equalIsWhatTheUniqueIndexRefusesAndIsFound(table, table.store(), type + " " + change);
        }
    }

    /** In a schema off the search path, so that its operators are not found by their bare names. */
    @Tag("ci")
    @Test
    void aTypeOffTheSearchPathIsComparedByItsOwnOperators() throws SQLException {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "citext")) {
            Extensions.run("alter extension citext set schema far");
            equalIsWhatTheUniqueIndexRefusesAndIsFound(table, table.store(), "far.citext");
        } finally {
            Extensions.run("alter extension citext set schema public");
        }
    }

    private static void equalIsWhatTheUniqueIndexRefusesAndIsFound(
            TestTable table, RegisteredIdentifierStore store, String name) throws SQLException {
        List<Boolean> expected = new ArrayList<>();
        try (Connection connection = table.connection()) {
            connection.setAutoCommit(false);
            for (ValuePair pair : PAIRS) {
                expected.add(refusesSecond(table, connection, pair));
            }
            connection.setAutoCommit(true);
            List<Boolean> equal = ((Comparing) store).heldEqual(PAIRS);
            for (int i = 0; i < PAIRS.size(); i++) {
                assertThat(equal.get(i)).as("%s: %s", name, PAIRS.get(i)).isEqualTo(expected.get(i));
                if (isStored(table, connection, PAIRS.get(i).left())) {
                    boolean found = finds(store, PAIRS.get(i).right());
                    table.sql("delete from TABLE");
                    // To find something like a value that the column would refuse does no harm.
                    if (expected.get(i)
                            || isStored(table, connection, PAIRS.get(i).right())) {
                        assertThat(found).as("%s: %s", name, PAIRS.get(i)).isEqualTo(expected.get(i));
                    }
                    table.sql("delete from TABLE");
                }
            }
            assertThat(equal).as("%s", name).hasSameSizeAs(PAIRS).contains(true, false);
        }
    }

    /** PostgreSQL cannot be asked for some values, such as a NUL, and does not hold them either. */
    private static boolean finds(RegisteredIdentifierStore store, String value) {
        List<String> many = List.of("nobody", value, "nobody");
        try {
            Presence found = store.exists(value, TIMEOUT);
            assertThat(((Batched) store).existEach(many, TIMEOUT))
                    .containsExactly(Presence.ABSENT, found, Presence.ABSENT);
            return found.held();
        } catch (StoreException e) {
            assertThat(e).hasMessageContaining("SQLSTATE 22");
            assertThatThrownBy(() -> ((Batched) store).existEach(many, TIMEOUT)).hasMessageContaining("SQLSTATE 22");
            return false;
        }
    }

    private static boolean isStored(TestTable table, Connection connection, String value) {
        try {
            table.insert(connection, value);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    private static boolean refusesSecond(TestTable table, Connection connection, ValuePair pair) throws SQLException {
        try {
            table.insert(connection, pair.left());
            try {
                table.insert(connection, pair.right());
                return false;
            } catch (SQLException e) {
                return "23505".equals(e.getSQLState());
            }
        } catch (SQLException e) {
            return false;
        } finally {
            connection.rollback();
        }
    }

    /** A bare {@code citext = varchar} reads the whole table and finds less than the index holds equal. */
    @ParameterizedTest
    @CsvSource({
        "citext, ''",
        "varchar(40), ''",
        "text, create unique index on TABLE (lower(username))",
        "text, create unique index on TABLE ((username::citext))",
        "varchar(40), create unique index on TABLE (username collate caseless)"
    })
    void onPostgresAKeyIsFoundByTheIndexesThatHoldItEqual(String type, String change) throws SQLException {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, type);
                Connection connection = table.connection()) {
            if (!change.isEmpty()) {
                table.sql(change);
            }
            table.sql(
                    "insert into TABLE (username) select 'User' || x from " + Engine.POSTGRESQL.numbers(20_000),
                    "vacuum analyze TABLE");
            Lookup lookup = new PostgreSqlComparison(table.column()).lookup("user17000", connection);
            assertThat(table.store().exists("user17000", TIMEOUT))
                    .isEqualTo(Presence.of(!type.equals("varchar(40)") || !change.isEmpty()));
            String literal = "explain " + lookup.sql().replace("?", "'user17000'");
            assertThat(table.query(literal)).contains("Index").doesNotContain("Seq Scan");

            List<String> keys = Stream.iterate(16_980, number -> number + 1)
                    .limit(64)
                    .map(number -> "user" + number)
                    .toList();
            BatchLookup many = new PostgreSqlComparison(table.column()).lookupEach(keys, connection);
            assertThat(((Batched) table.store()).existEach(keys, TIMEOUT))
                    .containsOnly(table.store().exists("user17000", TIMEOUT));
            String array = "explain " + many.sql().replace("?", "'{" + String.join(",", keys) + "}'");
            assertThat(table.query(array)).contains("Index").doesNotContain("Seq Scan");
        }
    }

    @Test
    void onPostgresATypeThatChangesIsComparedAnewAfterTheNextDescription() {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "text")) {
            table.sql("insert into TABLE (username) values ('Alice')");
            Comparing store = store(table);
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
            table.sql("alter table TABLE alter column username type citext");
            store.describe();
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.COUNTED);
            assertThat(((Batched) store).existEach(List.of("bob", "alice", "ALICE"), TIMEOUT))
                    .containsExactly(Presence.ABSENT, Presence.COUNTED, Presence.COUNTED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aColumnThatWasMadeLongerHidesNothing(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(5)")) {
            Comparing store = store(table);
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
            table.sql(
                    "alter table TABLE alter column username " + (engine == Engine.H2 ? "" : "type ") + "varchar(20)",
                    "insert into TABLE (username) values ('alice-and-bob')");
            assertThat(store.exists("alice-and-bob", TIMEOUT)).isEqualTo(Presence.COUNTED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyPairsAreComparedByOneStatementAndNoRowIsChanged(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(20)")) {
            List<ValuePair> pairs = Stream.concat(
                            Stream.of(new ValuePair("u1", "u2")),
                            Stream.generate(() -> new ValuePair("a", "a")).limit(59))
                    .toList();
            assertThat(store(table).heldEqual(pairs))
                    .hasSize(60)
                    .containsOnlyOnce(false)
                    .startsWith(false);
            assertThat(store(table).heldEqual(List.of())).isEmpty();
            assertThat(table.query("select count(*) from TABLE")).isEqualTo("0");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anIndexOnMoreThanTheColumnIsNotUnique(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(20)")) {
            assertThat(store(table).describe().unique()).isTrue();
            assertThat(store(table).describe().column()).isEqualTo(table.name() + ".username");
            table.sql("drop table TABLE", "create table TABLE (id bigint, username varchar(20))");
            assertThat(store(table).describe().unique()).isFalse();
            table.sql(
                    "create index TABLE_plain on TABLE (username)",
                    "create unique index TABLE_pair on TABLE (username, id)");
            assertThat(store(table).describe().unique()).isFalse();
            table.sql("create unique index TABLE_alone on TABLE (username)");
            assertThat(store(table).describe().unique()).isTrue();
        }
    }

    @Test
    void onPostgresAPartialIndexMakesTheRowsUniqueThatCountAndAnInvalidOneNone() {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(20)")) {
            table.sql(
                    "drop table TABLE",
                    "create table TABLE (id bigint, username varchar(20))",
                    "create unique index on TABLE (username) where id > 0",
                    "create unique index on TABLE (lower(username))");
            ColumnDescription description = store(table).describe();
            assertThat(description.unique()).as("by its lower case").isTrue();
            assertThat(description.collation())
                    .contains("unique only by lower((username)::text)")
                    .contains("unique only for some rows");
            table.sql("drop index TABLE_lower_idx");
            assertThat(store(table).describe().unique()).as("no others count").isTrue();
            table.sql("create unique index TABLE_both on TABLE (username, id)");
            assertThat(store(table).describe().unique()).as("others may").isFalse();
            table.sql("drop index TABLE_both");
            table.sql("create unique index TABLE_alone on TABLE (username)");
            assertThat(store(table).describe().unique()).isTrue();
            table.sql("update pg_index set indisvalid = false where indexrelid = 'TABLE_alone'::regclass");
            assertThat(store(table).describe().unique()).isFalse();
        }
    }

    @Test
    void collationsAreNamed() {
        try (TestTable table = TestTable.on(Engine.POSTGRESQL, "varchar(20)")) {
            assertThat(store(table).describe().collation())
                    .startsWith("default, ")
                    .endsWith(", of character varying");
            table.sql("alter table TABLE alter column username type varchar(20) collate letters");
            assertThat(store(table).describe().collation()).startsWith("letters (nondeterministic)");
            table.sql("alter table TABLE alter column username type citext");
            assertThat(store(table).describe().collation()).endsWith("of citext");
        }
        try (TestTable table = TestTable.on(Engine.H2, "varchar_ignorecase(20)")) {
            assertThat(store(table).describe().collation()).endsWith("compared as VARCHAR_IGNORECASE");
        }
    }

    @ParameterizedTest
    @CsvSource({"DATABASE_TO_LOWER=true, ACCOUNT", "DATABASE_TO_UPPER=false, account", "DB_CLOSE_DELAY=-1, \"ACCOUNT\""
    })
    void onH2NamesAreFoundHoweverTheyAreWritten(String setting, String name) throws SQLException {
        String url = "jdbc:h2:mem:" + setting.substring(0, 15) + ";DB_CLOSE_DELAY=-1;" + setting;
        try (IdleConnections connections = new IdleConnections(url)) {
            connections
                    .open()
                    .createStatement()
                    .execute("create table account (id bigint, username varchar(20) unique)");
            IdentifierColumn column = new IdentifierColumn(name, "username");
            Comparing store = (Comparing) new IdentifierTables(
                            connections,
                            Database.H2,
                            timeout -> {},
                            room -> {},
                            () -> new WriterMarks(connections, new OpenTransactions(), marked -> Set.of()),
                            new CatalogFacts())
                    .store(column);
            assertThat(store.describe().unique()).isTrue();
            assertThat(store.heldEqual(List.of(new ValuePair("a", "a")))).containsExactly(true);
            assertThat(store.exists("alice", TIMEOUT)).isEqualTo(Presence.ABSENT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMissingTableIsNoDescription(Engine engine) {
        try (TestTable table = TestTable.on(engine, "varchar(20)")) {
            table.sql("drop table TABLE");
            assertThatThrownBy(() -> store(table).heldEqual(List.of(new ValuePair("a", "a"))))
                    .isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> store(table).exists("a", TIMEOUT)).isInstanceOf(StoreException.class);
        }
    }
}
