package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.sample.Client.Reply;
import io.github.untaken.sample.database.MadeUpAccounts;
import io.github.untaken.sample.reads.CheckTraceFilter;
import java.net.http.HttpHeaders;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts exactly, on a site that nobody changes: to settle a registration reads the store too, at a time of its own. */
class CheckCountingTest {
    @TempDir
    private static Path data;

    private static SignUpSite site;
    private static Client client;

    @BeforeAll
    static void start() throws Exception {
        site = Sites.start(data, "--audit-rows", "0"); // whose reads one test would take for those of its checks
        client = new Client(site.address());
        Sites.awaitReady(client);
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    @Test
    void countsTheQueriesOfChecksAsTheDatabaseDoes() throws Exception {
        try (Connection connection = Sites.connect(data);
                Statement statement = connection.createStatement()) {
            statement.execute("set query_statistics true");
            long before = queries();
            for (int i = 0; i < 200; i++) {
                client.check(MadeUpAccounts.username(i));
            }
            long counted = queries() - before;
            long executed = 0;
            try (ResultSet result = statement.executeQuery("select sum(execution_count) from"
                    + " information_schema.query_statistics where upper(sql_statement) like '%ACCOUNT%'")) {
                result.next();
                executed = result.getLong(1);
            }
            statement.execute("set query_statistics false");
            assertThat(counted).isEqualTo(200);
            assertThat(executed).isEqualTo(counted);
        }
    }

    @Test
    void eachAnswerTellsItsOwnReadsAndTogetherTheyAreThoseOfAllChecks() throws Exception {
        Reply before = client.get("/stats");
        // One after the other: a read that checks share is credited to each of them, and counted once.
        ExecutorService threads = Executors.newSingleThreadExecutor();
        long[] sums = new long[3];
        try {
            List<Callable<String>> checks = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                String name = MadeUpAccounts.username(i % 2 == 0 ? i : Sites.USERS + i);
                String queries = i % 2 == 0 ? "1" : "[01]"; // a free name may be a false positive
                checks.add(() -> {
                    HttpHeaders headers =
                            client.headers("/availability", "suggestions=true&username=" + Client.coded(name));
                    assertThat(headers.firstValue("Server-Timing").orElseThrow())
                            .matches("check;dur=[0-9]+\\.[0-9]{3}");
                    String reads = headers.firstValue(CheckTraceFilter.READS).orElseThrow();
                    assertThat(reads).matches("queries=" + queries + ", unfinished=0, .*");
                    return reads;
                });
            }
            for (Future<String> reads : threads.invokeAll(checks)) {
                String[] figures = reads.get().replaceAll("[^0-9,]", "").split(",");
                sums[0] += Long.parseLong(figures[0]);
                sums[1] += Long.parseLong(figures[2]);
                sums[2] += Long.parseLong(figures[3]);
            }
        } finally {
            threads.shutdownNow();
        }
        Reply after = client.get("/stats");
        assertThat(sums)
                .containsExactly(
                        after.number("databaseQueries") - before.number("databaseQueries"),
                        after.number("pageReads") - before.number("pageReads"),
                        after.number("bytesRead") - before.number("bytesRead"));
        assertThat(sums[0]).isBetween(200L, 205L);
    }

    private static long queries() {
        return client.get("/stats").number("databaseQueries");
    }
}
