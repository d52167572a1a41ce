package io.github.untaken.sample.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.untaken.sample.reads.FileReads;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountingFilePathTest {
    private static final int USERS = 12_000; // more than the page cache holds
    private static final int LOOKUPS = 1_000;
    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    @TempDir
    private Path data;

    @Test
    void countsWhatTheDatabaseCounts() throws Exception {
        FileReads.Count made = lookedUp(SampleDatabase.Tuning.DEFAULT);
        assertThat(made.calls()).isGreaterThan(LOOKUPS / 10); // in trials 445 and more
        assertThat(made.bytes()).isGreaterThan(made.calls());
        assertThat(made.directBytes()).isZero();
    }

    @Test
    void countsWholeBlocksOfTheDeviceWhereReadsAreDirect() throws Exception {
        lookedUp(SampleDatabase.Tuning.DEFAULT);
        assumeThat(DirectFile.obstacle(data.resolve("accounts.mv.db"))).isEmpty();
        FileReads.Count direct = lookedUp(new SampleDatabase.Tuning(1, true));
        assertThat(direct.directBytes()).isGreaterThan(direct.bytes());
        assertThat(direct.directBytes() % 512).isZero();
    }

    @Test
    void theDatabaseHasThePageCacheItIsSaidToHave() throws Exception {
        for (int megabytes : new int[] {1, 64}) {
            try (DataDirectory directory = DataDirectory.open(data);
                    SampleDatabase database = SampleDatabase.open(
                            directory, new Seeding(10), new SampleDatabase.Tuning(megabytes, false), NOWHERE);
                    Connection connection = database.dataSource().getConnection()) {
                assertThat(info(connection, "CACHE_MAX_SIZE")).isEqualTo(megabytes); // in MB
                assertThat(database.pageCacheBytes()).isEqualTo(megabytes * 1024L * 1024);
                assertThat(patience(connection)).isEqualTo(10_000);
            }
        }
    }

    /** Looks names up, all of which must be found, and returns what that thread read for them. */
    private FileReads.Count lookedUp(SampleDatabase.Tuning tuning) throws Exception {
        try (DataDirectory directory = DataDirectory.open(data);
                SampleDatabase database = SampleDatabase.open(directory, new Seeding(USERS), tuning, NOWHERE);
                Connection connection = database.dataSource().getConnection();
                PreparedStatement lookup = connection.prepareStatement("select 1 from account where username = ?")) {
            assertThat(database.seededUsers()).isEqualTo(USERS);
            long databaseBefore = info(connection, "FILE_READ");
            FileReads.Count before = FileReads.ofThisThread();
            lookUpAll(lookup);
            FileReads.Count made = FileReads.ofThisThread().minus(before);
            assertThat(info(connection, "FILE_READ") - databaseBefore).isEqualTo(made.calls());
            assertThat(database.directReads()).isEqualTo(tuning.directReads());
            return made;
        }
    }

    private static void lookUpAll(PreparedStatement lookup) throws SQLException {
        for (int i = 0; i < LOOKUPS; i++) {
            lookup.setString(1, MadeUpAccounts.username(i * 7));
            try (ResultSet found = lookup.executeQuery()) {
                assertThat(found.next()).isTrue();
            }
        }
    }

    /** Milliseconds that a statement waits for a lock. */
    private static long patience(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("call lock_timeout()")) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    private static long info(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select setting_value from information_schema.settings where"
                        + " setting_name = 'info." + name + "'")) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }
}
