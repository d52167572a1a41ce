package io.github.untaken.sample;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static final int USERS = 50_000; // several times what the page cache holds
    private static final int LOOKUPS = 2_000;

    @TempDir
    private Path data;

    @Test
    void countsWhatTheDatabaseCounts() throws Exception {
        try (DataDirectory directory = DataDirectory.open(data);
                SampleDatabase database =
                        SampleDatabase.open(directory, USERS, new PrintStream(OutputStream.nullOutputStream()));
                Connection connection = database.dataSource().getConnection();
                PreparedStatement lookup = connection.prepareStatement("select 1 from account where username = ?")) {
            assertThat(database.seededUsers()).isEqualTo(USERS);
            long databaseBefore = fileReads(connection);
            FileReads.Count before = FileReads.ofThisThread();
            for (int i = 0; i < LOOKUPS; i++) {
                lookup.setString(1, MadeUpAccounts.username(i * 7));
                try (ResultSet found = lookup.executeQuery()) {
                    assertThat(found.next()).isTrue();
                }
            }
            FileReads.Count made = FileReads.ofThisThread().minus(before);
            assertThat(made.calls()).isGreaterThan(LOOKUPS / 2);
            assertThat(made.bytes()).isGreaterThan(made.calls());
            assertThat(fileReads(connection) - databaseBefore).isEqualTo(made.calls());
        }
    }

    private static long fileReads(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select setting_value from information_schema.settings where"
                        + " setting_name = 'info.FILE_READ'")) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }
}
