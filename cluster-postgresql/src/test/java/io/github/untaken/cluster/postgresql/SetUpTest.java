package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is missing is said with the SQL that mends it, and found there as soon as somebody has run it. */
@Tag("ci")
class SetUpTest {

    @Test
    void saysHowToCreateThePublication() {
        try (TestTable table = TestTable.unpublished();
                TestFeed feed = TestFeed.connected(settings -> settings.publication(table.name()), table.store())) {
            String reason = feed.sink().awaitGap("there is no publication");
            assertThatThrownBy(feed::awaitMark)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("no publication");
            TestServer.sql(sqlIn(reason));
            worksNow(table, feed);
        }
    }

    @Test
    void createsThePublicationOnlyIfToldTo() {
        try (TestTable table = TestTable.unpublished();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name()).createPublication(true), table.store())) {
            worksNow(table, feed);
            assertThat(TestServer.query(
                            "select attnames from pg_publication_tables where pubname = '" + table.name() + "'"))
                    .isEqualTo("{id,username}");
            table.sql("update TABLE set username = 'bob'", "delete from TABLE", "truncate TABLE");
        }
    }

    /** A label that is renamed is another name in each of its rows. */
    @Test
    void refusesWhatTheLogWouldNotTellOf() {
        try (TestTable table = TestTable.unpublished()) {
            table.sql(
                    "create type TABLE_e as enum ('alice')",
                    "create domain TABLE_d as TABLE_e",
                    "alter table TABLE add role TABLE_e, add part TABLE_d, add lower text generated always as (lower(username)) stored",
                    "create publication TABLE for table TABLE");
            refused(table, "role", "is an enum");
            refused(table, "part", "is an enum");
            refused(table, "lower", "is computed by the database");
            table.close();
            TestServer.sql("drop type " + table.name() + "_e cascade");
        }
    }

    private static void refused(TestTable table, String column, String reason) {
        try (TestFeed feed = TestFeed.connected(
                settings -> settings.publication(table.name()), new TableStore(table.name(), column))) {
            feed.sink().awaitNews();
            assertThat(feed.sink().gaps()).isNotEmpty().first().asString().contains("SET_UP: ", reason);
        }
    }

    @Test
    void createsThePublicationOfAPartitionedTable() {
        int number = TestServer.number();
        String table = "parted" + number;
        TestServer.sql(
                "create table " + table
                        + " (region int, id int, username text, primary key (region, id)) partition by list (region)",
                "create table " + table + "_1 partition of " + table + " for values in (1)");
        try (TestFeed feed = TestFeed.connected(
                settings -> settings.publication(table).createPublication(true), new TableStore(table, "username"))) {
            feed.sink().awaitFollowing();
            TestServer.sql(
                    "insert into " + table + " values (1, 1, 'alice')", "update " + table + " set username = 'bob'");
            feed.awaitMark();
            assertThat(feed.sink().told()).isEqualTo(Set.of("username alice", "username bob"));
        }
        TestServer.sql("drop publication " + table, "drop table " + table);
    }

    /** Under a publication their updates would fail: somebody else's programs would break. */
    @Test
    void createsNoneThatWouldBreakUpdates() {
        for (String change : List.of(
                "alter table TABLE drop constraint TABLE_pkey",
                "alter table TABLE replica identity full",
                "alter table TABLE replica identity nothing")) {
            try (TestTable table = TestTable.unpublished()) {
                table.sql(change);
                try (TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name()).createPublication(true), table.store())) {
                    feed.sink().awaitGap("updates of " + table.name() + " would fail");
                    table.insert("alice");
                    table.sql(
                            "update TABLE set username = 'bob'",
                            "alter table TABLE alter username set not null",
                            "create unique index TABLE_i on TABLE (username)",
                            "alter table TABLE replica identity using index TABLE_i");
                    worksNow(table, feed);
                    table.sql("update TABLE set username = 'dave' where username = 'bob'");
                }
            }
        }
    }

    @Test
    void saysHowToPublishWhatIsLeftOut() {
        for (String change : List.of(
                "alter publication TABLE drop table TABLE",
                "alter publication TABLE set table TABLE (id)",
                "alter publication TABLE set (publish = 'insert')",
                "alter publication TABLE set table TABLE where (id > 3)")) {
            try (TestTable table = TestTable.published()) {
                table.sql(change);
                try (TestFeed feed =
                        TestFeed.connected(settings -> settings.publication(table.name()), table.store())) {
                    TestServer.sql(sqlIn(feed.sink().awaitGap("the publication")));
                    worksNow(table, feed);
                }
            }
        }
    }

    @Test
    void saysWhatTheUserMayNotDo() {
        String user = "reader" + TestServer.number();
        TestServer.sql("create role " + user + " login");
        try (TestTable table = TestTable.published();
                TestFeed feed = TestFeed.connected(
                        settings -> settings.publication(table.name()).user(user), table.store())) {
            String reason = feed.sink().awaitGap("may not replicate");
            assertThat(reason).contains("may not read the column");
            TestServer.sql(sqlIn(reason));
            worksNow(table, feed);
        }
        TestServer.sql("drop role " + user);
    }

    /** As where {@code public} was taken away from the public: the search path passes over such a schema without a word. */
    @Test
    void saysThatTheUserMayNotUseTheSchemaOfTheTable() {
        String user = "reader" + TestServer.number();
        String schema = "Shop" + TestServer.number();
        String table = "member" + TestServer.number();
        TestServer.sql(
                "create role " + user + " login replication",
                "create schema \"" + schema + '"',
                "create table \"" + schema + "\"." + table + " (id int primary key, username text)",
                "grant select (username) on \"" + schema + "\"." + table + " to " + user,
                "create publication " + table + " for table \"" + schema + "\"." + table + " (id, username)");
        try (TestFeed feed = TestFeed.connected(
                settings -> settings.publication(table).user(user).property("currentSchema", '"' + schema + '"'),
                new TableStore(table, "username"))) {
            TestServer.sql(sqlIn(feed.sink().awaitGap("there is no table " + table)));
            feed.sink().awaitFollowing();
        }
        TestServer.sql(
                "drop publication " + table,
                "drop schema \"" + schema + "\" cascade",
                "drop owned by " + user,
                "drop role " + user);
    }

    @Test
    void saysThatATableOrColumnIsNotThere() {
        try (TestTable table = TestTable.published()) {
            missing("there is no table nowhere.x", new TableStore("nowhere.x", "username"), table);
            missing("has no column login", new TableStore(table.name(), "login"), table);
            table.sql("create view TABLE_v as select * from TABLE");
            missing("is a view, or a foreign, unlogged", new TableStore(table.name() + "_v", "username"), table);
        }
    }

    private static void missing(String reason, TableStore store, TestTable table) {
        try (TestFeed feed = TestFeed.connected(settings -> settings.publication(table.name()), store)) {
            feed.sink().awaitGap(reason);
        }
    }

    @Test
    void saysThatAllSlotsAreTaken() {
        try (TestTable table = TestTable.published()) {
            TestServer.sql("select pg_create_physical_replication_slot('taken' || x) from generate_series(1, 20) x"
                    + " where x > (select count(*) from pg_replication_slots)");
            try (TestFeed feed = TestFeed.connected(settings -> settings.publication(table.name()), table.store())) {
                feed.sink().awaitGap("all replication slots are taken");
                freeSlots();
                worksNow(table, feed);
            } finally {
                freeSlots();
            }
        }
    }

    private static void freeSlots() {
        TestServer.sql(
                "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name like 'taken%'");
    }

    @Test
    void saysThatTheServerKeepsTooLittleInItsLog() throws Exception {
        try (var server = io.zonky.test.db.postgres.embedded.EmbeddedPostgres.builder()
                .setServerConfig("wal_level", "replica")
                .start()) {
            PostgreSqlFeed feed = PostgreSqlFeed.of(
                            "jdbc:postgresql://localhost:" + server.getPort() + "/postgres?user=postgres")
                    .build();
            feed.covers(Map.of(IdentifierKind.USERNAME, List.of(new TableStore("account", "username"))));
            RecordingSink sink = new RecordingSink();
            feed.connect(sink);
            assertThat(sink.awaitGap("ALTER SYSTEM SET wal_level = logical")).contains("there is no table account");
            feed.disconnect();
        }
    }

    @Test
    void aKindWhoseTableIsNotKnownIsLeftOutOrRefused() {
        RegisteredIdentifierStore elsewhere = new RegisteredIdentifierStore() {
            @Override
            public Presence exists(String key, Duration timeout) {
                return Presence.of(false);
            }

            @Override
            public void scan(Consumer<String> values) {}
        };
        Map<IdentifierKind, List<RegisteredIdentifierStore>> stores = Map.of(
                IdentifierKind.USERNAME, List.of(new TableStore("a", "b")),
                IdentifierKind.EMAIL, List.of(new TableStore("a", "c"), elsewhere));
        assertThat(PostgreSqlFeed.of(TestServer.url()).build().covers(stores)).containsExactly(IdentifierKind.USERNAME);
        assertThat(PostgreSqlFeed.of(TestServer.url())
                        .kinds(IdentifierKind.USERNAME)
                        .build()
                        .covers(stores))
                .containsExactly(IdentifierKind.USERNAME);
        PostgreSqlFeed both = PostgreSqlFeed.of(TestServer.url())
                .kinds(IdentifierKind.USERNAME, IdentifierKind.EMAIL)
                .build();
        assertThatThrownBy(() -> both.covers(stores))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("email");
    }

    private static void worksNow(TestTable table, TestFeed feed) {
        feed.sink().awaitFollowing();
        table.insert("carol");
        feed.awaitMark();
        assertThat(feed.sink().knows("carol")).isTrue();
    }

    /** What stands behind each "run:", to the last semicolon. */
    private static String[] sqlIn(String reason) {
        return java.util.regex.Pattern.compile("run: (.*?);(?=; |$)")
                .matcher(reason)
                .results()
                .flatMap(found -> java.util.Arrays.stream(found.group(1).split(";")))
                .toArray(String[]::new);
    }
}
