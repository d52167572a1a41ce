package io.github.untaken.cluster.postgresql;

import static io.github.untaken.IdentifierKind.USERNAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.KindState;
import io.github.untaken.Verdict;
import io.github.untaken.Verdict.DecidedBy;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.testkit.Eventually;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A value has the same key in the log as in the table, whatever the type of its column. */
class ColumnTypesTest {
    /** {@code TABLE_d} is a domain, {@code TABLE_c} a collation to which case is nothing. */
    private static final List<String> TYPES = List.of(
            "char(20)",
            "char(5)",
            "bpchar",
            "TABLE_d; create domain TABLE_d as char(20)",
            "TABLE_d; create domain TABLE_e as char(20); create domain TABLE_d as TABLE_e check (value <> 'x')",
            "varchar(20)",
            "TABLE_d; create domain TABLE_d as varchar(20)",
            "citext",
            "TABLE_d; create domain TABLE_d as citext",
            "varchar(20) collate \"TABLE_c\"",
            "name");

    @ParameterizedTest
    @FieldSource("TYPES")
    @Tag("ci")
    void whatSomebodyCommitsAtAConsoleIsTakenHere(String type) throws Exception {
        TestServer.sql("create extension if not exists citext");
        try (TestTable table = TestTable.unpublished()) {
            String[] parts = type.split("; ", 2);
            if (parts.length > 1) {
                table.sql(parts[1].split("; "));
            }
            table.sql(
                    "create collation \"TABLE_c\" (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
                    "alter table TABLE alter username type " + parts[0],
                    "insert into TABLE (username) values ('Carol')",
                    "create publication TABLE for table TABLE (id, username)");
            try (ScannedTable store = new ScannedTable(table.name());
                    AvailabilityChecker checker = AvailabilityChecker.builder()
                            .store(USERNAME, store)
                            .feed(PostgreSqlFeed.of(TestServer.url())
                                    .user(TestServer.USER)
                                    .publication(table.name())
                                    .build())
                            .build()) {
                Eventually.holds("ready", () -> checker.state(USERNAME) == KindState.READY);
                for (String free : List.of("alice", "zoe", "bob", "dave")) {
                    Eventually.holds(free, () -> checker.latest(USERNAME, free).decidedBy() == DecidedBy.FILTER);
                }
                table.sql(
                        "insert into TABLE (username) values ('Alice'), ('zoe'), ('eve')",
                        "update TABLE set username = 'Bob' where username = 'eve'");
                for (String taken : List.of("alice", "zoe", "bob", "carol")) {
                    Verdict verdict = checker.latest(USERNAME, taken);
                    // Where the news have not come in time the database is asked, which may tell Alice from alice.
                    assertThat(verdict.available() && verdict.decidedBy() != DecidedBy.STORE)
                            .as("%s calls %s available", type, taken)
                            .isFalse();
                }
                Eventually.holds("dave", () -> checker.latest(USERNAME, "dave").available());
            } finally {
                table.close();
                table.sql(
                        "drop domain if exists TABLE_d", "drop domain if exists TABLE_e", "drop collation \"TABLE_c\"");
            }
        }
    }

    /** A blank at the end counts for every type but one. */
    @Test
    void onlyAPaddedColumnLosesItsBlanks() {
        try (TestTable table = TestTable.unpublished()) {
            table.sql(
                    "alter table TABLE add padded char(8)",
                    "create publication TABLE for table TABLE (id, username, padded)");
            try (TestFeed plain = table.follow();
                    TestFeed padded = TestFeed.following(table.name(), new TableStore(table.name(), "padded"))) {
                table.sql(
                        "insert into TABLE (username, padded) values ('alice  ', 'bob'), ('dave\t', e'\\tc '), ('', '')");
                plain.awaitMark();
                padded.awaitMark();
                assertThat(plain.sink().told())
                        .containsExactlyInAnyOrder("username alice  ", "username dave\t", "username ");
                assertThat(padded.sink().told()).containsExactlyInAnyOrder("username bob", "username \tc", "username ");
            }
        }
    }
}
