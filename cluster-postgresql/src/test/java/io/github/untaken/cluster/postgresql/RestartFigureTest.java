package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How soon a process answers from memory again; {@code -Drestart.names} for another number than 100,000,000. */
@Tag("nightly")
class RestartFigureTest {
    private static final long NAMES = Long.getLong("restart.names", 100_000_000);
    private static final int ROWS = 1_000_000;
    private static final int MEANWHILE = 1_000;

    @Test
    void aHundredMillionNamesOverATableOfAMillionAreReadBack(@TempDir Path parent) throws Exception {
        try (TestTable table = TestTable.published()) {
            table.sql("insert into TABLE (username) select 'name' || n from generate_series(0, " + (ROWS - 1) + ") n");
            String first = live(table, parent, ROWS - MEANWHILE);
            System.out.println("scanned: " + first);
            assertThat(first).contains("scans 1, missing 0");
            int known = ROWS;
            for (int i = 0; i < 3; i++) {
                table.sql("insert into TABLE (username) select 'name' || n from generate_series(" + known + ", "
                        + (known + MEANWHILE - 1) + ") n");
                String again = live(table, parent, known);
                System.out.println("restarted: " + again);
                assertThat(again).contains("scans 0, missing 0");
                known += MEANWHILE;
            }
            TestServer.sql("select pg_drop_replication_slot(slot_name) from pg_replication_slots where not active");
        }
    }

    private static String live(TestTable table, Path parent, int from) throws IOException, InterruptedException {
        Process node = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        RestartedNode.class.getName(),
                        TestServer.url(),
                        table.name(),
                        parent.resolve("snapshots").toString(),
                        String.valueOf(NAMES - ROWS),
                        String.valueOf(from),
                        String.valueOf(from + MEANWHILE))
                .redirectErrorStream(true)
                .start();
        String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(node.waitFor()).as(said).isZero();
        return said.lines()
                .filter(line -> line.startsWith("RESULT"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(said));
    }
}
