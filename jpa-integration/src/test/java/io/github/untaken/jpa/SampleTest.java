package io.github.untaken.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.untaken.IdentifierKind;
import io.github.untaken.jpa.entities.Account;
import io.github.untaken.jpa.entities.NamedById;
import io.github.untaken.jpa.entities.Seat;
import io.github.untaken.spi.RegisteredIdentifierStore.Sampled;
import io.github.untaken.test.database.Engine;
import io.github.untaken.testkit.Eventually;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A few rows by chance: committed ones, others each time, and never at the cost of a scan. */
@ParameterizedClass
@EnumSource
class SampleTest {
    private static final int ROWS = 20_000;

    /** What a connection has counted reaches the statistics before its next answer. */
    private static final String FLUSH = "select pg_stat_force_next_flush()";

    private final Engine engine;
    private TestDatabase database;

    SampleTest(Engine engine) {
        this.engine = engine;
    }

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    private static Sampled store(EntityManagerFactory factory, String kind) {
        return (Sampled)
                JpaIdentifiers.of(factory).stores().get(IdentifierKind.of(kind)).get(0);
    }

    private Sampled store(String kind) {
        return store(database.factory(), kind);
    }

    /** All values that so many samples found. */
    private static Set<String> found(Sampled store, int samples, int count) {
        Set<String> found = new HashSet<>();
        for (int i = 0; i < samples; i++) {
            List<String> sample = store.sample(count);
            assertThat(sample).hasSizeLessThanOrEqualTo(count).doesNotContainNull();
            found.addAll(sample);
        }
        return found;
    }

    @Test
    void rowsOfALargeTableComeByChance() {
        database = TestDatabase.counted(engine, Account.class);
        database.sql("insert into Account (id, username) select x, 'u' || x from " + engine.numbers(ROWS));
        Sampled store = store("username");
        database.connections().forget();

        Set<String> found = found(store, 10, 50);

        assertThat(found)
                .as("of 500, hardly one comes twice")
                .hasSizeGreaterThan(300)
                .allMatch(value -> Integer.parseInt(value.substring(1)) <= ROWS);
        // Each tenth of the table has its share.
        for (int tenth = 0; tenth < 10; tenth++) {
            int from = tenth * ROWS / 10;
            assertThat(found)
                    .anyMatch(value -> (Integer.parseInt(value.substring(1)) - 1) / (ROWS / 10) == from * 10 / ROWS);
        }
        assertThat(database.connections().rowsOfQueries().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .as("rows read for 10 samples of 50")
                .isLessThan(1_500);
    }

    @Test
    void aSmallTableGivesWhatItHas() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        assertThat(store("username").sample(10)).isEmpty();
        database.sql("insert into Account (id, username) values (1, 'a'), (2, null), (3, 'c')");
        assertThat(found(store("username"), 20, 10)).containsExactlyInAnyOrder("a", "c");
        assertThat(store("username").sample(0)).isEmpty();
    }

    @Test
    void keysFarAwayDoNotHideTheOthers() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.sql(
                "insert into Account (id, username) select x, 'u' || x from " + engine.numbers(10_000),
                "insert into Account (id, username) values (" + Long.MIN_VALUE + ", 'low'), (" + Long.MAX_VALUE
                        + ", 'high')");
        assertThat(found(store("username"), 10, 20)).hasSizeGreaterThan(60);
    }

    @Test
    void tablesOfOtherKeysAreSampledToo() {
        database = TestDatabase.on(engine, Map.of(), NamedById.class, Seat.class);
        database.sql("insert into NamedById (username) select 'user' || x from " + engine.numbers(2_000));
        assertThat(found(store("username"), 10, 20)).hasSizeGreaterThan(30);
        database.inTransaction(entities -> entities.persist(new Seat("red", "a7")));
        assertThat(store("seat").sample(5)).containsExactly("a7");
    }

    @Test
    void theNewestRowsAreAmongThemOnPostgres() {
        assumeTrue(engine == Engine.POSTGRESQL, "a table grows at its end");
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.sql("insert into Account (id, username) select x, 'u' || x from " + engine.numbers(ROWS));
        assertThat(found(store("username"), 10, 50))
                .anyMatch(value -> Integer.parseInt(value.substring(1)) > ROWS - 200);
    }

    @Tag("ci")
    @Test
    void onPostgresFewPagesAreReadAlsoOfPartitionedTablesAndOfParents() throws Exception {
        assumeTrue(engine == Engine.POSTGRESQL, "its statistics tell of pages");
        database = TestDatabase.on(engine, Map.of(), Account.class);
        String fill = "insert into Account (id, username) select x, 'u' || x from " + engine.numbers(100_000);
        database.sql("alter table Account set (autovacuum_enabled = off)", fill, FLUSH);
        assertThat(pagesReadForOneSample()).isBetween(1L, 150L);
        database.sql(
                "drop table Account",
                "create table Account (id bigint primary key, username text, phone text, city text)"
                        + " partition by range (id)",
                "create table low partition of Account for values from (minvalue) to (50000)"
                        + " with (autovacuum_enabled = off)",
                "create table high partition of Account for values from (50000) to (maxvalue)"
                        + " with (autovacuum_enabled = off)",
                fill,
                FLUSH);
        assertThat(pagesReadForOneSample()).isBetween(1L, 150L);
        database.sql(
                "drop table Account",
                "create table Account (id bigint primary key, username text, phone text, city text)",
                "create table child () inherits (Account) with (autovacuum_enabled = off)",
                fill.replace("into Account", "into child"),
                FLUSH);
        assertThat(pagesReadForOneSample()).isBetween(1L, 200L);
    }

    /** A connection's counts are complete once it is closed. */
    private long pagesReadForOneSample() throws SQLException {
        database.sql("select pg_stat_reset()");
        try (EntityManagerFactory other = database.anotherFactory(
                Map.of("jakarta.persistence.schema-generation.database.action", "none"), Account.class)) {
            assertThat(store(other, "username").sample(50)).hasSizeBetween(30, 50);
        }
        Eventually.holds("the statistics are written", () -> pagesRead() > 0);
        return pagesRead();
    }

    private long pagesRead() {
        try (Connection connection = database.connection();
                ResultSet row = connection
                        .createStatement()
                        .executeQuery("select sum(heap_blks_read + heap_blks_hit) from pg_statio_user_tables")) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aViewGivesNone() {
        database = TestDatabase.on(engine, Map.of(), Account.class);
        database.sql(
                "alter table Account rename to people",
                "create view Account as select * from people",
                "insert into people (id, username) values (1, 'alice')");
        assertThat(store("username").sample(5)).isEmpty();
    }
}
