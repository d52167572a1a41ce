package io.github.untaken.innodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a scan and a recheck cost beside the barest JDBC that does the same, in turns. Prints figures; the bounds are far from them. Tests run
 * with the first compiler of the JVM only: {@code -Dtest.compiler=-XX:TieredStopAtLevel=4} gives the figures of an application.
 */
@Tag("nightly")
class FiguresTest {
    private static final int ROWS = 500_000;
    private static final int ROUNDS = 9;
    private static final int READS = 4000;

    private interface Scan {
        void to(Consumer<String> values) throws Exception;
    }

    /** Rows a second of each, the most of all rounds, which is the least disturbed. */
    private static Map<String, Double> inTurns(Map<String, Scan> scans) throws Exception {
        Map<String, Double> best = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Map.Entry<String, Scan> scan : scans.entrySet()) {
                LongAdder rows = new LongAdder();
                long begun = System.nanoTime();
                scan.getValue().to(value -> rows.increment());
                double seconds = (System.nanoTime() - begun) / 1e9;
                assertThat(rows.sum()).isEqualTo(ROWS);
                best.merge(scan.getKey(), ROWS / seconds, Math::max);
            }
        }
        return best;
    }

    /** @param fetchSize 0 for the driver's default, which holds all rows in memory */
    private static Scan loop(Connection bare, Table table, int fetchSize) {
        return values -> {
            try (PreparedStatement statement = bare.prepareStatement("select username from " + table.name())) {
                statement.setFetchSize(fetchSize);
                try (ResultSet result = statement.executeQuery()) {
                    while (result.next()) {
                        values.accept(result.getString(1));
                    }
                }
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void aScanAndARecheckBesideBareJdbc(Driver driver) throws Exception {
        try (Table table = new Table(driver, "varchar(40)");
                Connection bare = driver.connection()) {
            table.sql("insert into TABLE (username) select concat('name', seq) from seq_1_to_" + ROWS);
            RegisteredIdentifierStore store = table.store();
            Map<String, Scan> scans = new LinkedHashMap<>();
            scans.put("bare loop, all in memory", loop(bare, table, 0));
            scans.put("bare loop, streaming", loop(bare, table, driver == Driver.MYSQL ? Integer.MIN_VALUE : 10_000));
            scans.put("scan", store::scan);
            Map<String, Double> rates = inTurns(scans);
            double exists = medianMicros(i -> store.exists("nobody" + i, Duration.ofSeconds(5)));
            double read = medianMicros(i -> {
                try (PreparedStatement statement =
                        bare.prepareStatement("select 1 from " + table.name() + " where username = ?")) {
                    statement.setString(1, "nobody" + i);
                    statement.executeQuery().close();
                }
            });
            double each = medianMicros(i -> ((Batched) store)
                    .existEach(
                            IntStream.range(0, 64)
                                    .mapToObj(k -> "nobody" + i + "-" + k)
                                    .toList(),
                            Duration.ofSeconds(5)));
            double streaming = rates.get("bare loop, streaming");
            rates.forEach((way, rate) ->
                    System.out.printf("%s: %s, %.0f rows/s, %.2f of streaming%n", driver, way, rate, rate / streaming));
            System.out.printf(
                    "%s: recheck %.0f us, bare read %.0f us, ratio %.2f; 64 in one question %.0f us, %.1f us a key%n",
                    driver, exists, read, exists / read, each, each / 64);
            assertThat(rates.get("scan") / streaming).isGreaterThan(0.3);
        }
    }

    private interface Read {
        void of(int number) throws SQLException;
    }

    private static double medianMicros(Read read) throws SQLException {
        double[] micros = new double[READS];
        for (int i = 0; i < 2 * READS; i++) {
            long begun = System.nanoTime();
            read.of(i);
            micros[i % READS] = (System.nanoTime() - begun) / 1e3;
        }
        Arrays.sort(micros);
        return micros[READS / 2];
    }
}
