package io.github.untaken.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.untaken.spi.RegisteredIdentifierStore;
import io.github.untaken.spi.RegisteredIdentifierStore.Batched;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a scan and a recheck cost beside the barest JDBC that does the same. Prints figures; the bounds are far from them. */
@Tag("nightly")
class FiguresTest {
    private static final int ROWS = 500_000;
    private static final int READS = 4000;

    private interface Work {
        void run() throws SQLException;
    }

    private static double bestOf(int rounds, Work work) throws SQLException {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < rounds; i++) {
            long begun = System.nanoTime();
            work.run();
            best = Math.min(best, (System.nanoTime() - begun) / 1e9);
        }
        return best;
    }

    @ParameterizedTest
    @EnumSource
    void aScanAndARecheckBesideBareJdbc(Driver driver) throws SQLException {
        try (Table table = new Table(driver, "varchar(40)");
                Connection bare = driver.connection()) {
            table.sql("insert into TABLE (username) select concat('name', seq) from seq_1_to_" + ROWS);
            RegisteredIdentifierStore store = table.store();
            LongAdder rows = new LongAdder();
            double scan = bestOf(5, () -> store.scan(value -> rows.increment()));
            double loop = bestOf(5, () -> {
                try (PreparedStatement statement = bare.prepareStatement("select username from " + table.name())) {
                    statement.setFetchSize(driver == Driver.MYSQL ? Integer.MIN_VALUE : 10_000);
                    try (ResultSet result = statement.executeQuery()) {
                        while (result.next()) {
                            if (result.getString(1) != null) {
                                rows.increment();
                            }
                        }
                    }
                }
            });
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
            System.out.printf(
                    "%s: scan %.0f rows/s, bare loop %.0f rows/s, ratio %.2f; recheck %.0f us, bare read %.0f us, ratio %.2f; 64 in one"
                            + " question %.0f us, %.1f us a key%n",
                    driver, ROWS / scan, ROWS / loop, loop / scan, exists, read, exists / read, each, each / 64);
            assertThat(rows.sum()).isEqualTo(10L * ROWS);
            assertThat(loop / scan).isGreaterThan(0.5);
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
