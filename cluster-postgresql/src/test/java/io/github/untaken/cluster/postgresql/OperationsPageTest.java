package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.IdentifierKind;
import io.github.untaken.feeds.RecordingSink;
import io.github.untaken.feeds.TableStore;
import io.github.untaken.test.database.Console;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever follows docs/cluster-operations.md on a server that is fresh from its box gets what it promises. */
@Tag("ci")
class OperationsPageTest {
    private static final Pattern SQL = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private EmbeddedPostgres start() throws Exception {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder)
                .setCleanDataDirectory(false)
                .start();
    }

    private static Connection console(EmbeddedPostgres server) throws Exception {
        return DriverManager.getConnection(url(server), TestServer.USER, "");
    }

    private static String url(EmbeddedPostgres server) {
        return "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
    }

    @Test
    void itsStatementsSetUpWatchAndClearAServer() throws Exception {
        List<String> blocks = SQL.matcher(Files.readString(Path.of("../docs/cluster-operations.md")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        assertThat(blocks).hasSize(3);
        String[] setUp = blocks.get(0).split("-- restart the server[^\n]*\n");
        String[] clear = blocks.get(1).split("-- once[^\n]*\n");
        String alarm = blocks.get(2);
        try (EmbeddedPostgres server = start();
                Connection console = console(server)) {
            Console.sql(console, "create table account (id bigint primary key, username text unique)");
            Console.sql(console, setUp[0].split(";\n"));
        }
        try (EmbeddedPostgres server = start();
                Connection console = console(server)) {
            Console.sql(console, setUp[1].split(";\n"));
            PostgreSqlFeed feed = PostgreSqlFeed.of(url(server))
                    .user("untaken")
                    .password("...")
                    .build();
            RecordingSink sink = new RecordingSink();
            feed.covers(Map.of(IdentifierKind.USERNAME, List.of(new TableStore("account", "username"))));
            feed.connect(sink);
            try (TestFeed told = new TestFeed(feed, sink)) {
                sink.awaitFollowing();
                Console.sql(console, "insert into account values (1, 'alice')");
                told.awaitMark();
                assertThat(sink.knows("alice")).isTrue();
                assertThat(sink.gaps()).isEmpty();
                assertThat(Console.query(console, alarm)).isEmpty();
                assertThat(Console.query(console, clear[0])).isEmpty();
            }
            Console.sql(console, "select pg_create_logical_replication_slot('untaken_1_2_3', 'pgoutput')");
            assertThat(Console.query(console, clear[0])).isEqualTo("untaken_1_2_3");
            Console.query(console, clear[1]);
            assertThat(Console.query(console, clear[0])).isEmpty();
        }
    }
}
