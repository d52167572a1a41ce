package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.RegisteredIdentifier;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.Customer;
import io.github.untaken.jpa.entities.NamedById;
import io.github.untaken.jpa.entities.Seat;
import io.github.untaken.spi.IdentifierKind;
import io.github.untaken.spi.RegisteredIdentifierStore.ColumnDescription;
import io.github.untaken.spi.RegisteredIdentifierStore.Comparing;
import io.github.untaken.spi.RegisteredIdentifierStore.ValuePair;
import io.github.untaken.spi.StoreException;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the databases say of a column. The judge is its own unique index: what it refuses beside a row is equal to it. */
@Tag("ci")
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
            new ValuePair("'; drop table Account --", "'; drop table Account --"),
            new ValuePair("?", "?"));

    private TestDatabase database;

    @AfterEach
    void close() {
        database.close();
    }

    private Comparing store(String kind) {
        return (Comparing) JpaIdentifiers.of(database.factory())
                .stores()
                .get(IdentifierKind.of(kind))
                .get(0);
    }

    static Stream<Arguments> columns() {
        return Stream.of(
                Arguments.of(Engine.H2, "varchar", "alter table Account alter column username varchar(20)"),
                Arguments.of(
                        Engine.H2, "ignoring case", "alter table Account alter column username varchar_ignorecase(20)"),
                Arguments.of(Engine.H2, "char", "alter table Account alter column username char(20)"),
                Arguments.of(
                        Engine.H2,
                        "accents are equal",
                        "drop all objects; set collation en strength primary;"
                                + " create table Account (id bigint primary key, username varchar(20) unique)"),
                Arguments.of(
                        Engine.POSTGRESQL, "varchar", "alter table Account alter column username type varchar(20)"),
                Arguments.of(Engine.POSTGRESQL, "text", "alter table Account alter column username type text"),
                Arguments.of(Engine.POSTGRESQL, "char", "alter table Account alter column username type char(20)"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "C",
                        "alter table Account alter column username type varchar(20) collate \"C\""),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "citext",
                        "create extension citext; alter table Account alter column username type citext"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "citext off the search path",
                        "create schema far; create extension citext schema far;"
                                + " alter table Account alter column username type far.citext"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "domain of a domain",
                        "create domain name20 as varchar(20); create domain username as name20;"
                                + " alter table Account alter column username type username"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "domain of citext",
                        "create extension citext; create domain username as citext;"
                                + " alter table Account alter column username type username"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "nondeterministic",
                        "create collation blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false);"
                                + " alter table Account alter column username type varchar(20) collate blind"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "index on an expression",
                        "alter table Account alter column username type text;"
                                + " create unique index on Account (lower(username))"),
                Arguments.of(
                        Engine.POSTGRESQL,
                        "index of another collation",
                        "create collation blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"
                                + " create unique index on Account (username collate blind)"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("columns")
    void equalIsWhatTheUniqueIndexRefuses(Engine engine, String name, String change) throws SQLException {
        database = TestDatabase.counted(engine, Account.class);
        database.sql(change.split("; ?"));
        Comparing store = store("username");
        store.describe();
        List<Boolean> expected = new ArrayList<>();
        try (Connection connection = database.connection()) {
            connection.setAutoCommit(false);
            for (ValuePair pair : PAIRS) {
                expected.add(refusesSecond(connection, pair));
            }
        }
        database.connections().forget();
        List<Boolean> equal = store.heldEqual(PAIRS);
        for (int i = 0; i < PAIRS.size(); i++) {
            assertThat(equal.get(i)).as("%s", PAIRS.get(i)).isEqualTo(expected.get(i));
        }
        assertThat(equal).as("%s", name).hasSameSizeAs(PAIRS).contains(true, false);
    }

    private static boolean refusesSecond(Connection connection, ValuePair pair) throws SQLException {
        try {
            insert(connection, 1, pair.left());
            try {
                insert(connection, 2, pair.right());
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

    private static void insert(Connection connection, int id, String value) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("insert into Account (id, username) values (?, ?)")) {
            statement.setInt(1, id);
            statement.setString(2, value);
            statement.executeUpdate();
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyPairsAreComparedByOneStatementAndNoRowIsRead(Engine engine) {
        database = TestDatabase.counted(engine, Account.class);
        database.sql("insert into Account (id, username) select x, 'u' || x from " + engine.numbers(1_000));
        Comparing store = store("username");
        database.connections().forget();
        List<ValuePair> pairs = Stream.concat(
                        Stream.of(new ValuePair("u1", "u2")),
                        Stream.generate(() -> new ValuePair("a", "a")).limit(59))
                .toList();
        assertThat(store.heldEqual(pairs)).hasSize(60).containsOnlyOnce(false).startsWith(false);
        List<Long> rows = database.connections().rowsOfQueries();
        assertThat(rows).contains(60L);
        assertThat(rows.stream().mapToLong(Long::longValue).sum()).isLessThan(70);
        assertThat(store.heldEqual(List.of())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aUniqueColumnIsTold(Engine engine) {
        database = TestDatabase.on(engine, Map.of(), Account.class, NamedById.class, Seat.class, Customer.class);
        assertThat(store("phone").describe().unique()).isTrue();
        assertThat(store("phone").describe().column()).isEqualTo("Account.phone");
        // of a key of two columns
        assertThat(store("seat").describe().unique()).isFalse();
        List<ColumnDescription> usernames =
                JpaIdentifiers.of(database.factory()).stores().get(IdentifierKind.USERNAME).stream()
                        .map(store -> ((Comparing) store).describe())
                        .toList();
        assertThat(usernames).hasSize(3);
        assertThat(usernames)
                .filteredOn(description -> !description.column().contains("ustomer"))
                .allMatch(ColumnDescription::unique);
    }

    @ParameterizedTest
    @EnumSource
    void anIndexOnMoreThanTheColumnIsNotUnique(Engine engine) {
        database = TestDatabase.on(engine, Map.of(), NoConstraint.class);
        assertThat(store("username").describe().unique()).isFalse();
        database.sql(
                "create index plain on NoConstraint (username)",
                "create unique index pair on NoConstraint (username, id)");
        assertThat(store("username").describe().unique()).isFalse();
        database.sql("create unique index alone on NoConstraint (username)");
        assertThat(store("username").describe().unique()).isTrue();
    }

    /** Nothing keeps its names apart. */
    @Entity(name = "NoConstraint")
    public static class NoConstraint {
        @Id
        public Long id;

        @RegisteredIdentifier("username")
        public String username;
    }

    @Test
    void onPostgresAPartialIndexAnExpressionAndAnInvalidIndexDoNotMakeAColumnUnique() {
        database = TestDatabase.on(Engine.POSTGRESQL, Map.of(), NoConstraint.class);
        database.sql(
                "create unique index on NoConstraint (username) where id > 0",
                "create unique index on NoConstraint (lower(username))");
        ColumnDescription description = store("username").describe();
        assertThat(description.unique()).isFalse();
        assertThat(description.collation())
                .contains("unique only by lower((username)::text)")
                .contains("unique only for some rows");
        database.sql("create unique index alone on NoConstraint (username)");
        assertThat(store("username").describe().unique()).isTrue();
        database.sql("update pg_index set indisvalid = false where indexrelid = 'alone'::regclass");
        assertThat(store("username").describe().unique()).isFalse();
    }

    @Test
    void onPostgresTheSchemaOfTheMappingCounts() {
        database = TestDatabase.on(Engine.POSTGRESQL, Map.of("hibernate.default_schema", "public"), Account.class);
        database.sql(
                "create schema postgres", // first on the search path of the user of that name
                "create table postgres.Account (id bigint, username text)");
        assertThat(store("username").describe().unique()).isTrue();
    }

    @Test
    void collationsAreNamed() {
        database = TestDatabase.on(Engine.POSTGRESQL, Map.of(), Account.class);
        assertThat(store("username").describe().collation())
                .startsWith("default, ")
                .endsWith(", of character varying");
        database.sql(
                "create collation blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
                "alter table Account alter column username type varchar(20) collate blind",
                "create extension citext",
                "alter table Account alter column phone type citext");
        assertThat(store("username").describe().collation()).startsWith("blind (nondeterministic)");
        assertThat(store("phone").describe().collation()).endsWith("of citext");
        database.close();
        database = TestDatabase.of(Account.class);
        database.sql("alter table Account alter column username varchar_ignorecase(20)");
        assertThat(store("username").describe().collation()).endsWith("compared as VARCHAR_IGNORECASE");
    }

    @Test
    void onH2NamesAreFoundHoweverTheyAreWritten() {
        database =
                TestDatabase.at("jdbc:h2:mem:lower;DB_CLOSE_DELAY=-1;DATABASE_TO_LOWER=true", Map.of(), Account.class);
        assertThat(store("username").describe().unique()).isTrue();
        database.close();
        database =
                TestDatabase.at("jdbc:h2:mem:as-is;DB_CLOSE_DELAY=-1;DATABASE_TO_UPPER=false", Map.of(), Account.class);
        assertThat(store("username").describe().unique()).isTrue();
        database.close();
        database = TestDatabase.on(Engine.H2, Map.of("hibernate.globally_quoted_identifiers", "true"), Account.class);
        assertThat(store("username").describe().unique()).isTrue();
        assertThat(store("username").heldEqual(List.of(new ValuePair("a", "a"))))
                .containsExactly(true);
    }

    @ParameterizedTest
    @EnumSource
    void aMissingTableIsNoDescription(Engine engine) {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        Comparing store = store("username");
        database.sql("drop table Account");
        assertThatThrownBy(() -> store.heldEqual(List.of(new ValuePair("a", "a"))))
                .isInstanceOf(StoreException.class);
    }
}
